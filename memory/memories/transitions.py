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
    CLOSE = "close"
    REOPEN = "reopen"


@dataclass(frozen=True, slots=True)
class Transition:
    """One line of the table.

    changes_authority: the verb makes or unmakes a fact, so it needs the right `facts`.
    changes_visibility: the verb hides or shows; on a fact that decides what agents obey, so it needs `facts` as well.
    governs: the verb decides what people see first, or undoes a decision of theirs, so it needs `facts`.
    """

    verb: Verb
    undo: Verb
    past: str
    meaning: str
    changes_authority: bool = False
    changes_visibility: bool = False
    governs: bool = False


TRANSITIONS: dict[Verb, Transition] = {
    step.verb: step
    for step in (
        Transition(Verb.PROMOTE, Verb.DEMOTE, "Promoted", "Agents will treat this as a fact.", changes_authority=True),
        Transition(
            Verb.DEMOTE,
            Verb.PROMOTE,
            "Demoted",
            "Agents will weigh this against other context.",
            changes_authority=True,
        ),
        Transition(Verb.PIN, Verb.UNPIN, "Pinned", "It stays on top and never goes stale.", governs=True),
        Transition(Verb.UNPIN, Verb.PIN, "Unpinned", "It ages like any other memory.", governs=True),
        Transition(
            Verb.SUPPRESS,
            Verb.UNSUPPRESS,
            "Suppressed",
            "Contexts and the chat leave it out, with the messages it was drawn from, until you lift this.",
            changes_visibility=True,
        ),
        Transition(Verb.UNSUPPRESS, Verb.SUPPRESS, "Unsuppressed", "Agents can recall it again.", governs=True),
        Transition(
            Verb.FORGET,
            Verb.RESTORE,
            "Forgotten",
            "It appears in no recall, context or answer. What was said in conversations stays.",
            changes_visibility=True,
        ),
        Transition(Verb.RESTORE, Verb.FORGET, "Restored", "Agents can recall it again.", changes_visibility=True),
        Transition(
            Verb.CLOSE,
            Verb.REOPEN,
            "Closed",
            "It is no longer true, and stays in history.",
            changes_visibility=True,
        ),
        Transition(Verb.REOPEN, Verb.CLOSE, "Reopened", "It counts as true now.", changes_visibility=True),
    )
}


def needs_facts_right(verb: Verb, *, kind: str, is_pinned: bool = False) -> bool:
    """Return whether the verb needs the right `facts`: it decides what is authoritative, comes first, or was taken out.

    Hiding what was pinned, or showing it again, undoes a decision of those who govern it; forgetting it is refused for
    other reasons.
    """
    step = TRANSITIONS[verb]
    is_governed = kind == "fact" or (is_pinned and verb in {Verb.SUPPRESS, Verb.CLOSE, Verb.REOPEN})
    return step.changes_authority or step.governs or (step.changes_visibility and is_governed)
