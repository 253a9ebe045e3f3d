"""A connection that a test leaves open is reported with the test that opened it."""

from __future__ import annotations

import gc
import warnings

import pytest

from tests.serving import serving_connection


@pytest.mark.django_db
def test_a_connection_that_is_left_open_names_its_test(capsys: pytest.CaptureFixture[str]) -> None:
    left_open = serving_connection()
    with serving_connection():
        pass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        del left_open
        gc.collect()

    reported = capsys.readouterr().err
    assert reported.count("A database connection was left open by ") == 1
    assert "test_a_connection_that_is_left_open_names_its_test" in reported
