"""What doors read and answer of sequences, field by field."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Self

from core.http.schemas import DETAIL, IdText, MomentText, ResponseSchema, attribute
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
    failure_count: Annotated[int, DETAIL]
    duration_ms: Annotated[int, DETAIL]
    intent_summary: str = attribute("intent", "summary")
    started_at: MomentText
    ended_at: Annotated[MomentText, DETAIL]


class SequenceWithActionsResponse(SequenceResponse):
    """The same with its actions in order."""

    actions: list[ActionResponse]

    @classmethod
    def of_actions(cls, sequence: Sequence, actions: Iterable[Action]) -> Self:
        """Return a sequence with its actions."""
        listed = [ActionResponse.of(action) for action in actions]
        return cls.model_construct(**dict(SequenceResponse.of(sequence)), actions=listed)
