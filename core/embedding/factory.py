"""The embedder that the settings choose, one for the process."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from core.embedding.errors import EmbedderMisconfiguredError, EmbedderOffError, EmbedderUnavailableError
from core.embedding.local import OnnxEmbedder
from core.embedding.model_files import LocalModel, bundled_model, model_in_folder
from core.embedding.port import Embedder
from core.embedding.query_cache import CachedQueries
from core.embedding.remote import HttpEmbedder

_lock = Lock()


def default_embedder() -> Embedder | None:
    """Return the embedder of this process, or None where there is none; `embedder_unavailable()` then says why."""
    outcome = _outcome()
    return None if isinstance(outcome, EmbedderUnavailableError) else outcome


def embedder_unavailable() -> EmbedderUnavailableError | None:
    """Return why there is no embedder: a code and a sentence for people. None where there is one."""
    outcome = _outcome()
    return outcome if isinstance(outcome, EmbedderUnavailableError) else None


def build_embedder(config: Mapping[str, Any]) -> Embedder:
    """Return the embedder that `settings.EMBEDDER` describes.

    With the `source` "none" there is none; else `url` names an endpoint, and without it `source` is "bundled" or a
    folder. Raises `EmbedderUnavailableError` when it could never work; the model itself is loaded at the first text.
    """
    if config["source"] == "none":
        raise EmbedderOffError
    if config["url"]:
        remote = HttpEmbedder(
            url=config["url"], model=config["model"], dimensions=config["dimensions"], api_key=config["api_key"]
        )
        return CachedQueries(remote)
    return CachedQueries(OnnxEmbedder(_local_model(config), threads=config["threads"]))


def _local_model(config: Mapping[str, Any]) -> LocalModel:
    if config["source"] != "bundled":
        return model_in_folder(folder=Path(config["source"]), dimensions=config["dimensions"])
    model = bundled_model()
    if model.dimensions != config["dimensions"]:
        raise EmbedderMisconfiguredError(
            f"The bundled model makes {model.dimensions} dimensions: set EMBEDDER_DIMENSIONS={model.dimensions}."
        )
    return model


def _outcome() -> Embedder | EmbedderUnavailableError:
    from django.conf import settings

    # Under a lock, since two threads of a starting server would otherwise build, and later load, two of them.
    with _lock:
        return _build_embedder(tuple(sorted(settings.EMBEDDER.items())))


@lru_cache(maxsize=1)
def _build_embedder(config: tuple[tuple[str, Any], ...]) -> Embedder | EmbedderUnavailableError:
    try:
        return build_embedder(dict(config))
    except EmbedderUnavailableError as unavailable:
        return unavailable
