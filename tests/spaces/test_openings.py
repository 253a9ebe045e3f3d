"""Who governs may open the spaces of others: it is in the audit record, and the person whose space it is sees it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from core.clock import utc_now
from tests.cast import Cast
from tests.pages import Visitor, text_of
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.space_grants import grant_space
from workspaces.models import AuditEvent

pytestmark = pytest.mark.django_db


def _events(cast: Cast, *actions: str) -> list[tuple[str, dict[str, Any]]]:
    caller = cast.acme.caller
    with workspace_scope(caller):
        found = AuditEvent.objects.of(caller).filter(action__in=actions).order_by("id")
        return [(each.actor_label, each.details) for each in found]


def _opened(cast: Cast) -> list[tuple[str, dict[str, Any]]]:
    return _events(cast, "space.opened")


def test_an_owner_opens_the_space_of_a_member_who_sees_it(cast: Cast, alice: Visitor, bob: Visitor) -> None:
    mine = f"user:{cast.bob.id}"
    cast.acme.rest().remembered("Bob's secret tea.", space=mine)
    assert "Nobody else opened your space" in text_of(bob.get("settings/spaces"))

    page = alice.get("memory", view="search", space=mine)

    assert "secret tea" in text_of(page)
    assert "that you opened it is recorded" in text_of(page)
    assert "<strong>Bob</strong>" in text_of(page)
    assert _opened(cast) == [("Alice", {"space": mine})]
    shown = text_of(bob.get("settings/spaces"))
    assert "Nobody else opened your space" not in shown
    assert "Alice" in shown
    assert "127.0.0.1" in shown


def test_it_is_noted_once_an_hour_and_for_each_space(cast: Cast, alice: Visitor) -> None:
    for path in ("memory", "conversations", "ontology"):
        alice.get(path, space="user:42")
    alice.get("memory", space="agent:clerk")
    assert [details["space"] for _, details in _opened(cast)] == ["user:42", "agent:clerk"]

    with time_machine.travel(utc_now() + timedelta(minutes=61)):
        alice.client.force_login(cast.alice)
        alice.get("memory", space="user:42")

    assert [details["space"] for _, details in _opened(cast)] == ["user:42", "agent:clerk", "user:42"]


def test_ones_own_and_granted_spaces_are_not_noted(cast: Cast, alice: Visitor, bob: Visitor) -> None:
    for person in (cast.alice, cast.bob):
        grant_space(caller=cast.acme.caller, user_id=person.id, space="project:apollo")

    for visitor, person in ((alice, cast.alice), (bob, cast.bob)):
        for space in ("shared", f"user:{person.id}", "project:apollo"):
            assert visitor.get("memory", space=space).status_code == 200
    assert alice.get("settings/memory", space="user:42").status_code == 200

    assert _opened(cast) == []


def test_a_session_that_asks_rest_opens_a_space_as_well(cast: Cast, alice: Visitor) -> None:
    address = f"/v1/workspaces/{cast.acme.workspace.id}/memories"

    assert alice.client.get(address, {"user": "42", "agent": "clerk"}).status_code == 200
    alice.client.get(f"/v1/workspaces/{cast.acme.workspace.id}/users/44/memory")
    cast.acme.rest().get("memories", user="43")

    assert [details["space"] for _, details in _opened(cast)] == ["user:42", "agent:clerk", "user:44"]


def test_what_is_refused_is_not_noted(cast: Cast, bob: Visitor) -> None:
    assert bob.get("memory", space="user:42").status_code == 403
    assert _opened(cast) == []


def test_the_event_is_of_its_workspace(cast: Cast, alice: Visitor) -> None:
    charlie = Visitor.of(cast.charlie, cast.umbrella.workspace)

    alice.get("memory", space=f"user:{cast.charlie.id}")

    assert "Nobody else opened your space" in text_of(charlie.get("settings/spaces"))


def test_the_list_of_spaces_leaves_an_event_for_each_call_of_a_program(cast: Cast) -> None:
    rest = cast.acme.rest()
    rest.remembered("Tea.", user="42")

    for path in ("spaces", "spaces", "spaces/user:42"):
        assert rest.get(path).status_code == 200
    narrow = cast.acme.rest(Right.READ)
    assert narrow.get("spaces").status_code == 403

    assert len(_events(cast, "spaces.listed")) == 2
    assert [details for _, details in _events(cast, "space.read")] == [{"space": "user:42"}]


def test_a_person_who_walks_through_the_list_leaves_one(cast: Cast, alice: Visitor, bob: Visitor) -> None:
    for _ in range(3):
        assert alice.get("spaces").status_code == 200
    assert bob.get("spaces").status_code == 200

    assert [who for who, _ in _events(cast, "spaces.listed")] == ["Alice"]
