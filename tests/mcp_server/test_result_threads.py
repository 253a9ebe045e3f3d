"""Where the answers of tools are made."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp_types import TextContent

from mcp_server import server
from mcp_server.registry import Tool
from tests.cast import assemble_cast
from tests.mcp_server.serving import door_served, in_session


@pytest.mark.django_db(transaction=True)
def test_the_text_of_a_result_is_made_in_the_thread_of_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not in the event loop, where all others would wait for an answer of megabytes."""
    render, in_a_loop = server._render, []

    def rendered(tool: Tool, result: Any) -> Any:
        in_a_loop.append(asyncio._get_running_loop() is not None)
        return render(tool, result)

    monkeypatch.setattr(server, "_render", rendered)
    secret = assemble_cast().acme.secret
    with door_served() as address:
        result = in_session(address, secret, lambda client: client.call_tool("workspace_memory_status", {}))

    assert in_a_loop == [False]
    [said] = result.content
    assert isinstance(said, TextContent)
    assert json.loads(said.text) == result.structured_content
