"""Loading what the first chat turn of a process would wait for, while no request waits."""

from __future__ import annotations

import gc
import logging
import time
from threading import Thread

from core.embedding import EmbedderError, default_embedder

log = logging.getLogger(__name__)

GARBAGE = 10_000


def start_warmup() -> None:
    """Load the embedding model and the library of models in a thread that the process does not wait for."""
    Thread(target=_load, name="warming-up", daemon=True).start()


def _load() -> None:
    from llm.models import ProviderKind
    from llm.providers.client import load_library

    began = time.perf_counter()
    try:
        if embedder := default_embedder():
            embedder.embed_query("")
    except EmbedderError as error:
        log.info("embedder_not_warm code=%s", error.code)
    # The language of most providers; the others' libraries are loaded with the first call, in about a second.
    load_library(ProviderKind.OPENAI)
    _spare_collections()
    log.info("warmed_up seconds=%.1f", time.perf_counter() - began)


def _spare_collections() -> None:
    """Look for cycles after 10,000 new objects instead of 700, and never again among those that stay: a request makes
    thousands that go with it, and looking took 1 to 6 % of its time."""
    gc.set_threshold(GARBAGE)
    gc.collect()
    gc.freeze()
