"""Turning text into vectors: one port, a local model, a remote endpoint, or honestly nothing."""

from core.embedding.errors import (
    EmbedderDamagedError,
    EmbedderError,
    EmbedderMisconfiguredError,
    EmbedderNotInstalledError,
    EmbedderOffError,
    EmbedderUnavailableError,
    EmbeddingFailedError,
)
from core.embedding.factory import build_embedder, default_embedder, embedder_unavailable
from core.embedding.local import OnnxEmbedder
from core.embedding.port import Embedder, Vector
from core.embedding.query_cache import CachedQueries
from core.embedding.query_embedding import QueryVector, begin_query_vector, query_vector, run_in_query_thread
from core.embedding.remote import HttpEmbedder

__all__ = [
    "CachedQueries",
    "Embedder",
    "EmbedderDamagedError",
    "EmbedderError",
    "EmbedderMisconfiguredError",
    "EmbedderNotInstalledError",
    "EmbedderOffError",
    "EmbedderUnavailableError",
    "EmbeddingFailedError",
    "HttpEmbedder",
    "OnnxEmbedder",
    "QueryVector",
    "Vector",
    "begin_query_vector",
    "build_embedder",
    "default_embedder",
    "embedder_unavailable",
    "query_vector",
    "run_in_query_thread",
]
