"""Which of a workspace's choices answers: the most specific one of the tier. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from llm.call_kinds import Level, Tier

BREADTH = {level: breadth for breadth, level in enumerate(Level)}


class Choice(Protocol):
    """Anything that names a model for a tier at a level."""

    level: str
    subject: str
    tier: str


C = TypeVar("C", bound=Choice)


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What one request names for itself: a tier, or one of the workspace's models by name. Empty: as configured."""

    tier: Tier | None = None
    model: str = ""


def most_specific(
    choices: Iterable[C], *, tier: Tier, agent: str | None = None, conversation: str | None = None
) -> C | None:
    """Return the choice that answers; None when there is none.

    The conversation's comes before the agent's, that before the workspace's. A tier without a chosen model is
    answered by the other tier's model: one choice is enough to start.
    """
    subjects = {Level.WORKSPACE: "", Level.AGENT: agent, Level.CONVERSATION: conversation}

    def distance(choice: C) -> tuple[bool, int]:
        level = Level(choice.level)
        is_elsewhere = choice.subject != subjects[level]
        return (choice.tier != tier, len(BREADTH) if is_elsewhere else BREADTH[level])

    return min(choices, key=distance, default=None)
