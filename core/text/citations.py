"""How an agent cites in what it writes: `[mem:<uuid>]` a memory or fact, `[node:<uuid>]` any node.

Models also write `[mem: <uuid>]`, `[MEM:<uuid>]`, `[mem:<uuid>, mem:<uuid>]` and `[mem:<uuid>|text]`: read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import UUID

from core.text.secrets import looks_like_secret

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_ID = re.compile(_UUID)
# A mark goes to its closing bracket; one that another bracket or the end of its line comes before is not closed.
_BRACKETS = re.compile(r"(?i)\\?\[\s*(mem|node)\s*:([^\[\]\n]*)(\]?)")
_KIND = re.compile(r"(?i)\b(mem|node) ?: ?")
# Before a further id of the same mark, in a body whose white space was made single spaces; labels have commas as well.
_BEFORE_ID = re.compile(rf"(?i)(?: ?[,;&] ?(?:and )?| (?:and )?)(?=(?:mem|node):|{_UUID})")
_SEPARATOR = re.compile(r"[,;&]")

CITABLE = frozenset({"mem", "node"})
# An answer that cites more than this is a listing or an attack; each one costs a guarded UPDATE.
MAX_CITATIONS = 1_000
# How many marks that name no id are reported, and how much of each.
MAX_MALFORMED, MAX_MALFORMED_CHARACTERS = 20, 80


@dataclass(frozen=True, slots=True)
class CitedId:
    """One id of a mark, `kind` is `mem` or `node`; `label` is the text behind a `|`, often empty."""

    kind: str
    id: UUID
    label: str = ""


@dataclass(frozen=True, slots=True)
class CitationMark:
    """A mark at a place of a text with the ids that it names; `is_malformed` where a part of it is not an id."""

    start: int
    end: int
    text: str
    ids: Sequence[CitedId]
    is_malformed: bool


@dataclass(frozen=True, slots=True)
class TextCitations:
    """What a text cites: distinct ids with the kind of their first mark, in order, at most `MAX_CITATIONS`.

    `malformed` has marks that name something else than an id, shortened; `over_limit` is the number of distinct ids
    beyond the limit, which are not among `ids`.
    """

    ids: dict[UUID, str]
    malformed: Sequence[str]
    over_limit: int


def parse_citations(text: str) -> Iterator[CitationMark]:
    """Yield the marks of a text, in their order."""
    for match in _BRACKETS.finditer(text):
        ids, is_malformed = _parse_body(match[1].lower(), match[2])
        if not match[3]:
            ids, is_malformed = [], True
        yield CitationMark(match.start(), match.end(), match[0], ids, is_malformed)


def find_citations(text: str) -> TextCitations:
    """Return the distinct ids that a text cites, and what of it could not be read as a citation."""
    found: dict[UUID, str] = {}
    malformed: dict[str, None] = {}
    over_limit: set[UUID] = set()
    for mark in parse_citations(text):
        for one in mark.ids:
            if len(found) < MAX_CITATIONS or one.id in found:
                found.setdefault(one.id, one.kind)
            else:
                over_limit.add(one.id)
        if mark.is_malformed and len(malformed) < MAX_MALFORMED:
            malformed.setdefault(_clip(mark.text))
    return TextCitations(found, list(malformed), len(over_limit))


def _parse_body(kind: str, body: str) -> tuple[list[CitedId], bool]:
    ids: list[CitedId] = []
    is_malformed = False
    # A backslash at the end belongs to an escaped bracket.
    flat = _KIND.sub(r"\1:", " ".join(body.removesuffix("\\").split()))
    for part in _BEFORE_ID.split(flat):
        names, _, label = part.partition("|")
        for name in _SEPARATOR.split(names.strip(" ,;&")):
            prefix, _, identity = name.rpartition(":")
            kind = prefix.strip().lower() or kind
            if kind in CITABLE and _ID.fullmatch(identity.strip()):
                ids.append(CitedId(kind, UUID(identity.strip()), label.strip()))
            else:
                is_malformed = True
    return ids, is_malformed


def _clip(mark: str) -> str:
    """Return the beginning of a mark; without what it names where that seems to be a secret."""
    if looks_like_secret(mark):
        return f"{mark.partition(':')[0]}:…]"
    return mark if len(mark) <= MAX_MALFORMED_CHARACTERS else f"{mark[: MAX_MALFORMED_CHARACTERS - 1]}…"
