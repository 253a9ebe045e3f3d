"""Which model answers: workspace, agent, conversation, request; the most specific wins."""

from __future__ import annotations

from typing import Any

import pytest

from core.errors import InvalidError
from llm.call_kinds import CallKind, Tier
from llm.configuration.model_selection import ModelRequest
from llm.configuration.selectors import configured_model
from tests.cast import Cast, RestClient
from tests.llm.conftest import provide
from tests.llm.server import ModelServer
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(cast: Cast, server: ModelServer) -> str:
    return str(provide(cast.acme, server).id)


def choice(provider: str | None, model: str = "", *, tier: str = "large", level: str = "", of: str = "") -> Any:
    place = {"level": level, "subject": of} if level else {}
    return {"tier": tier, "provider": provider, "model": model or "unnamed", **place}


@pytest.fixture
def four_levels(acme: RestClient, provider: str) -> None:
    chosen = [
        choice(provider, "w-small", tier="small"),
        choice(provider, "w-large"),
        choice(provider, "clerk-large", level="agent", of="clerk"),
        choice(provider, "c1-large", level="conversation", of="c-1"),
        choice(provider, "c2-small", tier="small", level="conversation", of="c-2"),
    ]
    assert acme.put("models/choices", {"choices": chosen}).status_code == 200


@pytest.mark.usefixtures("four_levels")
@pytest.mark.parametrize(
    ("kind", "where", "request_", "expected"),
    [
        (CallKind.QA, {}, ModelRequest(), "w-large"),
        (CallKind.REFLECT, {}, ModelRequest(), "w-large"),
        (CallKind.EXTRACT, {}, ModelRequest(), "w-small"),
        (CallKind.OBSERVE, {}, ModelRequest(), "w-small"),
        (CallKind.EMBED, {}, ModelRequest(), None),
        (CallKind.QA, {"agent": "clerk"}, ModelRequest(), "clerk-large"),
        (CallKind.QA, {"agent": "Clerk"}, ModelRequest(), "w-large"),
        (CallKind.QA, {"agent": "c-1"}, ModelRequest(), "w-large"),
        (CallKind.EXTRACT, {"agent": "clerk"}, ModelRequest(), "w-small"),
        (CallKind.QA, {"agent": "clerk", "conversation": "c-1"}, ModelRequest(), "c1-large"),
        (CallKind.QA, {"conversation": "c-2"}, ModelRequest(), "w-large"),
        (CallKind.EXTRACT, {"conversation": "c-2"}, ModelRequest(), "c2-small"),
        (CallKind.QA, {"conversation": "c-1"}, ModelRequest(tier=Tier.SMALL), "w-small"),
        (CallKind.EXTRACT, {}, ModelRequest(tier=Tier.LARGE), "w-large"),
        (CallKind.EMBED, {}, ModelRequest(tier=Tier.LARGE), "w-large"),
        (CallKind.QA, {"conversation": "c-1"}, ModelRequest(model="clerk-large"), "clerk-large"),
    ],
)
def test_the_most_specific_choice_answers(
    cast: Cast, kind: CallKind, where: dict[str, str], request_: ModelRequest, expected: str | None
) -> None:
    resolved = configured_model(cast.acme.caller, kind, request=request_, **where)

    assert (resolved and resolved.name) == expected


def test_without_a_choice_there_is_no_model(cast: Cast, provider: str) -> None:
    assert configured_model(cast.acme.caller, CallKind.QA, agent="", conversation="") is None


def test_one_choice_is_enough_for_both_tiers(cast: Cast, acme: RestClient, provider: str) -> None:
    acme.put("models/choices", {"choices": [choice(provider, "only-small", tier="small")]})

    resolved = configured_model(cast.acme.caller, CallKind.QA)

    assert resolved is not None
    assert resolved.name == "only-small"


@pytest.mark.usefixtures("four_levels")
def test_a_request_names_only_models_that_somebody_chose(cast: Cast) -> None:
    with pytest.raises(InvalidError) as raised:
        configured_model(cast.acme.caller, CallKind.QA, request=ModelRequest(model="dearest-of-all"))

    assert [problem.code for problem in raised.value.problems] == ["unknown_model"]


@pytest.mark.usefixtures("four_levels")
def test_choices_of_another_workspace_do_not_count(cast: Cast) -> None:
    assert configured_model(cast.umbrella.caller, CallKind.QA, agent="clerk") is None


def test_a_put_changes_what_it_names(acme: RestClient, provider: str) -> None:
    acme.put("models/choices", {"choices": [choice(provider, "a"), choice(provider, "b", level="agent", of="clerk")]})

    priced = {**choice(provider, "c"), "input_price": 0.15, "output_price": 0.6}
    answer = acme.put("models/choices", {"choices": [priced]})

    assert answer.json() == acme.get("models/choices").json()
    mine, clerks = answer.json()["results"]
    assert mine == {
        "level": "workspace", "subject": "", "tier": "large", "provider": provider, "provider_name": "Loopback",
        "model": "c", "input_price": 0.15, "output_price": 0.6,
    }  # fmt: skip
    assert (clerks["subject"], clerks["model"]) == ("clerk", "b")


def test_a_choice_is_taken_back(cast: Cast, acme: RestClient, provider: str) -> None:
    acme.put("models/choices", {"choices": [choice(provider, "a"), choice(provider, "b", level="agent", of="clerk")]})

    acme.put("models/choices", {"choices": [{"tier": "large", "provider": None}]})

    assert [each["subject"] for each in acme.get("models/choices").json()["results"]] == ["clerk"]
    with workspace_scope(cast.acme.caller):
        actions = list(AuditEvent.objects.filter(object_type="model_choice").order_by("id"))
    assert [event.action for event in actions] == ["model.chosen", "model.chosen", "model.unchosen"]


def test_all_of_a_put_or_nothing(acme: RestClient, umbrella: RestClient, provider: str) -> None:
    foreign = "01890a5d-ac96-774b-bcce-b302099a8057"

    answer = acme.put("models/choices", {"choices": [choice(provider, "a"), choice(foreign, "b", tier="small")]})

    assert answer.status_code == 404
    assert acme.get("models/choices").json()["results"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"level": "workspace", "subject": "clerk"},
        {"level": "agent"},
        {"level": "agent", "subject": ""},
        {"level": "planet"},
        {"tier": "huge"},
        {"model": ""},
        {"provider": "x"},
        {"input_price": -1},
        {"output_price": "3"},
        {"surprise": 1},
    ],
)
def test_refuses_choices_that_make_no_sense(acme: RestClient, provider: str, fields: dict[str, Any]) -> None:
    answer = acme.put("models/choices", {"choices": [{**choice(provider, "a"), **fields}]})

    assert (answer.status_code, answer.json()["code"]) in {(422, "invalid"), (422, "unknown_field")}, answer.content
    assert acme.get("models/choices").json()["results"] == []
