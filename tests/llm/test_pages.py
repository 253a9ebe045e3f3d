"""Settings → Models: providers whose keys go in and never come out, choices, the budget, and who may change them."""

from __future__ import annotations

from typing import Any

import pytest

from llm.configuration.selectors import month_budget, workspace_choices, workspace_providers
from llm.models import ModelProvider
from tests.cast import Cast
from tests.llm.conftest import KEY, choose, provide
from tests.llm.server import ModelServer, failing, saying
from tests.pages import Visitor, text_of, toast_of
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

MODELS = "settings/models"
LOCAL: dict[str, Any] = {"name": "Local", "kind": "openai", "base_url": "http://127.0.0.1:1/v1", "timeout_seconds": 5}
SMALL: dict[str, Any] = {"tier": "small", "level": "workspace", "subject": "", "model": "tea-1"}


def swap(visitor: Visitor, path: str, **fields: Any) -> Any:
    return visitor.swap(path, target="models", at=MODELS, **fields)


def only_provider(cast: Cast) -> ModelProvider:
    (found,) = workspace_providers(cast.acme.caller)
    return found


def test_says_plainly_that_no_model_is_configured(bob: Visitor, cast: Cast) -> None:
    assert "No model is configured." in text_of(bob.get(MODELS))

    provide(cast.acme, ModelServer(port=1))
    assert "No model is configured." in text_of(bob.get(MODELS)), "A provider alone answers nothing."


def test_with_a_model_it_does_not_say_so(alice: Visitor, cast: Cast) -> None:
    choose(cast.acme, ModelServer(port=1))

    page = text_of(alice.get(MODELS))

    assert "No model is configured" not in page
    assert "tea-1" in page
    assert "Facts and observations are left to the same model" in page


def test_adds_a_provider_and_never_shows_its_key(alice: Visitor, cast: Cast) -> None:
    answer = alice.post(f"{MODELS}/providers/new", **LOCAL, api_key=KEY)

    assert answer.headers["Location"] == alice.address(MODELS)
    provider = only_provider(cast)
    assert (provider.name, provider.base_url, provider.has_key) == ("Local", LOCAL["base_url"], True)
    for page in (MODELS, f"{MODELS}/providers/{provider.id}"):
        assert KEY not in text_of(alice.get(page))
    assert f"…{KEY[-4:]}" in text_of(alice.get(MODELS))


def test_with_script_the_page_comes_back_with_a_toast(alice: Visitor) -> None:
    answer = swap(alice, f"{MODELS}/providers/new", **LOCAL)

    assert MODELS in answer.headers["HX-Location"]
    assert toast_of(answer)["text"] == "Added Local. Choose one of its models next."


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"kind": "abacus"},
        {"base_url": "ftp://127.0.0.1/v1"},
        {"base_url": "http://me:secret@127.0.0.1/v1"},
        {"api_key": "two words"},
        {"api_key": "ключ"},
        {"timeout_seconds": "601"},
        {"name": "a\x00b"},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_typed_is_lost_but_the_key(
    alice: Visitor, cast: Cast, wrong: dict[str, str]
) -> None:
    answer = swap(alice, f"{MODELS}/providers/new", **{**LOCAL, "api_key": KEY, **wrong})

    assert answer.status_code == 422
    assert "errorlist" in text_of(answer)
    assert KEY not in text_of(answer)
    assert workspace_providers(cast.acme.caller) == []


def test_a_refusal_stands_beside_its_field_and_does_not_name_it_again(alice: Visitor) -> None:
    page = text_of(swap(alice, f"{MODELS}/providers/new", **{**LOCAL, "base_url": "127.0.0.1:1"}))

    assert "Give an address such as" in page
    assert "base_url: " not in page


def test_an_empty_key_keeps_the_stored_one_and_a_tick_removes_it(alice: Visitor, cast: Cast) -> None:
    provider = provide(cast.acme, ModelServer(port=1), name="Local")
    address, same = f"{MODELS}/providers/{provider.id}", {**LOCAL, "api_key": "", "timeout_seconds": 7}

    alice.post(address, **same)
    kept = only_provider(cast)
    alice.post(address, **same, removes_key="on")

    assert (kept.has_key, kept.timeout_seconds, only_provider(cast).has_key) == (True, 7, False)
    assert "removes_key" not in text_of(alice.get(address))


def test_a_name_that_is_taken_is_refused(alice: Visitor, cast: Cast) -> None:
    provide(cast.acme, ModelServer(port=1), name="Local")

    answer = alice.post(f"{MODELS}/providers/new", **LOCAL)

    assert answer.status_code == 422
    assert "Another provider of this workspace has that name." in text_of(answer)


def test_chooses_a_model_and_takes_it_back(alice: Visitor, cast: Cast) -> None:
    provider = provide(cast.acme, ModelServer(port=1))

    swap(alice, f"{MODELS}/choices/new", **SMALL, provider=str(provider.id), input_price="0.5")
    (choice,) = workspace_choices(cast.acme.caller)
    page = text_of(alice.get(MODELS))
    answer = swap(alice, f"{MODELS}/choices/remove", tier="small", level="workspace", subject="")

    assert (choice.model, float(choice.input_price), float(choice.output_price)) == ("tea-1", 0.5, 0.0)
    assert "0.5 / 0" in page
    assert "No model is configured." in text_of(answer)
    assert workspace_choices(cast.acme.caller) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"model": ""},
        {"subject": "lawyer"},
        {"level": "agent"},
        {"tier": "huge"},
        {"provider": "0198c0de-0000-7000-8000-000000000000"},
        {"input_price": "-1"},
        {"output_price": "NaN"},
    ],
)
def test_a_choice_that_cannot_be_is_refused(alice: Visitor, cast: Cast, wrong: dict[str, str]) -> None:
    provider = provide(cast.acme, ModelServer(port=1))

    answer = swap(alice, f"{MODELS}/choices/new", **{**SMALL, "provider": str(provider.id), **wrong})

    assert (answer.status_code, "errorlist" in text_of(answer)) == (422, True)
    assert workspace_choices(cast.acme.caller) == []


