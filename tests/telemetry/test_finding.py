"""What the tools of agents find in telemetry: patterns and sequences by filters, sequences by meaning."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import InvalidError
from llm.embedding.services.backlog import embed_pending
from telemetry.actions.outcomes import Outcome
from telemetry.patterns.services.telemetry_search import TelemetrySearch, search_telemetry
from telemetry.sequences.services.intent_embeddings import INTENT_VECTORS
from telemetry.sequences.services.intent_search import similar_sequences
from tests.cast import Cast, Household
from tests.telemetry.acting import action, record, sequenced, with_memory_on
from tests.telemetry.test_injecting import known_pattern


@pytest.fixture
def household(cast: Cast) -> Household:
    """A sequence about booking meetings, one about refunds that failed, and two patterns."""
    household = with_memory_on(cast.acme)
    record(
        household,
        action(0, session="a", tool="calendar.book", node_type="meeting"),
        action(0, Outcome.FAILURE, session="b", tool="payments.refund", node_type="invoice", error_code="declined"),
    )
    sequenced(household)
    known_pattern(household, error_code="declined")
    known_pattern(household, error_code="timeout", node_type="order", support=50, attempts=60)
    return household


def test_patterns_and_sequences_are_found_by_what_they_are(household: Household) -> None:
    found = search_telemetry(caller=household.caller, wanted=TelemetrySearch())
    narrow = TelemetrySearch(patterns={"node_type": "invoice"}, sequences={"error_code": "declined"})
    some = search_telemetry(caller=household.caller, wanted=narrow)
    none = search_telemetry(caller=household.caller, wanted=TelemetrySearch(patterns=None, limit=1))

    assert [pattern.error_code for pattern in found.patterns] == ["timeout", "declined"]
    assert [one.session for one in found.sequences] in (["a", "b"], ["b", "a"])
    assert [pattern.error_code for pattern in some.patterns] == ["declined"]
    assert [one.session for one in some.sequences] == ["b"]
    assert (len(none.patterns), len(none.sequences)) == (0, 1)


@pytest.mark.parametrize("limit", [0, 201])
def test_a_limit_is_from_1_to_200(household: Household, limit: int) -> None:
    with pytest.raises(InvalidError):
        search_telemetry(caller=household.caller, wanted=TelemetrySearch(limit=limit))
    with pytest.raises(InvalidError):
        similar_sequences(caller=household.caller, query="refund", limit=limit)


def test_sequences_are_found_by_meaning(household: Household) -> None:
    assert embed_pending(INTENT_VECTORS, workspace_id=household.workspace.id, most=10) == 2
    assert embed_pending(INTENT_VECTORS, workspace_id=household.workspace.id, most=10) == 0

    found = similar_sequences(caller=household.caller, query="paying money back to a customer", limit=2)

    assert found.method == "semantic"
    assert [hit.sequence.session for hit in found.hits] == ["b", "a"]
    assert 1 >= found.hits[0].score > found.hits[1].score >= 0


def test_of_each_intent_the_latest_sequence_is_found(household: Household) -> None:
    again = [
        action(60 * n, Outcome.FAILURE, session="b", tool="payments.refund", node_type="invoice", error_code="declined")
        for n in range(1, 4)
    ]
    record(household, *again)
    newest = sequenced(household)[-1]
    embed_pending(INTENT_VECTORS, workspace_id=household.workspace.id, most=10)

    found = similar_sequences(caller=household.caller, query="paying money back to a customer", limit=3)

    assert [hit.sequence.session for hit in found.hits] == ["b", "a"]
    assert found.hits[0].sequence.id == newest.id


def test_without_an_embedder_they_are_found_by_words(household: Household, settings: Any) -> None:
    settings.EMBEDDER = {**settings.EMBEDDER, "source": "none"}

    found = similar_sequences(caller=household.caller, query="refund an invoice")

    assert found.method == "keyword"
    assert [hit.sequence.session for hit in found.hits] == ["b"]


def test_the_outsider_finds_nothing(cast: Cast, household: Household) -> None:
    other = with_memory_on(cast.umbrella).caller

    assert search_telemetry(caller=other, wanted=TelemetrySearch()).patterns == []
    assert similar_sequences(caller=other, query="refund").hits == []
