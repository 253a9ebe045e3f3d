"""What calls amount to as actions, as their views and tools declare it, and the same over both doors."""

from __future__ import annotations

import pytest

import mcp_server.tools  # noqa: F401  # fills the registry
from config.url_table import addresses, find_view
from mcp_server.registry import TOOLS
from telemetry.actions.action_types import PREFIX, ClassifiedCall, classify_call

MEMORY = "memories/<str:memory_id>"
# The view behind each route of a workspace.
VIEWS = {route.removeprefix(f"/{PREFIX}"): find_view(pattern.callback) for route, pattern in addresses()}


@pytest.mark.parametrize(
    ("method", "route", "expected"),
    [
        ("POST", "memories", ClassifiedCall("ontology_mutation", "POST memories", "memory", searches=False)),
        ("GET", MEMORY, ClassifiedCall("graph_query", "GET memories/{memory_id}", "memory", searches=False)),
        ("POST", "memories/search", ClassifiedCall("graph_query", "POST memories/search", "memory", searches=True)),
        ("POST", "ontology/ask", ClassifiedCall("graph_query", "POST ontology/ask", "node", searches=True)),
        (
            "DELETE",
            "ontology/nodes/<str:node_id>",
            ClassifiedCall(
                "ontology_mutation", "DELETE ontology/nodes/{node_id}", "node", searches=False, opens_nodes=True
            ),
        ),
        (
            "POST",
            "ontology/connections",
            ClassifiedCall("connection_ingest", "POST ontology/connections", "connection", searches=False),
        ),
        ("PUT", "settings", ClassifiedCall("config_change", "PUT settings", "", searches=False)),
        ("GET", "settings", ClassifiedCall("tool_call", "GET settings", "", searches=False)),
        ("POST", "runs", ClassifiedCall("tool_call", "POST runs", "", searches=False)),
    ],
)
def test_a_view_says_what_a_call_is(method: str, route: str, expected: ClassifiedCall) -> None:
    assert classify_call(method, f"{PREFIX}{route}", VIEWS[route]) == expected


@pytest.mark.parametrize(
    "route", ["actions", "patterns/inject", "metrics/<str:metric_id>", "benchmarks/<path:metric>", "import"]
)
def test_telemetry_itself_and_moving_a_workspace_are_no_actions(route: str) -> None:
    assert classify_call("POST", f"{PREFIX}{route}", VIEWS[route]) is None


def test_every_call_of_the_ontology_names_a_type_of_node() -> None:
    views = {route: view for route, view in VIEWS.items() if route.startswith("ontology/")}
    tools = [tool for tool in TOOLS.values() if tool.name.startswith("ontology.")]

    assert len(views) > 20
    assert [route for route, view in views.items() if not view.action_types.node_type] == []
    assert [tool.name for tool in tools if not (tool.action and tool.action.node_type)] == []


def test_a_word_that_is_no_method_is_kept_nowhere() -> None:
    assert classify_call("FORK", f"{PREFIX}memories", VIEWS["memories"]) is None


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("memory.remember", "ontology_mutation"),
        ("memory.recall", "graph_query"),
        ("memory.get", "graph_query"),
        ("ontology.ask", "graph_query"),
        ("ontology.learn", "ontology_mutation"),
        ("context.assemble", "graph_query"),
        ("conversation.append", "tool_call"),
        ("conversation.last", "tool_call"),
        ("run.start", "tool_call"),
        ("workspace.enable_memory", "config_change"),
        ("workspace.memory_status", "tool_call"),
        ("memory.metric_list", ""),
    ],
)
def test_a_tool_says_what_a_call_is(tool: str, expected: str) -> None:
    assert TOOLS[tool].action_type == expected
