"""Calls in the product's words."""

from __future__ import annotations

import pytest

from telemetry.sequences.call_words import call_in_words, summary_in_words


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
        ("erp.send_invoice", "erp.send invoice"),
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
