"""Giving messages their vectors, in the background, one batch at a time."""

from __future__ import annotations

from uuid import UUID

from django.db.models import OuterRef, Q, Subquery, TextField, Value
from django.db.models.functions import Coalesce

from conversations.models import Message, MessageEmbedding
from core.embedding import Embedder, default_embedder
from core.stores.claims import WHOLE, WorkTurn
from workspaces.access.callers import Caller, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import memory_settings

BATCH = 32


def embed_pending(*, workspace_id: UUID, most: int, turn: WorkTurn = WHOLE) -> int:
    """Embed up to `most` messages that have no vector of the current model; answer how many got one.

    Nothing happens without an embedder, or while `memory.embed_messages` is off. The model runs outside of any
    transaction; a message that is deleted meanwhile gets no vector. Raises EmbedderError.
    """
    embedder = default_embedder()
    caller = system_caller(workspace_id, "embedding")
    if embedder is None or not _is_wanted(caller):
        return 0
    done = 0
    while done < most and not turn.is_over and (waiting := _waiting(caller, turn, min(BATCH, most - done))):
        _store(caller, embedder, waiting)
        done += len(waiting)
    return done


def is_pending(*, workspace_id: UUID) -> bool:
    """Whether messages wait for their vectors."""
    with workspace_scope(system_caller(workspace_id, "embedding")):
        return Message.objects.filter(workspace_id=workspace_id, needs_embedding=True).exists()


def mark_other_models(*, workspace_id: UUID) -> int:
    """Queue every message whose vector was made by another model than the current one; answer how many."""
    embedder = default_embedder()
    if embedder is None:
        return 0
    with workspace_scope(system_caller(workspace_id, "embedding")):
        stale = MessageEmbedding.objects.filter(workspace_id=workspace_id).exclude(model=embedder.model)
        return Message.objects.filter(workspace_id=workspace_id, id__in=stale.values("message_id")).update(
            needs_embedding=True
        )


def _is_wanted(caller: Caller) -> bool:
    with workspace_scope(caller):
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).first()
        return workspace is not None and memory_settings(workspace).embed_messages


def _waiting(caller: Caller, turn: WorkTurn, most: int) -> list[tuple[UUID, str]]:
    """Ids and texts. A short answer means little alone, so each message is read with the one before it."""
    before = (
        Message.objects.filter(conversation=OuterRef("conversation"), session=OuterRef("session"))
        .filter(Q(created_at__lt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), id__lt=OuterRef("id")))
        .newest_first()
        .values("content")[:1]
    )
    with workspace_scope(caller):
        waiting = (
            Message.objects.of(caller)
            .filter(needs_embedding=True)
            .annotate(before=Coalesce(Subquery(before), Value(""), output_field=TextField()))
            .order_by(turn.order)
            .values_list("id", "name", "content", "before")[:most]
        )
        return [(identity, _passage(*texts)) for identity, *texts in waiting]


def _passage(name: str, content: str, before: str) -> str:
    return f"{name}: {content}\n{before}".removeprefix(": ").strip()


def _store(caller: Caller, embedder: Embedder, waiting: list[tuple[UUID, str]]) -> None:
    vectors = embedder.embed_passages([text for _, text in waiting])
    by_id = dict(zip((identity for identity, _ in waiting), vectors, strict=True))
    with workspace_scope(caller):
        there = Message.objects.of(caller).filter(id__in=by_id).order_by("id")
        kept = list(there.select_for_update().values_list("id", flat=True))
        MessageEmbedding.objects.bulk_create(
            [
                MessageEmbedding(
                    workspace_id=caller.workspace_id,
                    message_id=identity,
                    model=embedder.model,
                    dimensions=embedder.dimensions,
                    vector=by_id[identity],
                )
                for identity in kept
            ],
            update_conflicts=True,
            unique_fields=["message"],
            update_fields=["model", "dimensions", "vector", "created_at"],
        )
        Message.objects.filter(id__in=kept).update(needs_embedding=False)
