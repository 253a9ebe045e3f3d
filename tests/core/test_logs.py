"""What the web server's log tells of a request."""

from __future__ import annotations

import logging

import pytest

from config.log_redaction import KnownWords
from embedded.postgres import SETTINGS

WORKSPACE = "/v1/workspaces/0191d3a8-7c1b-7f00-8a10-5d2f6b9c3e41"
MEMORY = "0191d3a8-7c1b-7f00-8a10-5d2f6b9c3e42"


def logged(path: str) -> str:
    line = logging.LogRecord(
        "uvicorn.access",
        logging.INFO,
        __file__,
        1,
        '%s - "%s %s HTTP/%s" %d',
        ("127.0.0.1:5", "GET", path, "1.1", 200),
        None,
    )
    assert KnownWords().filter(line)
    return line.getMessage()


@pytest.mark.parametrize("query", ["", "?q=our+secret+plan", "?q=a%3Fb?c"])
def test_a_line_for_a_request_ends_before_its_query_string(query: str) -> None:
    assert logged(f"/v1/workspaces{query}") == '127.0.0.1:5 - "GET /v1/workspaces HTTP/1.1" 200'


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/users/anna@example.org/memory", "/users/*/memory"),
        ("/users/anna%40example.org/memory", "/users/*/memory"),
        ("/conversations/call%20with%20Anna/messages", "/conversations/*/messages"),
        ("/conversations/a/b%2Fc/messages", "/conversations/*/messages"),
        ("/users/42/memory", "/users/*/memory"),
        ("/users/0191d3a8-7c1b-7f00-8a10-5d2f6b9c3e42/memory", "/users/*/memory"),
        ("/users/memories/memory", "/users/*/memory"),
        ("/users/memories/memory/", "/users/memories/memory/"),  # without a route: only our words
        ("/users/42/memory/", "/users/*/memory/"),
        ("/users/0191d3a8-7c1b-7f00-8a10-5d2f6b9c3e42/unknown", "/users/*/*"),
        ("/conversations/4711/window", "/conversations/*/window"),
        ("/slots/session/42/items", "/slots/*/*"),
        ("/nobody/knows/this", "/*/*/*"),
    ],
)
def test_a_line_for_a_request_has_no_names_that_callers_chose(path: str, told: str) -> None:
    path = path.replace("%2F", "/")  # so does uvicorn
    assert logged(f"{WORKSPACE}{path}") == f'127.0.0.1:5 - "GET {WORKSPACE}{told} HTTP/1.1" 200'


@pytest.mark.parametrize("path", ["/", "/healthz", "/mcp", "/static/js/app.js", f"{WORKSPACE}/memories/{MEMORY}"])
def test_a_line_for_a_request_has_the_words_of_its_route(path: str) -> None:
    assert logged(path) == f'127.0.0.1:5 - "GET {path} HTTP/1.1" 200'


def test_postgres_logs_neither_statements_nor_rows() -> None:
    assert (SETTINGS["log_min_error_statement"], SETTINGS["log_error_verbosity"]) == ("panic", "terse")
