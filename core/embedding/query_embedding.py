"""The vector of a query: made outside of transactions, in parallel with other work, and by a model that may be
missing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache, partial
from uuid import UUID

from core.embedding.errors import EmbedderError
from core.embedding.factory import default_embedder
from core.embedding.port import Vector


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query as the model that made it sees it; compared with vectors of the same model only.

    `is_of_workspace` where that model is of the workspace's own: its vectors are in another table than the server's.
    """

    model: str
    values: Vector
    is_of_workspace: bool = False


def begin_query_vector(query: str, *, partition: UUID) -> Future[QueryVector | None]:
    """Start `query_vector` in another thread, so that a caller can ask the database meanwhile."""
    return run_in_query_thread(partial(query_vector, query, partition=partition))


def run_in_query_thread(make: Callable[[], QueryVector | None]) -> Future[QueryVector | None]:
    """Start making a query's vector in one of the few threads for it."""
    run = copy_context().run  # with the id of the request, for the log
    return _threads().submit(run, make)


def query_vector(query: str, *, partition: UUID) -> QueryVector | None:
    """Return the query's vector, or None when no embedder is there or answers.

    It is cached for the `partition` alone, the caller's: others would notice by the time of an answer what was asked.
    """
    embedder = default_embedder()
    if embedder is None:
        return None
    try:
        return QueryVector(embedder.model, embedder.embed_query(query, partition=partition))
    except EmbedderError:
        return None


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=16, thread_name_prefix="query-vector")
