"""Messages of people that tell something and of which no statement is left. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from core.english.lead_ins import strip_question
from core.english.message_markup import parse_blocks
from core.text.transcripts import TranscriptTurn
from memory.episodes.drawn_statement import DrawnStatement
from memory.episodes.sentence_analysis import is_talk, strip_leads


def find_untold(messages: Sequence[TranscriptTurn], drawn: Sequence[DrawnStatement]) -> list[int]:
    """Return the places of messages of people without a statement that are more than courtesies and questions."""
    told = {each.source for each in drawn}
    return [
        place
        for place, message in enumerate(messages)
        if message.role == "user" and place not in told and _tells(message.content)
    ]


def _tells(content: str) -> bool:
    blocks = parse_blocks(content)
    said = [strip_leads(each, names=()) for each in blocks.sentences]
    return bool(blocks.lists) or any(not is_talk(each) and not strip_question(each).endswith("?") for each in said)
