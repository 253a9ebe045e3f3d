"""The question that a sentence answers, with what is needed to understand it. Pure; English."""

from __future__ import annotations

from dataclasses import replace

from core.english.salience import salience
from memory.episodes.question_pairs import AskedQuestion, find_question
from memory.episodes.reference_resolution import PICTURE
from memory.episodes.sentence_analysis import is_generic
from memory.episodes.statement_leads import without_names
from memory.episodes.statement_turns import SpokenMessage
from memory.episodes.unresolved_references import asks_of_others, is_vague_question, points_at_thing
from memory.episodes.untold_things import find_untold

ANSWER_WITHIN = 2  # sentences, the thanks for asking included
MIN_SALIENCE = 0.6  # of a sentence that leans on another one


def find_answered_question(turn: SpokenMessage, said: str) -> AskedQuestion | None:
    """Return the question that a sentence answers, as it can be understood; None if there is none."""
    begin = " ".join(turn.blocks.sentences[:ANSWER_WITHIN])
    asked = find_question(turn.questions, said, said=begin, names=turn.names)
    if asked is None:
        return None
    text, lead = (without_names(turn, each) for each in (asked.text, asked.lead))
    is_told = (
        lead
        and not is_vague_question(lead)
        and not is_generic(lead)
        and salience(lead) > MIN_SALIENCE
        and not (turn.is_of_people and find_untold(lead))
        and not _is_open(turn, asked, known=lead)
    )
    if not (_is_open(turn, asked) or points_at_thing(text)):
        untold = find_untold(text) if turn.is_of_people else None
        if untold and not is_told and PICTURE.search(untold.words):
            return None
        return asked if is_told and untold else replace(asked, lead="")
    return asked if is_told else None


def _is_open(turn: SpokenMessage, asked: AskedQuestion, *, known: str = "") -> bool:
    """Return whether a question has only a pronoun for what it is about."""
    is_of_others = turn.is_of_people and asks_of_others(asked.text, known=known, asked=turn.speakers.speaker)
    return is_of_others or is_vague_question(without_names(turn, asked.text), known=known)
