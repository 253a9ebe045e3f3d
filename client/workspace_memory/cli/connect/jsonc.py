"""JSON with comments and trailing commas: reading it, and changing one member without touching the rest. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace_memory.cli.connect.errors import ConfigurationError

_GAP = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_REMARK = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\n]*?\*/)?")
_LITERAL = re.compile(r"[^\s,\]}:\"\[{/]+")
MAX_DEPTH = 100


@dataclass(slots=True)
class Member:
    """A member of an object: where its key begins, and its value."""

    start: int
    value: Node


@dataclass(slots=True)
class Node:
    """A value of the document and where it stands; `members` are those of an object."""

    start: int
    end: int
    value: Any
    members: dict[str, Member] | None = field(default=None)


def read_document(text: str) -> Node:
    """Return the whole document; an empty one is an empty object. Raises ConfigurationError."""
    scanner = _Scanner(text)
    if scanner.skip(0) == len(text):
        return Node(len(text), len(text), {}, {})
    root = scanner.value(0, depth=0)
    if scanner.skip(root.end) != len(text):
        raise scanner.error(scanner.skip(root.end), "nothing more")
    return root


def set_member(text: str, path: Sequence[str], value: Any) -> str:
    """Return the document with the member at a path set, objects on the way made where they are missing.

    Raises ConfigurationError where something on the way is not an object.
    """
    root = read_document(text)
    if root.start == root.end:
        return text + _dump(_nest(path, value), indent=_indent(text), newline=_newline(text)) + _newline(text)
    here = root
    for depth, name in enumerate(path):
        if here.members is None:
            raise ConfigurationError(f"“{'.'.join(path[:depth]) or 'the document'}” in it is not an object.")
        member = here.members.get(name)
        if member is None:
            return _insert(text, here, name, _nest(path[depth + 1 :], value))
        here = member.value
    if here.value == value:
        return text
    shown = _dump(value, indent=_indent(text), newline=_newline(text), margin=_margin(text, here.start))
    return text[: here.start] + shown + text[here.end :]


def remove_member(text: str, path: Sequence[str]) -> str:
    """Return the document without the member at a path; as it is where there is none."""
    here = read_document(text)
    for name in path[:-1]:
        if here.members is None or name not in here.members:
            return text
        here = here.members[name].value
    if here.members is None or path[-1] not in here.members:
        return text
    return _cut(text, here, path[-1])


def _cut(text: str, parent: Node, name: str) -> str:
    """Take a member out with its line, and one comma: that behind it, or else the one before it."""
    members = parent.members or {}
    start, end = members[name].start, members[name].value.end
    scanner = _Scanner(text)
    after = scanner.skip(end)
    if text[after : after + 1] == ",":
        end = after + 1
    else:
        before = [member.value.end for member in members.values() if member.value.end < start]
        if before:
            comma = text.index(",", scanner.skip(max(before)))
            text = text[:comma] + text[comma + 1 :]
            start, end = start - 1, end - 1
    line = len(text[:start].rstrip(" \t"))
    if text[line - 1 : line] == "\n" and text[end:].lstrip(" \t")[:1] in {"\n", "\r"}:
        start = line - (2 if text[line - 2 : line] == "\r\n" else 1)
    return text[:start] + text[end:]


def _insert(text: str, parent: Node, name: str, value: Any) -> str:
    indent, newline = _indent(text), _newline(text)
    outer = _margin(text, parent.start)
    is_on_one_line = bool(parent.members) and newline not in text[parent.start : parent.end]
    inner = outer + indent
    shown = f"{json.dumps(name, ensure_ascii=False)}: {_dump(value, indent=indent, newline=newline, margin=inner)}"
    members = list((parent.members or {}).values())
    if not members:
        inside = text[parent.start + 1 : parent.end - 1].rstrip()
        return f"{text[: parent.start + 1]}{inside}{newline}{inner}{shown}{newline}{outer}{text[parent.end - 1 :]}"
    last = members[-1].value.end
    if is_on_one_line:
        return f"{text[:last]}, {shown}{text[last:]}"
    inner = _margin(text, members[-1].start)
    shown = f"{json.dumps(name, ensure_ascii=False)}: {_dump(value, indent=indent, newline=newline, margin=inner)}"
    after = _Scanner(text).skip(last)
    if text[after : after + 1] == ",":  # a trailing comma, which stays one
        rest = _end_of_remark(text, after + 1)
        return f"{text[:rest]}{newline}{inner}{shown},{text[rest:]}"
    rest = _end_of_remark(text, last)
    return f"{text[:last]},{text[last:rest]}{newline}{inner}{shown}{text[rest:]}"


def _end_of_remark(text: str, at: int) -> int:
    """Return the place behind a comment on the same line."""
    found = _REMARK.match(text, at)
    return found.end() if found and found[0].strip() else at


def _nest(path: Sequence[str], value: Any) -> Any:
    for name in reversed(path):
        value = {name: value}
    return value


def _dump(value: Any, *, indent: str, newline: str, margin: str = "") -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", f"{newline}{margin}")


def _margin(text: str, at: int) -> str:
    """Return the white space with which the line of a place begins."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent(text: str) -> str:
    """Return the first indentation of the document; two spaces where it has none."""
    found = re.search(r"\n([ \t]+)\"", text)
    return found[1] if found else "  "


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


