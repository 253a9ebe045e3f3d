"""What the web server's log tells of a request."""

from __future__ import annotations

import logging

import pytest

from config.embedded.postgres import SETTINGS
from config.logs import WithoutQuery


@pytest.mark.parametrize("query", ["", "?q=our+secret+plan", "?q=a%3Fb?c"])
def test_a_line_for_a_request_ends_before_its_query_string(query: str) -> None:
    line = logging.LogRecord(
        "uvicorn.access",
        logging.INFO,
        __file__,
        1,
        '%s - "%s %s HTTP/%s" %d',
        ("127.0.0.1:5", "GET", f"/w/acme/memory{query}", "1.1", 200),
        None,
    )

    assert WithoutQuery().filter(line)

    assert line.getMessage() == '127.0.0.1:5 - "GET /w/acme/memory HTTP/1.1" 200'


def test_postgres_logs_neither_statements_nor_rows() -> None:
    assert (SETTINGS["log_min_error_statement"], SETTINGS["log_error_verbosity"]) == ("panic", "terse")
