"""What doors read and answer of sequences, field by field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from core.http.schemas import IdText, MomentText, ResponseSchema, attribute
from telemetry.actions.schemas import ActionFilters, ActionResponse, OutcomeName
from telemetry.models import Action, Sequence


class SequencesQuery(ActionFilters):
    """The query string of `GET sequences`."""


class SequenceResponse(ResponseSchema):
    """Actions of one session that follow each other."""

    id: IdText
    session: str
    agent: str
    outcome: OutcomeName
    action_count: int
    failure_count: int
    duration_ms: int
    intent_summary: str = attribute("intent", "summary")
    started_at: MomentText
    ended_at: MomentText


class SequenceWithActionsResponse(SequenceResponse):
    """The same with its actions in order."""

    actions: list[ActionResponse]

    @classmethod
    def of_actions(cls, sequence: Sequence, actions: Iterable[Action]) -> Self:
        """Return a sequence with its actions."""
        listed = [ActionResponse.of(action) for action in actions]
        return cls.model_construct(**dict(SequenceResponse.of(sequence)), actions=listed)
