"""The month's credits: what they stop, and when."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
import time_machine

from llm.configuration.budget import Budget, Prices
from llm.configuration.selectors import ResolvedModel
from llm.providers.errors import BudgetExceededError
from llm.router.services.completions import complete, stream
from tests.cast import Cast, RestClient
from tests.llm.conftest import QUESTION, choose
from tests.llm.server import ModelServer, Reply
from tests.llm.test_router import runs


@pytest.fixture
def dear_model(cast: Cast, server: ModelServer) -> ResolvedModel:
    """A model whose every answer costs one credit."""
    server.will(Reply(usage=(998, 1)))
    return choose(cast.acme, server, input_price=1_000)


def ask(cast: Cast, model: ResolvedModel, **fields: Any) -> None:
    complete(caller=cast.acme.caller, choice=model, **QUESTION, **fields)


@pytest.mark.parametrize(
    ("limit", "spent", "stops_background", "stops_everything"),
    [
        (None, "1000000", False, False),
        ("10", "7.999999", False, False),
        ("10", "8", True, False),
        ("10", "9.999999", True, False),
        ("10", "10", True, True),
        ("0", "0", True, True),
    ],
)
def test_stops_background_work_first(
    limit: str | None, spent: str, stops_background: bool, stops_everything: bool
) -> None:
    budget = Budget(None if limit is None else Decimal(limit), Decimal(spent))

    assert (budget.stops_background, budget.stops_everything) == (stops_background, stops_everything)


def test_prices_are_credits_for_a_million_tokens() -> None:
    prices = Prices(Decimal("0.15"), Decimal("0.60"))

    assert prices.cost(input_tokens=1_000_000, output_tokens=500_000) == Decimal("0.45")
    assert prices.cost(input_tokens=7, output_tokens=0) == Decimal("0.000001")
    assert prices.cost(input_tokens=0, output_tokens=0) == 0


def test_at_eighty_per_cent_background_work_stops_and_at_all_of_it_everything(
    cast: Cast, acme: RestClient, server: ModelServer, dear_model: ResolvedModel
) -> None:
    acme.put("settings", {"models": {"monthly_budget": 5}})
    for _ in range(4):
        ask(cast, dear_model, background=True)

    with pytest.raises(BudgetExceededError, match="80 %"):
        ask(cast, dear_model, background=True)
    ask(cast, dear_model)
    for refused in (ask, lambda *asked: list(stream(caller=cast.acme.caller, choice=dear_model, **QUESTION))):
        with pytest.raises(BudgetExceededError) as raised:
            refused(cast, dear_model)

    assert (raised.value.code, raised.value.status) == ("budget_exceeded", 402)
    assert len(server.seen) == 5
    assert [run.status for run in runs(cast.acme)] == [
        *["over_budget"] * 2,
        "succeeded",
        "over_budget",
        *["succeeded"] * 4,
    ]
    assert acme.get("models/budget").json() == {
        "monthly_budget": 5.0,
        "spent": 5.0,
        "background_stopped": True,
        "stopped": True,
    }


def test_a_provider_is_not_tried_over_budget_and_says_why(
    acme: RestClient, server: ModelServer, dear_model: ResolvedModel
) -> None:
    acme.put("settings", {"models": {"monthly_budget": 0}})

    trial = acme.post(f"models/providers/{dear_model.provider.id}/test")

    assert trial.status_code == 200
    assert (trial.json()["works"], trial.json()["latency_ms"]) == (False, 0)
    assert "used up its model budget" in trial.json()["detail"]
    assert server.seen == []


def test_without_a_budget_nothing_stops(cast: Cast, acme: RestClient, dear_model: ResolvedModel) -> None:
    ask(cast, dear_model, background=True)

    assert acme.get("models/budget").json() == {
        "monthly_budget": None,
        "spent": 1.0,
        "background_stopped": False,
        "stopped": False,
    }


def test_failures_cost_what_they_used(cast: Cast, server: ModelServer, dear_model: ResolvedModel) -> None:
    server.will(Reply(finish="length", usage=(998, 1)))

    with pytest.raises(Exception, match="cut off"):
        ask(cast, dear_model)

    assert runs(cast.acme)[0].credits == 1


def test_each_month_begins_anew(cast: Cast, acme: RestClient, dear_model: ResolvedModel) -> None:
    acme.put("settings", {"models": {"monthly_budget": 1}})
    with time_machine.travel(datetime(2026, 3, 31, 23, 59, tzinfo=UTC), tick=True):
        ask(cast, dear_model)
        with pytest.raises(BudgetExceededError):
            ask(cast, dear_model)

    with time_machine.travel(datetime(2026, 4, 1, 0, 0, tzinfo=UTC), tick=True):
        ask(cast, dear_model)


def test_another_workspace_spends_its_own(
    cast: Cast, acme: RestClient, server: ModelServer, dear_model: ResolvedModel
) -> None:
    acme.put("settings", {"models": {"monthly_budget": 1}})
    ask(cast, dear_model)
    theirs = choose(cast.umbrella, server, input_price=1_000)

    complete(caller=cast.umbrella.caller, choice=theirs, **QUESTION)

    assert len(runs(cast.umbrella)) == 1


def test_the_budget_is_a_setting(acme: RestClient) -> None:
    assert acme.get("settings").json()["models"] == {"monthly_budget": None}
    assert acme.put("settings", {"models": {"monthly_budget": 12.5}}).json()["models"] == {"monthly_budget": 12.5}
    assert acme.put("settings", {"memory": {"enabled": True}}).json()["models"] == {"monthly_budget": 12.5}
    assert acme.put("settings", {"models": {"monthly_budget": None}}).json()["models"] == {"monthly_budget": None}
    for bad in (-1, "3", True, 10**10, float("1e300")):
        assert acme.put("settings", {"models": {"monthly_budget": bad}}).status_code == 422
