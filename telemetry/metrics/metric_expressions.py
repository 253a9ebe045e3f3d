"""The small language of metrics: comparisons of named fields, joined by and, or, not. Parsed, never run as code. Pure.

expression = conjunction { "or" conjunction }
conjunction = term { "and" term }
term = "not" term | "(" expression ")" | field operator value
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MAX_DEPTH = 32

Row = Mapping[str, str | float]
Test = Callable[[Row], bool]


class FieldKind(StrEnum):
    """What a field holds, and therefore what it can be compared with."""

    TEXT = "text"
    NUMBER = "number"


# PRODUCT section 7: what a success condition may speak of. A filter speaks of the events of a sequence.
CONDITION_FIELDS = {"outcome": FieldKind.TEXT, "action_count": FieldKind.NUMBER, "duration_ms": FieldKind.NUMBER}
EVENT_FIELDS = dict.fromkeys(("agent", "action_type", "node_type", "error_code"), FieldKind.TEXT)

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
EQUALITIES = ("=", "!=")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<text>'[^']*'|\"[^\"]*\")|(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<operator>==|!=|<=|>=|[=<>])|(?P<mark>[()]))"
)


class ExpressionError(ValueError):
    """The text is not an expression. `position` counts characters from 1."""

    def __init__(self, *, position: int, expected: str, found: str) -> None:
        super().__init__(f"At position {position}: expected {expected}, found {found}.")
        self.position = position
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Token:
    """One word of the text; `kind` is number, text, word, operator, mark or end."""

    kind: str
    text: str
    position: int

    @property
    def description(self) -> str:
        return "the end" if self.kind == "end" else f"`{self.text[:40]}`"


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed text; `holds` says whether it is true of a row, which has every field."""

    text: str
    holds: Test


def parse(text: str, *, fields: Mapping[str, FieldKind]) -> Expression:
    """Return the expression that a text means; the empty text is true of everything. Raises ExpressionError."""
    if not text.strip():
        return Expression("", lambda row: True)
    parser = _Parser(_tokens(text), fields)
    test = parser.expression(depth=0)
    parser.expect_end()
    return Expression(text, test)


def _tokens(text: str) -> list[Token]:
    found, place, end = [], 0, len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None:
            start = place + len(text[place:]) - len(text[place:].lstrip())
            raise ExpressionError(
                position=start + 1, expected="a field, a value or an operator", found=f"`{text[start]}`"
            )
        kind = str(match.lastgroup)
        found.append(Token(kind, match[kind], match.start(kind) + 1))
        place = match.end()
    return [*found, Token("end", "", end + 1)]


class _Parser:
    """Reads tokens from left to right, one function for each rule of the grammar."""

    def __init__(self, tokens: list[Token], fields: Mapping[str, FieldKind]) -> None:
        self._tokens = tokens
        self._place = 0
        self._fields = fields

    @property
    def _next(self) -> Token:
        return self._tokens[self._place]

    def expression(self, *, depth: int) -> Test:
        return self._parse_series("or", any, lambda: self._parse_series("and", all, lambda: self._term(depth)))

    def expect_end(self) -> None:
        if self._next.kind != "end":
            raise self._refusal("`and`, `or` or the end")

    def _parse_series(self, word: str, join: Callable[[Any], bool], part: Callable[[], Test]) -> Test:
        parts = [part()]
        while self._accept("word", word):
            parts.append(part())
        return parts[0] if len(parts) == 1 else lambda row: join(test(row) for test in parts)

    def _term(self, depth: int) -> Test:
        if depth > MAX_DEPTH:
            raise self._refusal(f"at most {MAX_DEPTH} levels of `not` and parentheses")
        if self._accept("word", "not"):
            inner = self._term(depth + 1)
            return lambda row: not inner(row)
        if self._accept("mark", "("):
            inside = self.expression(depth=depth + 1)
            if not self._accept("mark", ")"):
                raise self._refusal("`)`")
            return inside
        return self._comparison()

    def _comparison(self) -> Test:
        name = self._take("word", f"a field ({', '.join(self._fields)}), `not` or `(`", self._fields)
        kind = self._fields[name]
        offered = EQUALITIES if kind == FieldKind.TEXT else tuple(OPERATORS)
        sign = self._take("operator", " or ".join(f"`{sign}`" for sign in offered if sign != "=="), (*offered, "=="))
        compare, value = OPERATORS[sign], self._value(kind)
        return lambda row: compare(row[name], value)

    def _value(self, kind: FieldKind) -> str | float:
        if kind == FieldKind.NUMBER:
            return float(self._take("number", "a number"))
        return self._take("text", "a text in quotes")[1:-1]

    def _take(self, kind: str, expected: str, offered: Any = None) -> str:
        token = self._next
        is_fit = token.kind == kind and (offered is None or token.text in offered)
        if not is_fit:
            raise self._refusal(expected)
        self._place += 1
        return token.text

    def _accept(self, kind: str, text: str) -> bool:
        is_next = self._next.kind == kind and self._next.text.lower() == text
        self._place += is_next
        return is_next

    def _refusal(self, expected: str) -> ExpressionError:
        return ExpressionError(position=self._next.position, expected=expected, found=self._next.description)
