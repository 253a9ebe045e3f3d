"""Cache of the vectors of recent queries by partition: a page, its fragment and its next page ask the same one.

Workspaces, and callers that read other spaces, do not share entries, since the time of an answer would tell one what
another has asked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from threading import Lock
from uuid import UUID

from cachetools import LRUCache

from core.embedding.port import Embedder, Vector


class CachedQueries:
    """An embedder that keeps the vectors of the last `size` queries of this process, and none of their texts.

    What is asked without a partition is not kept.
    """

    def __init__(self, embedder: Embedder, *, size: int = 512) -> None:
        self._embedder = embedder
        self._lock = Lock()
        self._vectors: LRUCache[tuple[UUID, bytes], Vector] = LRUCache(maxsize=size)

    @property
    def model(self) -> str:
        return self._embedder.model

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return self._embedder.embed_passages(texts)

    def embed_query(self, text: str, *, partition: UUID | None = None) -> Vector:
        if partition is None:
            return self._embedder.embed_query(text)
        key = (partition, hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())
        with self._lock:
            if (known := self._vectors.get(key)) is not None:
                return list(known)
        vector = self._embedder.embed_query(text)  # outside the lock: a slow endpoint must not hold up the others
        with self._lock:
            self._vectors[key] = list(vector)
        return vector
