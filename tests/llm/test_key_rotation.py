"""Changing SECRET_KEY: everything that was encrypted stays readable, and afterwards needs the new key only."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.test import Client

from config import checks
from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel, configured_model
from llm.configuration.services import resolve_target
from llm.models import ModelProvider
from tests.cast import Cast, Household
from tests.llm.conftest import KEY
from workspaces.access.scope import workspace_scope
from workspaces.models import IdempotentAnswer

NEW = "the new secret key of this server, long enough to be one"


def rotate(settings: Any) -> str:
    """Every process has the new key, and the old one among the fallbacks; returns the old one."""
    old = str(settings.SECRET_KEY)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [old]
    return old


def run(**options: Any) -> str:
    said = StringIO()
    call_command("reencrypt_secrets", stdout=said, **options)
    return said.getvalue()


def stored_key(household: Household) -> str:
    model = configured_model(household.caller, CallKind.QA)
    assert model is not None
    return resolve_target(model).key


def remember_once(household: Household, key: str) -> Any:
    """Remember something in a call that is answered once; sent again, it gets the same answer."""
    answer = Client().post(
        f"/v1/workspaces/{household.workspace.pk}/memories",
        {"content": f"Tea is ordered on Mondays ({key})."},
        content_type="application/json",
        headers={"Authorization": f"Bearer {household.secret}", "Idempotency-Key": key},
    )
    return answer.json()


def test_after_a_rotation_everything_is_readable_without_the_old_key(
    cast: Cast, tea_model: ResolvedModel, settings: Any
) -> None:
    first = remember_once(cast.acme, "once")
    rotate(settings)
    assert stored_key(cast.acme) == KEY

    said = run()
    settings.SECRET_KEY_FALLBACKS = []

    assert "model provider keys: 1 encrypted again, 0 current, 0 unreadable" in said
    assert "kept answers: 1 encrypted again, 0 current, 0 unreadable" in said
    assert stored_key(cast.acme) == KEY
    assert remember_once(cast.acme, "once") == first


def test_without_the_command_an_old_key_is_needed_for_ever(cast: Cast, tea_model: ResolvedModel, settings: Any) -> None:
    rotate(settings)
    settings.SECRET_KEY_FALLBACKS = []

    with pytest.raises(CommandError, match=r"1 model provider keys cannot be read: put the earlier key back"):
        run(check=True)


def test_the_command_can_be_repeated_and_goes_on_where_it_stopped(
    cast: Cast, tea_model: ResolvedModel, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workspaces.access.reencryption.BATCH", 2)
    for number in range(5):
        remember_once(cast.acme, f"call-{number}")
    rotate(settings)
    remember_once(cast.acme, "call-of-today")  # kept under the new key already

    assert "All workspaces: kept answers: 5 encrypted again, 1 current, 0 unreadable" in run()
    assert "All workspaces: kept answers: 0 encrypted again, 6 current, 0 unreadable" in run()


def test_a_rehearsal_changes_nothing(cast: Cast, tea_model: ResolvedModel, settings: Any) -> None:
    rotate(settings)
    with workspace_scope(cast.acme.caller):
        before = ModelProvider.objects.get().encrypted_key

    assert "1 to encrypt again" in run(check=True)

    with workspace_scope(cast.acme.caller):
        assert ModelProvider.objects.get().encrypted_key == before


def test_a_deleted_workspaces_secrets_are_not_left_behind(cast: Cast, tea_model: ResolvedModel, settings: Any) -> None:
    rotate(settings)
    with workspace_scope(cast.acme.caller):
        type(cast.acme.workspace).objects.filter(pk=cast.acme.workspace.pk).update(is_deleted=True)

    assert "All workspaces: model provider keys: 1 encrypted again" in run()


def test_an_unreadable_answer_of_yesterday_fails_nothing(cast: Cast, settings: Any) -> None:
    remember_once(cast.acme, "once")
    rotate(settings)
    settings.SECRET_KEY_FALLBACKS = []

    assert "All workspaces: kept answers: 0 encrypted again, 0 current, 1 unreadable" in run()
    with workspace_scope(cast.acme.caller):
        assert IdempotentAnswer.objects.filter(answer="").count() == 0


def test_sessions_survive_a_rotation_while_the_old_key_is_a_fallback(cast: Cast, settings: Any) -> None:
    browser = Client()
    browser.force_login(cast.bob)

    rotate(settings)
    assert browser.get("/", follow=True).wsgi_request.user.is_authenticated


@pytest.mark.parametrize("fallbacks", [["short"], ["x" * 50, ""], [NEW]])
def test_a_fallback_that_is_not_an_earlier_key_stops_the_start(settings: Any, fallbacks: list[str]) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, fallbacks

    assert [found.id for found in checks.old_secret_keys_are_keys(None)] == ["wsm.E004"]
    assert "wsm.E004" in [found.id for found in run_checks()]
