"""Which embedding model a workspace's searches use, which one will follow, and where their vectors are."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from cachetools import TTLCache

from core.embedding import QueryVector
from llm.models import EmbedderStatus, WorkspaceEmbedder
from workspaces.access.callers import Caller
from workspaces.access.scope import reading_scope

# A process may go on with the former model for this long after a change; its vectors are kept for longer.
REMEMBERED, REMEMBERED_SECONDS = 10_000, 5.0

_active: TTLCache[UUID, WorkspaceEmbedder | None] = TTLCache(maxsize=REMEMBERED, ttl=REMEMBERED_SECONDS)
_lock = Lock()


@dataclass(frozen=True, slots=True)
class ChosenEmbedders:
    """The model whose vectors searches use, None for the server's, and the one whose vectors are being made."""

    active: WorkspaceEmbedder | None
    incoming: WorkspaceEmbedder | None

    @property
    def own(self) -> WorkspaceEmbedder | None:
        """The active model, where it is the workspace's own."""
        return None if self.active is None or self.active.is_of_server else self.active


def read_embedders(caller: Caller, *, lock: bool = False) -> ChosenEmbedders:
    """Return the workspace's models, for an open scope; `lock` keeps both as they are until its end."""
    chosen = WorkspaceEmbedder.objects.of(caller).exclude(status=EmbedderStatus.RETIRED).select_related("provider")
    if lock:
        chosen = chosen.order_by("id").select_for_update(of=("self",), no_key=True)
    found = {row.status: row for row in chosen}
    return ChosenEmbedders(found.get(EmbedderStatus.ACTIVE), found.get(EmbedderStatus.INCOMING))


def active_embedder(caller: Caller) -> WorkspaceEmbedder | None:
    """Return the workspace's own model if searches use it, and None for the server's. Up to five seconds old."""
    with _lock:
        if caller.workspace_id in _active:
            return _active[caller.workspace_id]
    with reading_scope(caller):
        found = read_embedders(caller).own
    with _lock:
        _active[caller.workspace_id] = found
    return found


def forget_active_embedder(workspace_id: UUID) -> None:
    """Have this process ask again; others do within five seconds."""
    with _lock:
        _active.pop(workspace_id, None)


def vectors_of_source(source: str, *, reference: str, model: str = "") -> str:
    """Return SQL for the vectors of one table by models of workspaces, in the columns of a table of its own.

    With a `model`, the vectors of that one. Both are names of ours and ids, never a caller's words.
    """
    only = f" AND model = '{UUID(model)}'" if model else ""
    return (
        f"(SELECT workspace_id, space_id, row_id AS {reference}, model, dimensions, vector "  # noqa: S608
        f"FROM workspace_embeddings WHERE source = '{source}'{only})"
    )


def name_vectors(vectors: str, *, source: str, reference: str, query: QueryVector | None) -> str:
    """Return the SQL name of what a query is compared with: the server's table, or the workspace's own vectors."""
    if query is None or not query.is_of_workspace:
        return vectors
    return vectors_of_source(source, reference=reference)
