"""The vector of a query, by the model whose vectors the caller's workspace is searched with."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from threading import Lock
from uuid import UUID

from cachetools import TTLCache

from core import embedding
from core.db.connections import release_connection
from core.embedding import Embedder, EmbedderError, QueryVector, Vector, default_embedder, run_in_query_thread
from llm.embedding.selectors import active_embedder
from llm.embedding.services.provider_embedder import workspace_embedder
from llm.models import WorkspaceEmbedder
from workspaces.access.callers import Caller

# After a failure a workspace's model is left alone for this long, so that searches do not wait for it one by one.
REST_SECONDS = 10.0

_resting: TTLCache[UUID, bool] = TTLCache(maxsize=10_000, ttl=REST_SECONDS)
_lock = Lock()


def begin_query_vector(query: str, *, caller: Caller) -> Future[QueryVector | None]:
    """Start `query_vector` in another thread, so that a caller can ask the database meanwhile."""
    own = active_embedder(caller)
    if own is None:
        return embedding.begin_query_vector(query, partition=caller.cache_partition)
    return run_in_query_thread(lambda: _ask_in_thread(own, query, caller))


def query_vector(query: str, *, caller: Caller) -> QueryVector | None:
    """Return the query's vector, or None when no embedder is there or answers. Never call it in a transaction.

    A workspace's own model is asked nowhere but at its own address, and the server's not in its stead: their vectors
    cannot be compared.
    """
    own = active_embedder(caller)
    if own is None:
        return embedding.query_vector(query, partition=caller.cache_partition)
    return _ask(own, query, caller)


def embed_for_comparison(texts: Sequence[str], *, caller: Caller) -> list[Vector] | None:
    """Return vectors that are compared with each other and not kept; None when no embedder is there or answers."""
    own = active_embedder(caller)
    embedder: Embedder | None = workspace_embedder(caller.workspace_id, own) if own else default_embedder()
    if embedder is None:
        return None
    try:
        return embedder.embed_passages(texts)
    except EmbedderError:
        return None


def _ask_in_thread(own: WorkspaceEmbedder, query: str, caller: Caller) -> QueryVector | None:
    try:
        return _ask(own, query, caller)
    finally:
        release_connection()  # which the record of the call took


def _ask(own: WorkspaceEmbedder, query: str, caller: Caller) -> QueryVector | None:
    with _lock:
        if own.id in _resting:
            return None
    embedder = workspace_embedder(caller.workspace_id, own)
    try:
        values = embedder.embed_query(query, partition=caller.cache_partition)
    except EmbedderError:
        with _lock:
            _resting[own.id] = True
        return None
    return QueryVector(own.vector_model, values, is_of_workspace=True)
