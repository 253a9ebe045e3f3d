"""The life of a memory as a table: which verb exists, what it needs, what undoes it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verb(StrEnum):
    """What can be done to a memory; the names of routes, revisions and buttons."""

    PROMOTE = "promote"
    DEMOTE = "demote"
    PIN = "pin"
    UNPIN = "unpin"
    SUPPRESS = "suppress"
    UNSUPPRESS = "unsuppress"
    FORGET = "forget"
    RESTORE = "restore"


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the table.

    changes_authority: the verb makes or unmakes a fact, so it needs the right `facts`.
    changes_visibility: the verb hides or shows; on a fact that decides what agents obey, so it needs `facts` as well.
    """

    verb: Verb
    undo: Verb
    past: str
    meaning: str
    changes_authority: bool = False
    changes_visibility: bool = False


STEPS: dict[Verb, Step] = {
    step.verb: step
    for step in (
        Step(Verb.PROMOTE, Verb.DEMOTE, "Promoted", "Agents will treat this as a fact.", changes_authority=True),
        Step(
            Verb.DEMOTE,
            Verb.PROMOTE,
            "Demoted",
            "Agents will weigh this against other context.",
            changes_authority=True,
        ),
        Step(Verb.PIN, Verb.UNPIN, "Pinned", "It stays on top and never goes stale."),
        Step(Verb.UNPIN, Verb.PIN, "Unpinned", "It ages like any other memory."),
        Step(
            Verb.SUPPRESS,
            Verb.UNSUPPRESS,
            "Suppressed",
            "Agents will not see it until you lift this.",
            changes_visibility=True,
        ),
        Step(Verb.UNSUPPRESS, Verb.SUPPRESS, "Unsuppressed", "Agents can recall it again.", changes_visibility=True),
        Step(
            Verb.FORGET,
            Verb.RESTORE,
            "Forgotten",
            "It appears in no recall, context or answer.",
            changes_visibility=True,
        ),
        Step(Verb.RESTORE, Verb.FORGET, "Restored", "Agents can recall it again.", changes_visibility=True),
    )
}


def needs_facts_right(verb: Verb, *, kind: str) -> bool:
    """Whether the verb needs the right `facts`: it decides what is authoritative."""
    step = STEPS[verb]
    return step.changes_authority or (step.changes_visibility and kind == "fact")
