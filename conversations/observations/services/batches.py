"""Storing drawn observations, and reading them back as such."""

from __future__ import annotations

from collections.abc import Sequence

from conversations.models import Observation, ObservationBatch
from conversations.observations.drawn_observations import DrawnObservation
from conversations.observations.kinds import ObservationKind
from workspaces.access.callers import Caller


def store_observations(*, caller: Caller, batch: ObservationBatch, drawn: Sequence[DrawnObservation]) -> None:
    """Store the observations of a batch, in an open scope."""
    Observation.objects.bulk_create(
        Observation(
            workspace_id=caller.workspace_id,
            conversation_id=batch.conversation_id,
            batch=batch,
            position=position,
            kind=each.kind,
            text=each.text,
            observed_at=each.observed_at,
            tokens=each.tokens,
            source_message_ids=list(each.source_message_ids),
        )
        for position, each in enumerate(drawn, start=1)
    )


def read_drawn(observation: Observation) -> DrawnObservation:
    """Return a stored observation as it was drawn."""
    return DrawnObservation(
        ObservationKind(observation.kind),
        observation.text,
        observation.observed_at,
        tuple(observation.source_message_ids),
    )
