"""A statement drawn from a message, and how its text is tidied. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.english.reported_speech import retell
from core.english.sentences import capitalize
from core.text.email_addresses import mask_email_addresses
from core.text.tokens import count_tokens
from memory.episodes.statement_kinds import StatementKind
from memory.episodes.statement_turns import SpokenMessage, absolute, cut_to_clauses

MAX_CHARACTERS = 420
# What a sentence ends with, in Chinese and Japanese as well.
ENDS = ".!?…。！？"


@dataclass(frozen=True, slots=True)
class DrawnStatement:
    """A statement of the message at `source`; `worth` orders it among the others.

    One that `is_lasting` says what stays true of its speaker, or binds; one that `is_telling` more than what they did:
    "My niece moves to Bari", and not "I bought figs".
    """

    text: str
    kind: StatementKind
    said_at: datetime
    speaker: str
    confidence: float
    source: int
    worth: float
    is_lasting: bool = False
    is_telling: bool = False

    @property
    def tokens(self) -> int:
        """What the statement costs in a context."""
        return count_tokens(self.text)


def finish_statement(
    turn: SpokenMessage, text: str, *, kind: StatementKind, worth: float, confidence: float
) -> DrawnStatement:
    """Return the statement of a message with this text, which ends as a sentence does."""
    shown = cut_to_clauses(mask_email_addresses(text).strip(" ,;:-–"), limit=MAX_CHARACTERS).rstrip(" ,;:-–")
    if shown.count('"') % 2:
        begin, _, end = shown.rpartition('"')
        is_cut_inside = text.count('"') % 2 == 0
        shown = begin + end if is_cut_inside else shown.replace('"', "")
    shown = capitalize(shown)
    if shown[-1:] not in {*ENDS, '"'}:
        shown += "."
    return DrawnStatement(
        shown,
        kind,
        turn.said_at,
        turn.speakers.speaker.removeprefix("the "),
        confidence,
        turn.place,
        worth,
    )


def retell_item(turn: SpokenMessage, item: str) -> str:
    """Return an item of a list as a statement quotes it."""
    return absolute(retell(item, speakers=turn.speakers, is_introduced=True), turn.said_at)
