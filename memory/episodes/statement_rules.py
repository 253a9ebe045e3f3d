"""Statements drawn from messages by rules: in the third person, with dates resolved. Pure; English."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from core.english.message_markup import without_number
from core.english.salience import salience
from core.text import asks_for_secret, gives_secret_away, lexemes
from core.text.transcripts import TranscriptTurn, quotable
from memory.episodes.drawn_statement import MAX_CHARACTERS, DrawnStatement, finish_statement, retell_item
from memory.episodes.statement_kinds import classify
from memory.episodes.statement_prose import draw_prose
from memory.episodes.statement_suggestions import DRAFTED, draw_suggestions
from memory.episodes.statement_turns import SpokenMessage, read_messages

WORTH_OF_NEW, MIN_WORTH_OF_NEW = 0.3, 1.0


def draw_candidates(messages: Sequence[TranscriptTurn]) -> list[DrawnStatement]:
    """Return everything that could be kept of messages of one conversation, in their order."""
    drawn: list[DrawnStatement] = []
    said: set[str] = set()
    # Secrets are taken out first: a statement may begin with one in a capital, which then looks like none.
    for turn in read_messages(quotable(messages)):
        mine = list(_prefer_new([*_lists(turn), *draw_prose(turn)], said))
        if turn.role == "user" and turn.place and asks_for_secret(messages[turn.place - 1].content):
            mine = mine[1:]  # the answer
        drawn.extend(each for each in mine if not gives_secret_away(each.text))
        said.update(lexemes(messages[turn.place].content))
    return drawn


def _prefer_new(drawn: Sequence[DrawnStatement], said: Collection[str]) -> Iterator[DrawnStatement]:
    """Yield the statements of a message; the first that brings words of its own is worth more than comments on it."""
    is_found = len(drawn) < 2  # alone it has no comment
    for each in drawn:
        is_new = not is_found and each.worth >= MIN_WORTH_OF_NEW and not set(lexemes(each.text)) <= set(said)
        is_found = is_found or is_new
        yield replace(each, worth=each.worth + WORTH_OF_NEW) if is_new else each


def _lists(turn: SpokenMessage) -> Iterator[DrawnStatement]:
    if turn.role == "assistant":
        yield from draw_suggestions(turn)
        return
    for block in turn.blocks.lists:
        if DRAFTED.match(without_number(block.heading)):
            continue
        heading = f" {without_number(block.heading)}" if block.heading else ""
        yield from _group_items(turn, f"{turn.speakers.speaker} listed{heading}: ", block.items)


def _group_items(turn: SpokenMessage, lead: str, items: Sequence[str]) -> Iterator[DrawnStatement]:
    """Yield the items of a list as few statements."""
    group: list[str] = []
    for item in [*items, ""]:
        if group and (not item or len(lead) + sum(map(len, group)) + len(item) > MAX_CHARACTERS - 20):
            text = lead + "; ".join(group)
            yield finish_statement(turn, text, kind=classify(text), worth=salience(text) + 0.2, confidence=0.6)
            group = []
        group.append(retell_item(turn, item))
