"""Switching memory off in one process stops capture and warnings in every other, at once; rows stay readable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from ontology.models import Node
from ontology.nodes_and_edges.services.node_writer import NewNode, create_node
from telemetry.models import Action, Injection
from tests.awaiting import comes_true
from tests.cast import Cast, Household
from tests.telemetry.acting import reported
from tests.telemetry.test_injecting import known_pattern
from tests.web_process import web_process
from workspaces.access.scope import workspace_scope

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_off_in_one_process_is_off_in_all(cast: Cast) -> None:
    household = cast.acme
    known_pattern(household, error_code="rate_limited")
    with workspace_scope(household.caller):
        node = create_node(caller=household.caller, new=NewNode("invoice", name="Invoice 4711"))

    with web(household) as here, web(household) as there:
        switch(here, on=True)
        assert is_taken(there, node)
        there.get("memories/stale")
        wait_for(household, "GET memories/stale")

        switch(here, on=False)
        assert not is_taken(there, node)
        there.get("memories/pin-recommendations")
        assert len(there.get("actions").json()["results"]) >= 2
        assert len(there.get("patterns").json()["results"]) == 1

    # An orderly stop keeps what waits: had the call been captured, it would be here by now.
    with workspace_scope(household.caller):
        tools = set(Action.objects.values_list("tool", flat=True))
        assert Injection.objects.count() == 1
    assert "GET memories/pin-recommendations" not in tools


def is_taken(rest: httpx.Client, node: Node) -> bool:
    """Whether a process keeps a reported action and warns, both of which it must do or leave alone together."""
    kept = rest.post("actions", json={"actions": [reported()]}).json()["captured"]
    warning = rest.post("patterns/inject", json={"node_ids": [str(node.id)], "action_type": "tool_call"}).json()
    is_warned = bool(warning["patterns"]) or warning["held_out"]
    assert is_warned == bool(kept)
    return is_warned


def switch(rest: httpx.Client, *, on: bool) -> None:
    rest.put("settings", json={"memory": {"enabled": on}}).raise_for_status()


def wait_for(household: Household, tool: str) -> None:
    def is_captured() -> bool:
        with workspace_scope(household.caller):
            return Action.objects.filter(tool=tool).exists()

    assert comes_true(is_captured), f"{tool} was not captured."


@contextmanager
def web(household: Household) -> Iterator[httpx.Client]:
    """A web process of its own on the test's database, and REST to it."""
    with (
        web_process() as port,
        httpx.Client(
            base_url=f"http://127.0.0.1:{port}/v1/workspaces/{household.workspace.id}/",
            headers={"Authorization": f"Bearer {household.secret}"},
            timeout=60,
        ) as client,
    ):
        yield client
