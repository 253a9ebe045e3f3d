"""An embedder that asks a workspace's own model: within its budget, at its address, a recorded call each time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

from cachetools import LRUCache
from django.conf import settings

from core.embedding import CachedQueries, Embedder, EmbeddingFailedError, Vector
from core.text import encodable
from core.text.tokens import trim_to_tokens
from llm.call_kinds import CallKind
from llm.configuration.budget import Prices
from llm.configuration.selectors import ResolvedModel
from llm.configuration.services import TASK_SHARE, resolve_target
from llm.models import ModelProvider, WorkspaceEmbedder
from llm.providers.embeddings import MAX_TEXTS, Vectors, request_vectors
from llm.providers.errors import ModelBrokenAnswerError, ModelError
from llm.providers.types import Answer, Prompt, PromptMessage
from llm.usage.services import record_call
from workspaces.access.callers import Caller, maintenance_caller

MAX_TOKENS = 8_000
# A caller waits for a query's vector; without it the search goes by words.
QUERY_SECONDS = 1.0
# Shorter than the leases of the work, so that two workers do not ask for the same vectors, and than a task may take, so
# that a model that hangs is noted instead of ending the worker.
LONGEST_BATCH_SECONDS = min(100.0, TASK_SHARE * settings.TASK_TIMEOUT_SECONDS)
# Vectors of recent queries, of the workspaces that asked last: 32 times 32 of 1,536 numbers are 50 MB.
CACHED_WORKSPACES, CACHED_QUERIES = 32, 32

_cached: LRUCache[tuple[UUID, Any, Any], Embedder] = LRUCache(maxsize=CACHED_WORKSPACES)
_lock = Lock()


@dataclass(frozen=True, slots=True)
class ProviderEmbedder:
    """An embedder of a workspace's own. Raises EmbeddingFailedError with a sentence that holds nothing of the text."""

    workspace_id: UUID
    row: WorkspaceEmbedder

    @property
    def model(self) -> str:
        return self.row.vector_model

    @property
    def dimensions(self) -> int:
        return self.row.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Return vectors for the background's work, which stops first when the budget runs low."""
        return [
            vector
            for start in range(0, len(texts), MAX_TEXTS)
            for vector in self._embed(texts[start : start + MAX_TEXTS], background=True, seconds=LONGEST_BATCH_SECONDS)
        ]

    def embed_query(self, text: str, *, partition: UUID | None = None) -> Vector:
        """Return the vector of a query, within a second."""
        return self._embed([text], background=False, seconds=QUERY_SECONDS)[0]

    def _embed(self, texts: Sequence[str], *, background: bool, seconds: float) -> list[Vector]:
        if self.row.provider is None:  # it was retired a moment ago
            raise EmbeddingFailedError("This embedding model was replaced. Search again.")
        try:
            made = embed_texts(
                caller=maintenance_caller(self.workspace_id, "embedding"),
                choice=resolve_model(self.row.provider, self.row),
                texts=texts,
                dimensions=self.dimensions,
                background=background,
                seconds=seconds,
            )
        except ModelError as error:
            raise EmbeddingFailedError(error.detail) from None
        return made.values


def workspace_embedder(workspace_id: UUID, row: WorkspaceEmbedder) -> Embedder:
    """Return the embedder for a workspace's own model, which keeps the vectors of a few recent queries."""
    # A provider that was changed has another key or address, and a model that is chosen again another price.
    key = (row.id, row.input_price, row.provider and row.provider.updated_at)
    with _lock:
        if key not in _cached:
            _cached[key] = CachedQueries(ProviderEmbedder(workspace_id, row), size=CACHED_QUERIES)
        return _cached[key]


def resolve_model(provider: ModelProvider, row: WorkspaceEmbedder) -> ResolvedModel:
    """Return what the router calls a model, for one that makes vectors: it has no output to pay for."""
    return ResolvedModel(provider, row.model, Prices(input=row.input_price))


def embed_texts(
    *,
    caller: Caller,
    choice: ResolvedModel,
    texts: Sequence[str],
    dimensions: int = 0,
    background: bool,
    seconds: float = LONGEST_BATCH_SECONDS,
) -> Vectors:
    """Return the vectors of 1 to 64 texts, recorded as one call. Waits for `seconds`, at most for the provider's time.

    With `dimensions`, vectors of another length are refused. Raises a child of ModelError, and
    ModelInsideTransactionError when the caller has a transaction open.
    """
    # Endpoints refuse the whole batch for one text that is too long, or empty.
    given = [trim_to_tokens(encodable(text), limit=MAX_TOKENS) or " " for text in texts]
    prompt = Prompt("", tuple(PromptMessage("user", text) for text in given))
    with record_call(
        caller=caller, kind=CallKind.EMBED, prompt=prompt, choice=choice, background=background
    ) as recording:
        target = resolve_target(choice)
        made = request_vectors(target, given, seconds=min(seconds, target.timeout_seconds))
        recording.meter.add(prompt, Answer("", "stop", input_tokens=made.tokens))
        recording.meter.last = f"{len(texts)} vectors of {made.dimensions:,} dimensions"
        if dimensions and made.dimensions != dimensions:
            raise ModelBrokenAnswerError(
                f"'{choice.name}' made {made.dimensions:,} dimensions where it made {dimensions:,} before. "
                "Choose it again, so that all vectors are made again."
            )
    return made
