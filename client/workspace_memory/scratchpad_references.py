"""References to what a scratchpad holds: their names, their lines in a prompt, and putting the values in. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.kept_results import shown
from workspace_memory.slot_limits import size_of

MAX_SHOWN_KEYS = 5
MAX_WHAT_CHARACTERS = 120


class UnknownReferenceError(WorkspaceMemoryError, LookupError):
    """A reference to something that the scratchpad does not hold; the message names what it does hold."""


class GoneReferenceError(UnknownReferenceError):
    """A reference to something that the scratchpad held; the message says why it is gone.

    Its name is not given again.
    """


@dataclass(frozen=True, slots=True)
class Entry:
    """What a prompt says about one captured value: its name, what it is, its size in bytes."""

    name: str
    what: str
    size: int


def name_for(tool: str, *, turn: int, taken: Collection[str], beyond: dict[tuple[str, int], int]) -> str:
    """`<tool>.<turn>`; where a turn calls a tool twice, the next free number.

    `beyond` remembers where a search that began at a number has ended, so that the next one does not count again.
    """
    begun = turn
    while f"{tool}.{turn}" in taken:
        turn = beyond.get((tool, turn), turn + 1)
    if turn > begun:
        beyond[tool, begun] = turn
    return f"{tool}.{turn}"


def described(value: Any) -> str:
    """What a value is, in a few words, where no words were given: its shape, never its content."""
    if isinstance(value, Mapping):
        names = [str(name) for name in value]
        more = ", …" if len(names) > MAX_SHOWN_KEYS else ""
        return _cut(f"object with {', '.join(names[:MAX_SHOWN_KEYS])}{more}" if names else "empty object")
    if isinstance(value, list | tuple):
        count = f"{len(value)} item{'' if len(value) == 1 else 's'}"
        return _cut(f"{count}, each an {described(value[0])}") if value and isinstance(value[0], Mapping) else count
    return {str: "text", bool: "flag", int: "number", float: "number"}.get(type(value), "nothing")


def shown_size(size: int) -> str:
    """Bytes as people write them: 850B, 15KB, 1.2MB."""
    if size < 1_000:
        return f"{size}B"
    return f"{size / 1_000:.0f}KB" if size < 1_000_000 else f"{size / 1_000_000:.1f}MB"


def references_in(value: Any, *, prefix: str) -> Iterator[str]:
    """The names of all references in a structure; a reference is a whole text, never a part of one.

    White space around it is read over.
    """
    if isinstance(value, str):
        if (name := _name_in(value, prefix)) is not None:
            yield name
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from references_in(inner, prefix=prefix)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from references_in(inner, prefix=prefix)


def resolved(value: Any, values: Mapping[str, Any], *, prefix: str) -> Any:
    """The structure with values in place of references, at any depth.

    What is put in is data: references inside it stay text, or a tool's answer could ask for anything in the scratchpad.
    """
    if isinstance(value, str):
        name = _name_in(value, prefix)
        return value if name is None else values[name]
    if isinstance(value, Mapping):
        return {name: resolved(inner, values, prefix=prefix) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        items = [resolved(inner, values, prefix=prefix) for inner in value]
        if isinstance(value, tuple):
            return value._make(items) if hasattr(value, "_make") else tuple(items)
        return items
    return value


def line_of_unkept(what: str, error: Exception) -> str:
    """The line for a call whose result could not be kept."""
    return f"- {what} — it ran, and its result is not kept: {one_line(str(error))}"


def entry_of(name: str, value: Any, what: str | None) -> Entry:
    """What a prompt will say about a value."""
    return Entry(name, one_line(what or described(value)), size_of(value))


def one_line(text: str) -> str:
    """The text in one line of at most 120 characters."""
    return _cut(" ".join(text.split()))


def called(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call in a few words, for the prompt: the tool's arguments, shortened."""
    said = ", ".join(f"{name}={shown(value)}" for name, value in arguments.items())
    return _cut(f"{tool}({said})")


def _name_in(text: str, prefix: str) -> str | None:
    """The name that a text refers to. Models often bring a space or an end of line along."""
    bare = text.strip()
    return bare.removeprefix(prefix) if bare.startswith(prefix) else None


def _cut(text: str) -> str:
    return text if len(text) <= MAX_WHAT_CHARACTERS else f"{text[: MAX_WHAT_CHARACTERS - 1]}…"