def test_a_test_says_what_came_of_it(alice: Visitor, cast: Cast, server: ModelServer) -> None:
    provider = choose(cast.acme, server).provider
    server.will(saying("OK"), failing(401, "That key is unknown."))
    address = f"{MODELS}/providers/{provider.id}/test"

    worked, failed = swap(alice, address), swap(alice, address)

    assert toast_of(worked)["text"] == "Loopback answers."
    assert "as tea-1" in text_of(worked)
    assert toast_of(failed)["tone"] == "error"
    assert "Its code: <code>invalid_request_error</code>." in failed.content.decode()
    assert "That key is unknown." not in text_of(failed)
    assert text_of(failed).count('<td data-label="Ended">') == 2, "Both are among the last calls."


def test_a_provider_in_use_stays_and_another_goes(alice: Visitor, cast: Cast) -> None:
    used = choose(cast.acme, ModelServer(port=1)).provider
    spare = provide(cast.acme, ModelServer(port=1), name="Spare")

    assert alice.post(f"{MODELS}/providers/{used.id}/remove").status_code == 409
    assert alice.post(f"{MODELS}/providers/{spare.id}/remove").status_code == 302
    assert only_provider(cast).name == used.name


def test_sets_and_lifts_the_budget_and_shows_what_is_used(alice: Visitor, cast: Cast, server: ModelServer) -> None:
    provider = choose(cast.acme, server, input_price=100_000).provider
    server.will(saying("OK", usage=(28, 1)))
    alice.post(f"{MODELS}/providers/{provider.id}/test")

    page = text_of(swap(alice, MODELS, monthly_budget="4"))
    unlimited = text_of(swap(alice, MODELS, monthly_budget=""))

    assert "3 of 4 credits used this month (75 %)." in page
    assert "3 credits used this month, without a limit." in unlimited
    assert month_budget(cast.acme.caller).limit is None


@pytest.mark.parametrize(("budget", "says"), [("3.5", "Background work has stopped"), ("3", "The budget is used up")])
def test_says_what_a_spent_budget_stops(
    alice: Visitor, cast: Cast, server: ModelServer, budget: str, says: str
) -> None:
    provider = choose(cast.acme, server, input_price=100_000).provider
    server.will(saying("OK", usage=(28, 1)))
    alice.post(f"{MODELS}/providers/{provider.id}/test")

    assert says in text_of(swap(alice, MODELS, monthly_budget=budget))


@pytest.mark.parametrize("budget", ["-1", "much", "inf", "nan", "1e12"])
def test_a_budget_that_cannot_be_is_refused(alice: Visitor, cast: Cast, budget: str) -> None:
    answer = swap(alice, MODELS, monthly_budget=budget)

    assert (answer.status_code, "errorlist" in text_of(answer)) == (422, True)
    assert month_budget(cast.acme.caller).limit is None


def test_a_member_looks_and_changes_nothing(bob: Visitor, cast: Cast) -> None:
    provider = choose(cast.acme, ModelServer(port=1)).provider

    page = text_of(bob.get(MODELS))

    assert "tea-1" in page
    assert "<button" not in page.split('id="models"')[1].split("</main>")[0]
    assert bob.get(f"{MODELS}/providers/new").status_code == 403
    assert bob.get(f"{MODELS}/choices/new").status_code == 403
    assert bob.post(MODELS, monthly_budget="4").status_code == 403
    for act in ("remove", "test"):
        assert bob.post(f"{MODELS}/providers/{provider.id}/{act}").status_code == 403
    assert bob.post(f"{MODELS}/choices/remove", tier="large", level="workspace").status_code == 403
    assert month_budget(cast.acme.caller).limit is None


def test_a_viewer_looks_as_well(cast: Cast) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)

    assert Visitor.of(cast.bob, cast.acme.workspace).get(MODELS).status_code == 200


def test_the_outsider_sees_nothing(cast: Cast) -> None:
    provider = choose(cast.acme, ModelServer(port=1)).provider
    at_acme, at_home = (Visitor.of(cast.charlie, home.workspace) for home in (cast.acme, cast.umbrella))

    for path in (MODELS, f"{MODELS}/providers/new", f"{MODELS}/providers/{provider.id}", f"{MODELS}/choices/new"):
        assert at_acme.get(path).status_code == 404
    for visitor in (at_acme, at_home):
        assert visitor.get(f"{MODELS}/providers/{provider.id}").status_code == 404
        for act in ("", "/remove", "/test"):
            assert visitor.post(f"{MODELS}/providers/{provider.id}{act}", **LOCAL).status_code == 404
    stolen = {**SMALL, "provider": str(provider.id)}
    assert at_home.post(f"{MODELS}/choices/new", **stolen).status_code == 422
    assert "tea-1" not in text_of(at_home.get(MODELS))
    assert only_provider(cast).name == provider.name
