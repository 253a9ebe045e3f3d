"""Answering without a model: quoting what was recalled, honestly. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from memory.budget import Filled

QUOTED = 5
QUOTABLE = frozenset({"facts", "memories", "nodes"})
NOTHING_FOUND = "No model is configured, and this workspace remembers nothing about that."
QUOTED_INTRO = "No model is configured, so this is what the workspace remembers about it:"
# A hit below this share of the best one is there for the budget's sake, not for the question's.
LEAST_SCORE = 0.25


def extractive_answer(blocks: Sequence[Filled]) -> str:
    """What the question found, best first, as quoted lines with their citations; says so when there is nothing."""
    found = [item for block in blocks if block.name in QUOTABLE for item in block.items if item.score >= LEAST_SCORE]
    lines = [item.line for item in sorted(found, key=lambda item: -item.score)[:QUOTED]]
    return "\n".join([QUOTED_INTRO, *lines]) if lines else NOTHING_FOUND
