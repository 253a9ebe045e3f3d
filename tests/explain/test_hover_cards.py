"""Hover cards: what stands behind a link, to who may open it, with the verbs that they may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.ids import new_id
from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, text_of
from tests.telemetry.acting import action, record, sequenced, with_memory_on
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

pytestmark = pytest.mark.django_db

FLOUR = "Flour is delivered on Tuesdays."


def card(visitor: Visitor, path: str, **query: str) -> Answer:
    """The card of a page of the visitor's workspace."""
    return visitor.get("card", of=visitor.address(path), **query)


@pytest.fixture
def pages(acme: RestClient) -> dict[str, tuple[str, str]]:
    """A page of each kind, and words of its card."""
    fact = acme.remembered(FLOUR, kind="fact")
    node = acme.post("ontology/nodes", {"type": "person", "name": "Ada", "properties": {"role": "miller"}}).json()
    acme.post("conversations/kitchen/messages", {"role": "user", "content": "Hello, oven."})
    conversation = acme.get("conversations/kitchen").json()["id"]
    run = acme.post("runs", {"agent": "clerk", "conversation": "kitchen"}).json()["id"]
    acme.post(f"runs/{run}/finish", {"status": "succeeded", "output": f"[mem:{fact['id']}]"})
    receipt = acme.post("context", {"query": "Flour?", "conversation": "kitchen"}).json()["receipt_id"]
    return {
        "memory": (f"memory/{fact['id']}", FLOUR),
        "fact as a node": (f"ontology/nodes/{fact['id']}", FLOUR),
        "node": (f"ontology/nodes/{node['id']}", "role: miller"),
        "conversation": (f"conversations/{conversation}", "User: Hello, oven."),
        "asking": (f"explain/ask/{conversation}", "1 message"),
        "run": (f"explain/runs/{run}", "1 thing"),
        "context": (f"receipts/{receipt}", "For Acme agent"),
    }


def test_each_kind_has_a_card(bob: Visitor, pages: dict[str, tuple[str, str]]) -> None:
    for path, words in pages.values():
        answer = card(bob, path)
        assert answer.status_code == 200, path
        assert words in text_of(answer), path
        assert "<html" not in text_of(answer)


def test_an_agent_has_a_card(cast: Cast, bob: Visitor) -> None:
    record(with_memory_on(cast.acme), action(agent="clerk"))
    sequenced(cast.acme)

    page = text_of(card(bob, "agents/agent?name=clerk"))

    assert "clerk" in page
    assert "1 in 1 sequence" in page
    assert card(bob, "agents/agent?name=nobody").status_code == 404
    assert card(bob, "agents/agent").status_code == 404
    assert card(Visitor.of(cast.charlie, cast.umbrella.workspace), "agents/agent?name=clerk").status_code == 404


def test_a_card_shows_the_beginning_without_marks_and_never_markup(bob: Visitor, acme: RestClient) -> None:
    other = acme.remembered(FLOUR)["id"]
    memory = acme.remembered(f"<script>alert(1)</script> [mem:{other}] {'rye ' * 100}")

    page = text_of(card(bob, f"memory/{memory['id']}"))

    assert "<script>" not in page
    assert "[mem:" not in page
    assert "¹" in page
    assert page.count("rye") < 60


@pytest.mark.parametrize(("role", "may"), [(Role.MEMBER, True), (Role.VIEWER, False)])
def test_verbs_are_those_that_one_may_use(
    cast: Cast, acme: RestClient, pages: dict[str, tuple[str, str]], role: Role, may: bool
) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    memory, node, asking = (text_of(card(bob, pages[name][0])) for name in ("memory", "node", "conversation"))

    assert ('data-verb="suppress"' in memory, ">Edit</a>" in memory, ">Edit</a>" in node) == (may, may, may)
    assert ("Ask in it" in asking) is may


def test_what_was_forgotten_says_by_whom_and_can_be_restored(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(FLOUR)
    bob.post(f"memory/{memory['id']}/forget")

    page = text_of(card(bob, f"memory/{memory['id']}"))

    assert "Bob forgot this" in page
    assert 'data-verb="restore"' in page


@pytest.mark.parametrize(
    "of",
    ["", "nowhere", "memory", "/sign-in", "//elsewhere.example/w/acme/memory", "memory/\x00", "http://[", "x" * 3000],
)
def test_what_has_no_card_says_that_it_is_gone(bob: Visitor, of: str) -> None:
    answer = card(bob, of)

    assert answer.status_code == 404
    assert "Not here any more" in text_of(answer)


def test_what_is_not_an_address_has_no_card(bob: Visitor) -> None:
    assert bob.get("card", of="http://[").status_code == 404


def test_what_never_was_looks_like_what_is_gone(bob: Visitor) -> None:
    for path in ("memory", "ontology/nodes", "conversations", "explain/runs", "receipts"):
        assert "Not here any more" in text_of(card(bob, f"{path}/{new_id()}")), path


def test_the_outsider_sees_no_card(cast: Cast, pages: dict[str, tuple[str, str]]) -> None:
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)
    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)

    for path, words in pages.values():
        assert card(charlie, path).status_code == 404
        for of in (charlie.address(path), at_home.address(path)):
            answer = at_home.get("card", of=of)
            assert answer.status_code == 404
            assert words not in text_of(answer)


def test_a_card_keeps_to_the_space(cast: Cast, acme: RestClient) -> None:
    mine = f"user:{cast.bob.id}"
    kept = acme.remembered("Bob takes lemon.", space=mine)
    bob, alice = (Visitor.of(each, cast.acme.workspace) for each in (cast.bob, cast.alice))

    assert "lemon" in text_of(card(bob, f"memory/{kept['id']}", space=mine))
    assert f"/pin?space=user%3A{cast.bob.id}" in text_of(card(bob, f"memory/{kept['id']}", space=mine))
    assert card(bob, f"memory/{kept['id']}").status_code == 404
    assert card(alice, f"memory/{kept['id']}").status_code == 404


def test_a_shared_thing_is_shown_where_it_can_be_changed(cast: Cast, bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(FLOUR)

    answer = card(bob, f"memory/{memory['id']}", space=f"user:{cast.bob.id}")

    assert answer.status_code == 302
    assert urlsplit(answer.headers["Location"]).path == bob.address("card")
    assert FLOUR in text_of(bob.client.get(answer.headers["Location"]))


def test_a_card_asks_few_questions(bob: Visitor, acme: RestClient, pages: dict[str, tuple[str, str]]) -> None:
    def count(path: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            card(bob, path)
        return len(asked)

    measure: Callable[[], list[int]] = lambda: [count(path) for path, _ in pages.values()]  # noqa: E731
    measure()
    before = measure()
    lines: list[dict[str, Any]] = [{"role": "user", "content": f"Line {each}."} for each in range(20)]
    for line in lines:
        acme.post("conversations/kitchen/messages", line)

    assert measure() == before
    assert max(before) < 40
