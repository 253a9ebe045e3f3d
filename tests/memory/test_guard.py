"""A layer that fails breaks no turn; a mistake of the product is logged as one, with its place and without values."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.db import OperationalError

from config.log_redaction import LineFormatter
from core.errors import UnavailableError
from memory.recall.guard import run_layer


@pytest.mark.parametrize(
    ("error", "level"),
    [
        (OperationalError("said secretly"), logging.WARNING),
        (OSError("said secretly"), logging.WARNING),
        (UnavailableError("said secretly"), logging.WARNING),
        (KeyError("said secretly"), logging.ERROR),
    ],
)
def test_a_layer_that_fails_is_left_out(
    error: Exception, level: int, caplog: pytest.LogCaptureFixture, recall_mistakes: list[str]
) -> None:
    def fail() -> Any:
        raise error

    assert run_layer("messages", fail, conversation=7) is None

    [record] = [each for each in caplog.records if each.name == "memory.recall.guard"]
    line = LineFormatter().format(record)
    assert (record.levelno, "said secretly" in line) == (level, False)
    assert f"layer_left_out layer=messages conversation=7 cause={type(error).__name__}" in line
    assert ("test_guard.py" in line) is (level == logging.ERROR)
    recall_mistakes.clear()
