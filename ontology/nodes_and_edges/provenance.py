"""Where a node or an edge comes from: who described it, or which text said it and how sure that is. Pure.

The `provenance` of what was described is `{"source", "by"}`, of what was extracted `{"sources": [...], "confidence"}`;
the texts themselves are kept nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from workspaces.access.callers import PEOPLE

# What `source` says of nodes and edges that a person described, or a program.
PERSON, PROGRAM = "user", "agent"
# Under which the history keeps the last editor of words that an edit only puts back.
WORDS_OF = "words_of"
# The newest of them; what a hundred texts say needs no list.
MAX_SOURCES = 20


@dataclass(frozen=True, slots=True)
class Origin:
    """One text that said something.

    `text_hash` tells equal texts of one workspace and nothing across workspaces (core.text.fingerprint), `method` is
    "rules" or the name of the model, `at` RFC 3339.
    """

    text_hash: str
    method: str
    by: str
    by_kind: str
    by_id: str
    at: str
    message_id: str | None = None


def describe_author(*, label: str, is_person: bool) -> dict[str, Any]:
    """Return the provenance of what a caller describes."""
    return {"source": PERSON if is_person else PROGRAM, "by": label}


def describe_import(*, label: str, key: str = "") -> dict[str, Any]:
    """Return the provenance of what a caller brings from another product: never a person's own words. `key` is the name
    of a node there, by which the next import finds it."""
    return {"source": PROGRAM, "by": label, "is_imported": True, **({"import_key": key} if key else {})}


def with_origin(provenance: Mapping[str, Any], origin: Origin, *, confidence: float) -> dict[str, Any]:
    """Return the provenance with one source more, or as it was when that text is among its sources already.

    Two texts count as two observations: both would have to be wrong.
    """
    sources = list(provenance.get("sources", []))
    if any(source.get("text_hash") == origin.text_hash for source in sources):
        return dict(provenance)
    stated = {name: value for name, value in asdict(origin).items() if value is not None}
    before = float(provenance.get("confidence", 0.0))
    return {
        **provenance,
        "sources": [*sources, {**stated, "confidence": confidence}][-MAX_SOURCES:],
        "confidence": round(1 - (1 - before) * (1 - confidence), 4),
    }


def mark_edited(provenance: Mapping[str, Any], *, label: str, kind: str) -> dict[str, Any]:
    """Return the provenance after an edit: a context names the author of the words that it shows."""
    return {**provenance, "edited": {"by": label, "by_kind": kind}}


def mark_returned(
    provenance: Mapping[str, Any], *, label: str, kind: str, then: Mapping[str, Any] | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the provenance after an edit, and what the history keeps of whose words it has put back.

    `then` is the provenance that these words had, None for other words. They stay those of who wrote them: putting
    them back vouches for none of them.
    """
    if then is None:
        return mark_edited(provenance, label=label, kind=kind), {}
    others = {name: value for name, value in provenance.items() if name != "edited"}
    editor = then.get("edited")
    return {**others, **({"edited": editor} if editor else {})}, {WORDS_OF: editor}


def is_by_person(provenance: Mapping[str, Any]) -> bool:
    """Return whether the words of a node or an edge are a person's: those of its last editor, else of its author."""
    edited = provenance.get("edited")
    if isinstance(edited, Mapping):
        return edited.get("by_kind") in PEOPLE
    return provenance.get("source") == PERSON and not provenance.get("sources")


def merge_provenance(
    kept: Mapping[str, Any], absorbed: Mapping[str, Any], *, token: str, agent: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the provenance of a node that took over words of another one: a person's if both are, and one merges.

    `agent` is `by` and `by_kind` of an agent that merges, None for a person: it has not written the words, and says
    that they are about one thing. A person who merges vouches for no words of agents. `token` is unique to the merge,
    so that a later edit by the same author is distinguishable.
    """
    if not is_by_person(kept):
        return dict(kept)
    if agent:
        return {**kept, "edited": {**agent, "merge": token}}
    if is_by_person(absorbed):
        return dict(kept)
    newest = (absorbed.get("sources") or [{}])[-1]
    by = absorbed.get("edited") or {"by": absorbed.get("by") or newest.get("by", ""), "by_kind": "api_key"}
    return {**kept, "edited": {**by, "merge": token}}


def unmerge_provenance(
    kept: Mapping[str, Any], before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the provenance once a merge is undone: with the author from `before` it, unless it was edited since."""
    if kept.get("edited") != after:
        return dict(kept)
    others = {name: value for name, value in kept.items() if name != "edited"}
    return others if before is None else {**others, "edited": dict(before)}
