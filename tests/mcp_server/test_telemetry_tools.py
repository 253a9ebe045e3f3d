"""Telemetry over MCP: calls that are captured, and a search that is narrowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp.client.client import Client

from telemetry.actions.outcomes import Outcome
from tests.cast import Cast, RestClient
from tests.mcp_server.test_door import Work, address, agent, called, cast, refused, structured
from tests.telemetry.acting import action, record, sequenced, with_memory_on
from tests.telemetry.test_injecting import known_pattern

__all__ = ["address", "agent", "cast"]  # fixtures
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_search_of_telemetry_is_narrowed_to_an_outcome_and_an_agent(
    agent: Callable[[Work], Any], acme: RestClient, cast: Cast
) -> None:
    with_memory_on(cast.acme)
    record(
        cast.acme,
        action(0, session="a", agent="clerk"),
        action(0, Outcome.FAILURE, session="b", agent="clerk", error_code="timeout"),
        action(0, Outcome.FAILURE, session="c", agent="cook", error_code="timeout"),
    )
    sequenced(cast.acme)
    known_pattern(cast.acme, error_code="timeout")

    async def look(client: Client) -> Any:
        async def sessions(**narrow: str) -> list[str]:
            found = structured(await client.call_tool("memory.search", narrow))
            return sorted([one["session"] for one in found["sequences"]]) + [one["id"] for one in found["patterns"]]

        assert len(await sessions()) == 4
        assert await sessions(outcome="failure") == ["b", "c"]
        assert await sessions(agent="clerk") == ["a", "b"]
        assert await sessions(agent="clerk", outcome="failure", error_code="timeout") == ["b"]
        wrong = {"kind": "patterns", "agent": "clerk"}
        assert "Patterns have no" in refused(await client.call_tool("memory.search", wrong))

    agent(look)


def test_a_call_with_invalid_arguments_is_captured_as_a_failure(agent: Callable[[Work], Any], acme: RestClient) -> None:
    acme.post("memory/enable")

    agent(called("memory.recall", query="tea", limit=100_000))
    agent(called("ontology.search"))
    agent(called("ontology.neighbours", node_id="my-card-is-4111"))
    agent(called("memory.search", limit=100_000))  # about telemetry, which is not captured

    actions = [one for one in acme.get("actions").json()["results"] if "." in one["tool"]]
    assert [(one["tool"], one["node_type"], one["outcome"], one["error_code"], one["node_ids"]) for one in actions] == [
        ("ontology.neighbours", "node", "failure", "invalid", []),
        ("ontology.search", "node", "failure", "invalid", []),
        ("memory.recall", "memory", "failure", "invalid", []),
    ]
