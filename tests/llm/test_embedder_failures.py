"""Embedding models that fail: clear words, searches as they were, and nothing lost."""

from __future__ import annotations

from typing import Any

import pytest

from llm.embedding.services import query_vectors
from llm.models import PromptRun
from tests.cast import Cast
from tests.llm.conftest import provide
from tests.llm.server import failing
from tests.llm.vector_server import VectorEndpoint
from tests.llm.workspace_vectors import (
    FACTS,
    OURS,
    choose_vectors,
    found,
    furnish,
    let_time_pass,
    run_queue,
    state,
    vectors,
)
from workspaces.access.scope import workspace_scope

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("no_rest")]


def test_a_dead_provider_leaves_searches_as_they_are_and_says_so(
    cast: Cast, endpoint: VectorEndpoint, provider: str
) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    endpoint.failure = failing(503)
    run_queue(cast.acme)

    shown = state(cast.acme)
    assert (shown["active"]["source"], shown["change"]["failures"]) == ("server", 1)
    assert shown["change"]["problem"] == "Loopback failed (503). Try later."
    assert shown["change"]["retry_at"] > shown["change"]["problem_at"]
    assert found(cast.acme)[0] == FACTS[1]
    run_queue(cast.acme)
    assert state(cast.acme)["change"]["failures"] == 1  # it is left alone until then

    endpoint.failure = None
    let_time_pass(cast.acme)
    run_queue(cast.acme)
    assert state(cast.acme)["active"]["model"] == OURS


def test_an_active_model_that_dies_leaves_words_and_loses_nothing(
    cast: Cast, endpoint: VectorEndpoint, provider: str
) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    run_queue(cast.acme)
    endpoint.failure = failing(500)
    cast.acme.rest().remembered("Geese graze behind the barn.")
    run_queue(cast.acme)

    answer = cast.acme.rest().post("memories/search", {"query": "geese"}).json()
    assert (answer["method"], len(answer["results"])) == ("keyword", 1)
    assert state(cast.acme)["active"]["problem"] == "Loopback failed (500). Try later."

    endpoint.failure = None
    query_vectors._resting.clear()
    let_time_pass(cast.acme)
    run_queue(cast.acme)
    assert found(cast.acme, "geese barn")[0] == "Geese graze behind the barn."
    assert state(cast.acme)["active"]["problem"] is None


@pytest.mark.parametrize(
    ("dimensions", "changed", "sentence"),
    [
        (32, None, "'words-1' makes 32 dimensions; from 64 to 4,000 are kept."),
        (4_001, None, "'words-1' makes 4,001 dimensions; from 64 to 4,000 are kept."),
        (256, lambda made: [], "Loopback returned 0 vectors for 1 texts."),
        (256, lambda made: [[0.0] * 256], "Loopback returned a vector without a direction."),
        (256, lambda made: [[float("nan")] * 256], "Loopback returned a vector without a direction."),
        (256, lambda made: [[]], "'words-1' makes 0 dimensions; from 64 to 4,000 are kept."),
        (256, lambda made: [[0.1] * 60_000], "Loopback did not answer with vectors in the format of OpenAI's API."),
        (256, lambda made: [["one"]], "Loopback did not answer with vectors in the format of OpenAI's API."),
    ],
)
def test_a_model_that_makes_no_good_vectors_is_not_chosen(
    cast: Cast, endpoint: VectorEndpoint, dimensions: int, changed: Any, sentence: str
) -> None:
    provider = str(provide(cast.acme, endpoint.server).id)
    endpoint.dimensions[OURS] = dimensions
    endpoint.changed = changed or endpoint.changed

    answer = choose_vectors(cast.acme, provider)

    assert (answer.status_code, answer.json()["detail"]) == (502, sentence)
    assert state(cast.acme)["change"] is None


def test_a_count_of_tokens_that_cannot_be_is_not_believed(cast: Cast, endpoint: VectorEndpoint, provider: str) -> None:
    endpoint.tokens_of_text = 10**30

    answer = choose_vectors(cast.acme, provider)

    assert answer.status_code == 200, answer.content
    with workspace_scope(cast.acme.caller):
        assert 0 < PromptRun.objects.latest("id").input_tokens < 100


def test_a_model_that_changes_its_length_is_noticed(cast: Cast, endpoint: VectorEndpoint, provider: str) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider)
    endpoint.dimensions[OURS] = 128
    run_queue(cast.acme)

    shown = state(cast.acme)
    assert shown["active"]["source"] == "server"
    assert "made 128 dimensions where it made 256 before" in shown["change"]["problem"]
    assert vectors(cast.acme)["own"] == 0


def test_the_budget_holds_and_every_call_is_recorded(cast: Cast, endpoint: VectorEndpoint, provider: str) -> None:
    furnish(cast.acme)
    choose_vectors(cast.acme, provider, input_price=100_000)  # a tenth of a credit for a token
    cast.acme.rest().put("settings", {"models": {"monthly_budget": 1.2}})
    run_queue(cast.acme)

    shown = state(cast.acme)
    assert shown["active"]["source"] == "server"
    assert "stops at 80 %" in shown["change"]["problem"]
    with workspace_scope(cast.acme.caller):
        runs = [
            (run.kind, run.status, run.input_tokens, float(run.credits)) for run in PromptRun.objects.order_by("id")
        ]
    assert runs == [("embed", "succeeded", 10, 1.0), ("embed", "over_budget", 0, 0.0)]

    cast.acme.rest().put("settings", {"models": {"monthly_budget": None}})
    let_time_pass(cast.acme)
    run_queue(cast.acme)
    assert state(cast.acme)["active"]["model"] == OURS
