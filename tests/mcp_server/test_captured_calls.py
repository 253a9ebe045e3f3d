"""What telemetry keeps of calls over MCP, and finds again: the official client, real HTTP, a real key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.cast import RestClient
from tests.mcp_server.test_door import Work, address, agent, called, cast

__all__ = ["address", "agent", "cast"]  # fixtures
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_call_is_captured_with_the_node_that_it_opened(agent: Callable[[Work], Any], acme: RestClient) -> None:
    acme.post("memory/enable")
    known = acme.remembered("Dana works in Lisbon.")["id"]

    agent(called("memory.get", memory_id=known))
    agent(called("memory.get", memory_id=str(uuid4())))

    actions = [one for one in acme.get("actions").json()["results"] if one["tool"] == "memory.get"]
    assert [(one["outcome"], one["node_ids"]) for one in actions] == [("failure", []), ("success", [known])]


def test_an_action_keeps_one_name_of_a_tool_by_whichever_it_was_called(
    agent: Callable[[Work], Any], acme: RestClient
) -> None:
    acme.post("memory/enable")

    agent(called("memory.list"))
    agent(called("memory_list"))

    actions = [one for one in acme.get("actions").json()["results"] if one["tool"].endswith("list")]
    assert [one["tool"] for one in actions] == ["memory.list", "memory.list"]
