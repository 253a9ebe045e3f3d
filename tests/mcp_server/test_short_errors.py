"""What the MCP server refuses, it does not send back at length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.cast import Cast, assemble_cast
from tests.mcp_server.serving import door_served


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def address(cast: Cast) -> Iterator[str]:
    with door_served() as address:
        yield address


@pytest.mark.parametrize(
    ("method", "params"), [("x" * 100_000, {}), ("resources/read", {"uri": "memory://" + "x" * 100_000})]
)
def test_errors_do_not_repeat_what_was_sent_at_length(
    address: str, cast: Cast, method: str, params: dict[str, Any]
) -> None:
    headers = {"Authorization": f"Bearer {cast.acme.secret}", "Accept": "application/json, text/event-stream"}
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}

    answer = httpx.post(address, json=call, headers=headers)

    assert "error" in answer.json()
    assert len(answer.content) < 2_000
