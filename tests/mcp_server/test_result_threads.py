"""Where the answers of tools are made."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from mcp.server.mcpserver.utilities import func_metadata
from mcp_types import TextContent

from tests.cast import assemble_cast
from tests.mcp_server.serving import door_served, in_session


@pytest.mark.django_db(transaction=True)
def test_the_text_of_a_result_is_made_in_the_thread_of_the_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not in the event loop, where all others would wait for an answer of megabytes."""
    convert, in_a_loop = func_metadata._convert_to_content, []

    def converted(result: Any) -> Any:
        in_a_loop.append(asyncio._get_running_loop() is not None)
        return convert(result)

    monkeypatch.setattr(func_metadata, "_convert_to_content", converted)
    secret = assemble_cast().acme.secret
    with door_served() as address:
        result = in_session(address, secret, lambda client: client.call_tool("workspace_memory_status", {}))

    assert in_a_loop == [False]
    [said] = result.content
    assert isinstance(said, TextContent)
    assert json.loads(said.text) == result.structured_content