class _Scanner:
    """Reads values and remembers where they stand."""

    def __init__(self, text: str) -> None:
        self._text = text

    def skip(self, at: int) -> int:
        """Return the place behind white space and comments."""
        found = _GAP.match(self._text, at)
        return found.end() if found else at

    def value(self, at: int, *, depth: int) -> Node:
        at = self.skip(at)
        if depth > MAX_DEPTH:
            raise self.error(at, "at most 100 levels")
        if self._text[at : at + 1] == "{":
            return self._object(at, depth)
        if self._text[at : at + 1] == "[":
            return self._array(at, depth)
        found = _STRING.match(self._text, at) or _LITERAL.match(self._text, at)
        if found is None:
            raise self.error(at, "a value")
        return Node(at, found.end(), self._parse(found[0], at))

    def error(self, at: int, expected: str) -> ConfigurationError:
        line = self._text.count("\n", 0, at) + 1
        return ConfigurationError(f"It is not JSON: line {line} should have {expected}.")

    def _object(self, at: int, depth: int) -> Node:
        members: dict[str, Member] = {}
        place = self.skip(at + 1)
        while self._text[place : place + 1] != "}":
            key = _STRING.match(self._text, place)
            colon = self.skip(key.end()) if key else place
            if key is None or self._text[colon : colon + 1] != ":":
                raise self.error(place, "a name in quotation marks and a colon")
            node = self.value(colon + 1, depth=depth + 1)
            members.pop(name := str(self._parse(key[0], place)), None)
            members[name] = Member(place, node)
            place = self._next(node.end, "}")
        return Node(at, place + 1, {name: member.value.value for name, member in members.items()}, members)

    def _array(self, at: int, depth: int) -> Node:
        items = []
        place = self.skip(at + 1)
        while self._text[place : place + 1] != "]":
            node = self.value(place, depth=depth + 1)
            items.append(node.value)
            place = self._next(node.end, "]")
        return Node(at, place + 1, items)

    def _next(self, at: int, closing: str) -> int:
        """Return the place of the next item, behind the comma, or of the closing bracket."""
        place = self.skip(at)
        if self._text[place : place + 1] == ",":
            return self.skip(place + 1)
        if self._text[place : place + 1] != closing:
            raise self.error(place, f"a comma or {closing}")
        return place

    def _parse(self, literal: str, at: int) -> Any:
        try:
            return json.loads(literal)
        except ValueError as error:
            raise self.error(at, "a value") from error
