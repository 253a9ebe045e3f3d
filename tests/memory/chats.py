"""What people say, for tests of what becomes a memory or a statement of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from memory.episodes.statement_rules import draw_candidates
from memory.extraction.rules import extract_by_rules


@dataclass(frozen=True)
class Said:
    content: str
    role: str = "user"
    name: str = ""
    created_at: datetime = datetime(2026, 10, 8, 9, tzinfo=UTC)


def memories(*said: str) -> list[str]:
    return [each.content for each in extract_by_rules([Said(each) for each in said])]


def statements(*said: str) -> list[str]:
    """Return what could be kept of messages of a user that an assistant answers in few words."""
    talk = [each for content in said for each in (Said(content), Said("Noted.", "assistant"))]
    return [each.text for each in draw_candidates(talk) if each.speaker == "user"]


def between_people(*said: str) -> list[str]:
    """Return what could be kept of a talk of Ann and Ben, in turn."""
    talk = [Said(each, name="Ben" if place % 2 else "Ann") for place, each in enumerate(said)]
    return [each.text for each in draw_candidates(talk)]
