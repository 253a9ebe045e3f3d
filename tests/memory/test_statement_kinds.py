"""Which kind a statement is of, by its words: those that mean something else count for nothing."""

from __future__ import annotations

import pytest

from memory.episodes.statement_kinds import StatementKind, classify


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I prefer trains to planes.", StatementKind.PREFERENCE),
        ("Always answer in German.", StatementKind.INSTRUCTION),
        ("I'm going to learn Greek.", StatementKind.PLAN),
        ("I sold my boat.", StatementKind.EVENT),
        ("We decided to use PostgreSQL.", StatementKind.DECISION),
        ("The team has 14 members.", StatementKind.FACT),
        ("I've got a boat with two masts.", StatementKind.FACT),
        ("We got a medal in Bari.", StatementKind.EVENT),
        ("We rowed along the whole coast.", StatementKind.EVENT),
        ("I need a boat with two masts.", StatementKind.FACT),
        ("I lived near the harbour of Bari.", StatementKind.FACT),
        ("My will is with the notary in Bari.", StatementKind.FACT),
        ("The boat will be blue.", StatementKind.PLAN),
        ("Rowing and sailing, my two loves, meet in Bari.", StatementKind.FACT),
        ("I love rowing.", StatementKind.PREFERENCE),
        ("I'm into old charts of the coast.", StatementKind.PREFERENCE),
        ("I ran into the skipper.", StatementKind.EVENT),
        ("Mara flew to Bari.", StatementKind.EVENT),
        ("Mara is stuck in Bari.", StatementKind.FACT),
        ("We're going to row to Bari and enjoy the view.", StatementKind.PLAN),
    ],
)
def test_kinds_follow_from_the_words(said: str, kind: StatementKind) -> None:
    assert classify(said) == kind
