"""Calls in the product's words."""

from __future__ import annotations

import pytest

from mcp_server import tools  # noqa: F401  # fills the registry
from mcp_server.registry import TOOLS
from telemetry.sequences.call_words import TOOL_WORDS, call_in_words, kind_in_words, summary_in_words


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("POST memories", "remembered"),
        ("POST memories/search", "searched memories"),
        ("POST memories/{memory id}/pin", "pinned a memory"),
        ("DELETE memories/{memory id}", "forgot a memory"),
        ("POST runs", "started a run"),
        ("POST runs/{run id}/finish", "finished a run"),
        ("POST context", "asked for a context"),
        ("memory.remember", "remembered"),
        ("erp.send_invoice", "erp.send_invoice"),
        ("", "acted"),
    ],
)
def test_a_call_says_what_it_did(tool: str, words: str) -> None:
    assert call_in_words(tool) == words


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        (
            "ontology mutation POST memories on memory, tool call POST runs, tool call POST runs/{run id}/finish",
            "Remembered, started a run, finished a run",
        ),
        ("tool call send_invoice on invoice", "Tool call send_invoice on invoice"),
        ("", ""),
    ],
)
def test_a_summary_loses_methods_and_paths(summary: str, words: str) -> None:
    assert summary_in_words(summary) == words


def test_every_tool_of_the_mcp_door_has_words() -> None:
    assert sorted(TOOL_WORDS) == sorted(TOOLS)


@pytest.mark.parametrize(
    ("action_type", "node_type", "words"),
    [
        ("ontology_mutation", "memory", "changing memories"),
        ("graph_query", "", "searching"),
        ("tool_call", "invoice", "working on invoice"),
        ("own_type", "", "own type"),
        ("own_type", "invoice", "own type: invoice"),
    ],
)
def test_a_kind_of_action_says_what_it_was_about(action_type: str, node_type: str, words: str) -> None:
    assert kind_in_words(action_type, node_type) == words
