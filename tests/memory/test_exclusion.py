"""The exclusion cases: all of them hold here, one that does not is named, and nothing of them stays."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from memory.models import Memory
from memory.recall.services import leak_check
from memory.recall.services.leak_check import PLANTS, run_exclusion_cases
from tests.cast import PASSWORD, Cast
from workspaces.access.scope import directory_scope, workspace_scope
from workspaces.models import User, Workspace

pytestmark = pytest.mark.django_db


def test_every_case_holds() -> None:
    results = {result.name: result for result in run_exclusion_cases()}

    assert set(results) == set(PLANTS)
    assert {name: result.wrong_in for name, result in results.items() if not result.is_passed} == {}
    assert len(results["recallable"].seen_in) == 5


def test_a_case_that_does_not_hold_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(leak_check.PLANTS, "suppressed", leak_check.PLANTS["recallable"])

    failed = [result for result in run_exclusion_cases() if not result.is_passed]

    assert [result.name for result in failed] == ["suppressed"]
    assert "context" in failed[0].wrong_in


def test_nothing_of_it_stays(cast: Cast) -> None:
    run_exclusion_cases()

    assert not User.objects.filter(email__endswith="@exclusion.invalid").exists()
    with directory_scope():
        assert not Workspace.objects.filter(name__startswith="Exclusion").exists()
    with workspace_scope(cast.acme.caller):
        assert not Memory.objects.exists()


def test_staff_run_them_on_a_page(cast: Cast) -> None:
    User.objects.create_user("ada@staff.example", PASSWORD, name="Ada", is_staff=True)
    staff = Client()
    assert staff.login(username="ada@staff.example", password=PASSWORD)
    page = reverse("admin:memory_exclusion")

    assert "Run the cases" in staff.get(page).content.decode()
    shown = staff.post(page).content.decode()

    assert f"{len(PLANTS)} of {len(PLANTS)} cases passed." in shown
    assert shown.count(">passed</td>") == len(PLANTS)
    assert "FAILED" not in shown


def test_members_cannot(browser_of_bob: Client) -> None:
    assert browser_of_bob.post(reverse("admin:memory_exclusion")).status_code == 302
