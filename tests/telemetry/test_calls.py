"""What calls amount to as actions: by their route, or by the name of the tool, and the same over both doors."""

from __future__ import annotations

import pytest

from telemetry.actions.action_types import PREFIX, ClassifiedCall, action_type_of_tool, classify_call

MEMORY = "memories/<str:memory_id>"


@pytest.mark.parametrize(
    ("method", "route", "expected"),
    [
        ("POST", "memories", ClassifiedCall("ontology_mutation", "POST memories", "memory", searches=False)),
        ("GET", MEMORY, ClassifiedCall("graph_query", "GET memories/{memory_id}", "memory", searches=False)),
        ("POST", "memories/search", ClassifiedCall("graph_query", "POST memories/search", "memory", searches=True)),
        ("POST", "ontology/ask", ClassifiedCall("graph_query", "POST ontology/ask", "", searches=True)),
        (
            "DELETE",
            "ontology/nodes/<str:node_id>",
            ClassifiedCall("ontology_mutation", "DELETE ontology/nodes/{node_id}", "", searches=False),
        ),
        (
            "POST",
            "ontology/connections",
            ClassifiedCall("connection_ingest", "POST ontology/connections", "", searches=False),
        ),
        ("PUT", "settings", ClassifiedCall("config_change", "PUT settings", "", searches=False)),
        ("GET", "settings", ClassifiedCall("tool_call", "GET settings", "", searches=False)),
        ("POST", "runs", ClassifiedCall("tool_call", "POST runs", "", searches=False)),
    ],
)
def test_a_route_says_what_a_call_is(method: str, route: str, expected: ClassifiedCall) -> None:
    assert classify_call(method, f"{PREFIX}{route}") == expected


@pytest.mark.parametrize(
    "route", ["actions", "patterns/inject", "metrics/<str:metric_id>", "benchmarks/<str:metric>", "import"]
)
def test_telemetry_itself_and_moving_a_workspace_are_no_actions(route: str) -> None:
    assert classify_call("POST", f"{PREFIX}{route}") is None


def test_a_word_that_is_no_method_is_kept_nowhere() -> None:
    assert classify_call("FORK", f"{PREFIX}memories") is None


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
