"""Giving items of the semantic tier their vectors, in the background, one batch at a time."""

from __future__ import annotations

from uuid import UUID

from core.embedding import Embedder, default_embedder
from memory.models import SlotItem, SlotTier
from workspaces.access.callers import Caller, system_caller
from workspaces.access.scope import workspace_scope

BATCH = 32


def embed_slots(*, workspace_id: UUID, most: int) -> int:
    """Embed up to `most` items that have no vector of the current model; answer how many got one.

    Nothing happens without an embedder. The model runs outside of any transaction; an item that is deleted meanwhile
    gets no vector. Raises EmbedderError.
    """
    embedder = default_embedder()
    if embedder is None:
        return 0
    caller = system_caller(workspace_id, "embedding")
    done = 0
    while done < most and (waiting := _waiting(caller, embedder, min(BATCH, most - done))):
        _store(caller, embedder, waiting)
        done += len(waiting)
    return done


def _waiting(caller: Caller, embedder: Embedder, most: int) -> list[tuple[UUID, str]]:
    with workspace_scope(caller):
        items = SlotItem.objects.of(caller).filter(slot__tier=SlotTier.SEMANTIC)
        return list(items.exclude(model=embedder.model).order_by("id").values_list("id", "text")[:most])


def _store(caller: Caller, embedder: Embedder, waiting: list[tuple[UUID, str]]) -> None:
    vectors = embedder.embed_passages([text for _, text in waiting])
    with workspace_scope(caller):
        for (identity, _), vector in zip(waiting, vectors, strict=True):
            SlotItem.objects.of(caller).filter(id=identity).update(model=embedder.model, vector=list(vector))
