"""What calls amount to as actions: by their route, or by the name of the tool, and the same over both doors."""

from __future__ import annotations

import pytest

from telemetry.calls import PREFIX, Call, action_type_of_tool, call_of

MEMORY = "memories/<str:memory_id>"


@pytest.mark.parametrize(
    ("method", "route", "expected"),
    [
        ("POST", "memories", Call("ontology_mutation", "POST memories", "memory", searches=False)),
        ("GET", MEMORY, Call("graph_query", "GET memories/{memory_id}", "memory", searches=False)),
        ("POST", "memories/search", Call("graph_query", "POST memories/search", "memory", searches=True)),
        ("POST", "ontology/ask", Call("graph_query", "POST ontology/ask", "", searches=True)),
        (
            "DELETE",
            "ontology/nodes/<str:node_id>",
            Call("ontology_mutation", "DELETE ontology/nodes/{node_id}", "", searches=False),
        ),
        ("POST", "ontology/connections", Call("connection_ingest", "POST ontology/connections", "", searches=False)),
        ("PUT", "settings", Call("config_change", "PUT settings", "", searches=False)),
        ("GET", "settings", Call("tool_call", "GET settings", "", searches=False)),
        ("POST", "runs", Call("tool_call", "POST runs", "", searches=False)),
    ],
)
def test_a_route_says_what_a_call_is(method: str, route: str, expected: Call) -> None:
    assert call_of(method, f"{PREFIX}{route}") == expected


@pytest.mark.parametrize(
    "route", ["actions", "patterns/inject", "metrics/<str:metric_id>", "benchmarks/<str:metric>", "import"]
)
def test_telemetry_itself_and_moving_a_workspace_are_no_actions(route: str) -> None:
    assert call_of("POST", f"{PREFIX}{route}") is None


def test_a_word_that_is_no_method_is_kept_nowhere() -> None:
    assert call_of("FORK", f"{PREFIX}memories") is None


@pytest.mark.parametrize(
    ("tool", "is_read_only", "expected"),
    [
        ("memory.remember", False, "ontology_mutation"),
        ("memory.recall", True, "graph_query"),
        ("memory.get", True, "graph_query"),
        ("ontology.ask", False, "graph_query"),
        ("ontology.learn", False, "ontology_mutation"),
        ("context.assemble", True, "graph_query"),
        ("conversation.append", False, "tool_call"),
        ("conversation.last", True, "tool_call"),
        ("run.start", False, "tool_call"),
        ("workspace.enable_memory", False, "config_change"),
        ("workspace.memory_status", True, "tool_call"),
    ],
)
def test_a_tools_name_says_what_a_call_is(tool: str, is_read_only: bool, expected: str) -> None:
    assert action_type_of_tool(tool, is_read_only=is_read_only) == expected
