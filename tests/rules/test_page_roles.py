"""Each page and verb as each role: what a role may not is refused and changes nothing; what it may is not refused."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver

from llm.models import ModelProvider
from memory.models import Proposal
from tests.cast import Answer, Cast
from tests.console_addresses import CONSOLE, fill_route
from tests.pages import Visitor, text_of
from tests.rules.doors import addresses, ids_of, state_of
from tests.rules.page_rights import PAGE_RIGHTS, PUBLIC_PAGES
from tests.rules.test_every_page import PAGES
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role, User

METHODS = ("GET", "POST")
# The role with the fewest rights that has what is needed; those before it have it as well.
ROLES = {"owner": "owner", "admin": "admin", "write": "member", "read": "viewer"}
RANKS = list(ROLES.values())
# Pages that ask a server of others, which no transaction may wait for; they are tried with refusals only.
OUTWARD = {"settings/models/providers/<uuid:provider_id>/test"}
# What a query string must name for a page to get as far as to look who asks.
QUERIES = {"spaces/erase": "?name=user:alice"}
CALLS = [
    (route, method, need)
    for route, needs in PAGE_RIGHTS.items()
    for method, need in zip(METHODS, needs, strict=True)
    if need != "-"
]


@pytest.fixture
def cast(furnished_cast: Cast, db: None) -> Cast:
    """A cast whose workspaces have something in every table."""
    return furnished_cast


@pytest.fixture
def ids(cast: Cast) -> dict[str, Any]:
    """The ids of a furnished workspace, with a member whom roles can be tried on."""
    with workspace_scope(cast.acme.caller):  # in words that these columns have, not made up
        Proposal.objects.of(cast.acme.caller).update(origin_space="shared", space="shared")
        ModelProvider.objects.of(cast.acme.caller).update(encrypted_key="", base_url="")
    dora = User.objects.create_user("dora@acme.example", None, name="Dora")
    add_member(caller=cast.acme.caller, email=dora.email, role=Role.VIEWER)
    return {**ids_of(cast.acme), "user_id": dora.id}


def visitor_as(cast: Cast, role: str) -> Visitor:
    user = {"owner": cast.alice, "outsider": cast.charlie}.get(role, cast.bob)
    if role in {"admin", "viewer"}:
        add_member(caller=cast.acme.caller, email=user.email, role=role)
    return Visitor.of(user, cast.acme.workspace)


def address_of(visitor: Visitor, route: str, ids: dict[str, Any]) -> str:
    return visitor.address(fill_route(route, ids)).rstrip("/") + QUERIES.get(route, "")


def call(visitor: Visitor, route: str, method: str, ids: dict[str, Any]) -> Answer:
    """An answer whose effects are taken back."""
    with transaction.atomic():
        answer = visitor.client.generic(method, address_of(visitor, route, ids))
        if answer.streaming:  # to its end: closing it earlier would close the test's connection, too
            list(answer)
        transaction.set_rollback(True)
    return answer


def test_the_table_has_every_page() -> None:
    assert sorted(f"{CONSOLE}/{route}".rstrip("/") for route in PAGE_RIGHTS) == PAGES


@pytest.mark.parametrize("role", ["owner", "admin", "member", "viewer"])
def test_each_page_takes_the_methods_and_roles_of_the_table(cast: Cast, ids: dict[str, Any], role: str) -> None:
    visitor = visitor_as(cast, role)
    before = state_of(cast.acme)
    refused, wrong = 0, {}

    for route, method, need in CALLS:
        if RANKS.index(role) > RANKS.index(ROLES[need]):
            answer = visitor.client.generic(method, address_of(visitor, route, ids))
            refused += 1
            if answer.status_code != 403 or 'class="rail-nav"' not in text_of(answer):
                wrong[method, route] = answer.status_code
        elif role == ROLES[need] and route not in OUTWARD:
            answer = call(visitor, route, method, ids)
            if answer.status_code in {403, 405} or answer.status_code >= 500:
                wrong[method, route] = answer.status_code

    assert wrong == {}
    assert state_of(cast.acme) == before, "What was refused has changed something."
    assert bool(refused) is (role != "owner")


def test_methods_that_a_page_does_not_take_are_refused(cast: Cast, ids: dict[str, Any]) -> None:
    alice = Visitor.of(cast.alice, cast.acme.workspace)
    untaken = [
        (route, method)
        for route, needs in PAGE_RIGHTS.items()
        for method, need in zip(METHODS, needs, strict=True)
        if need == "-"
    ]
    assert {call(alice, *one, ids).status_code for one in untaken} == {405}


@pytest.mark.parametrize("role", ["outsider", "anonymous"])
def test_strangers_change_nothing_and_see_nothing(cast: Cast, ids: dict[str, Any], role: str) -> None:
    visitor = visitor_as(cast, role) if role == "outsider" else Visitor(Client(), cast.acme.workspace)
    before = state_of(cast.acme)
    answers = {
        (method, route): visitor.client.generic(method, address_of(visitor, route, ids)) for route, method, _ in CALLS
    }

    if role == "outsider":
        assert {answer.status_code for answer in answers.values()} == {404}
    else:
        assert {answer.headers.get("Location", "").partition("?")[0] for answer in answers.values()} == {"/sign-in"}
    assert not any(cast.acme.workspace.name in text_of(answer) for answer in answers.values())
    assert state_of(cast.acme) == before


def test_pages_outside_of_workspaces_ask_who_it_is_or_are_public(db: None) -> None:
    client = Client(raise_request_exception=False)
    ids = {"invitation_id": uuid4(), "erasure_id": uuid4(), "token": "x", "uidb64": "x", "page": "x"}
    open_to_all = set()
    for route, _ in addresses(get_resolver().url_patterns, ""):
        if route.startswith((CONSOLE, "admin/", "v1/")):
            continue
        answers = [client.generic(method, f"/{fill_route(route, ids)}") for method in METHODS]
        if not any(answer.headers.get("Location", "").startswith("/sign-in?next=") for answer in answers):
            open_to_all.add(route)

    assert open_to_all == PUBLIC_PAGES
