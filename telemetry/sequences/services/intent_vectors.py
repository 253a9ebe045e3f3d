"""Giving intents their vectors, in the background; sequences of one intent share one."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Exists, OuterRef

from core.embedding import default_embedder
from telemetry.models import Intent, Sequence
from workspaces.access.callers import system_caller
from workspaces.access.scope import workspace_scope

BATCH = 32
# A sequence that grows leaves the intents behind that it seemed to have at first.
IN_USE = Exists(Sequence.objects.filter(intent_id=OuterRef("id")))


def embed_pending(*, workspace_id: UUID, most: int) -> int:
    """Embed up to `most` intents that have no vector of the current model; answer how many got one.

    Without an embedder nothing happens. The model runs outside of any transaction. Raises EmbedderError.
    """
    embedder = default_embedder()
    if embedder is None:
        return 0
    caller, done = system_caller(workspace_id, "embedding"), 0
    while done < most:
        with workspace_scope(caller):
            waiting = Intent.objects.filter(workspace_id=workspace_id, needs_embedding=True).filter(IN_USE)
            intents = list(waiting.order_by("id").only("id", "summary")[: min(BATCH, most - done)])
        if not intents:
            break
        vectors = embedder.embed_passages([intent.summary for intent in intents])
        for intent, vector in zip(intents, vectors, strict=True):
            intent.model, intent.dimensions, intent.vector = embedder.model, embedder.dimensions, vector
            intent.needs_embedding = False
        with workspace_scope(caller):
            Intent.objects.bulk_update(intents, ["model", "dimensions", "vector", "needs_embedding"])
        done += len(intents)
    return done


def mark_other_models(*, workspace_id: UUID) -> int:
    """Queue every intent whose vector was made by another model than the current one; answer how many."""
    embedder = default_embedder()
    if embedder is None:
        return 0
    with workspace_scope(system_caller(workspace_id, "embedding")):
        done = Intent.objects.filter(workspace_id=workspace_id, needs_embedding=False)
        return done.exclude(model=embedder.model).update(needs_embedding=True)
