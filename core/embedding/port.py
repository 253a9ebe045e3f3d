"""What the product asks of anything that turns text into vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

Vector = list[float]


class Embedder(Protocol):
    """Makes vectors of unit length, so that their dot product is their cosine.

    Raises `EmbedderError`, whose message never holds the text. Safe to share between threads. Long texts
    are cut to what the model reads.
    """

    @property
    def model(self) -> str:
        """The name kept next to every vector; vectors of two names are never compared."""

    @property
    def dimensions(self) -> int:
        """The length of every vector."""

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of what can be found, in the order of the texts."""

    def embed_query(self, text: str, *, partition: UUID | None = None) -> Vector:
        """Return the vector of a query; some models embed a question differently.

        `partition` is for whom a cache may keep it; a model does not look at it.
        """
