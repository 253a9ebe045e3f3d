"""The recall guard: a layer of recall that fails is left out, and the turn goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import Error as DatabaseError

from core.errors import ProductError
from core.thread_timeouts import DeadlineError

Found = TypeVar("Found")

log = logging.getLogger(__name__)


# What fails around us, as it is expected to now and then. Anything else is a mistake of ours.
OUTAGES = (DatabaseError, ProductError, OSError, DeadlineError)


def run_layer(layer: str, work: Callable[[], Found], **ids: object) -> Found | None:
    """Return what a layer of recall finds; None where it fails, of which the log has the kind of the cause, and `ids`.

    Here alone an error is not caught by its name. A layer reaches into PostgreSQL, Redis, an embedder of anybody's
    making and rows of every age: a list of what it may raise would be wrong the first time that it matters, and the
    promise is that no layer breaks a turn, also when the cause is a mistake of ours. Such a one is logged as an error
    with the place where it happened, and fails the test in which it happens.
    """
    try:
        return work()
    except Exception as error:  # see above
        of = "".join(f" {name}={value}" for name, value in ids.items())
        is_outage = isinstance(error, OUTAGES)
        log.log(
            logging.WARNING if is_outage else logging.ERROR,
            "layer_left_out layer=%s%s cause=%s",
            layer,
            of,
            type(error).__name__,
            exc_info=None if is_outage else error,
        )
        return None
