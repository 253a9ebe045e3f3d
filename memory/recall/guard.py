"""The recall guard: a layer of recall that fails is left out, and the turn goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")

log = logging.getLogger(__name__)


def run_layer(layer: str, work: Callable[[], Found], **ids: object) -> Found | None:
    """Return what a layer of recall finds; None where it fails, of which the log has the kind of the cause, and `ids`.

    Here alone an error is not caught by its name. A layer reaches into PostgreSQL, Redis, an embedder of anybody's
    making and rows of every age: a list of what it may raise would be wrong the first time that it matters, and the
    promise is that no layer breaks a turn, also when the cause is a mistake of ours.
    """
    try:
        return work()
    except Exception as error:  # noqa: BLE001  # see above
        of = "".join(f" {name}={value}" for name, value in ids.items())
        log.warning("layer_left_out layer=%s%s cause=%s", layer, of, type(error).__name__)
        return None
