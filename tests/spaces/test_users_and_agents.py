"""The page Users and agents: who is there, how much is in their spaces, found by name, in pages."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.space_grants import grant_space
from workspaces.models import Space, SpaceKind

pytestmark = pytest.mark.django_db


@pytest.fixture
def rest(cast: Cast) -> RestClient:
    return cast.acme.rest()


def _rows(answer: Any) -> list[list[str]]:
    """The cells of the list, as text."""
    assert answer.status_code == 200, answer.content
    body = re.search(r"<tbody.*?</tbody>", text_of(answer), re.S)
    rows = re.findall(r"<tr.*?</tr>", body[0], re.S) if body else []
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.S)] for row in rows
    ]


def _names(answer: Any) -> list[str]:
    return [row[2] for row in _rows(answer)]


def _many(cast: Cast, number: int) -> None:
    caller = cast.acme.caller
    with workspace_scope(caller):
        Space.objects.bulk_create(
            Space(workspace_id=caller.workspace_id, kind=SpaceKind.USER, key=f"{one:05}") for one in range(number)
        )


def test_each_space_is_there_with_its_counts(cast: Cast, alice: Visitor, rest: RestClient) -> None:
    rest.remembered("Shared tea.")
    for text in ("One tea.", "Two teas."):
        rest.remembered(text, user="42")
    gone = rest.remembered("No tea.", user="42")
    rest.delete(f"memories/{gone['id']}", {"user": "42"})
    rest.post("conversations/c/messages", {"role": "user", "content": "Hello.", "user": "42"})
    rest.remembered("Pots.", agent="clerk")
    rest.remembered("Rockets.", space="project:apollo")
    rest.remembered("Bob's tea.", space=f"user:{cast.bob.id}")
    cast.umbrella.rest().remembered("Elsewhere.", user="elsewhere")

    rows = {row[2]: row for row in _rows(alice.get("spaces"))}

    assert set(rows) >= {"shared", "user:42", "agent:clerk", "project:apollo"}
    assert rows["shared"][:2] + rows["shared"][3:5] == ["shared", "Shared", "1", "0"]
    assert rows["user:42"][:2] + rows["user:42"][3:5] == ["42", "User", "2", "1"]
    assert rows["agent:clerk"][:2] + rows["agent:clerk"][3:5] == ["clerk", "Agent", "1", "0"]
    assert rows["project:apollo"][:2] == ["project:apollo", "Custom"]
    assert "None" not in rows["user:42"][5]
    assert "Bob" in {row[0] for row in rows.values()}
    assert "user:elsewhere" not in rows
    assert 'href="/w/' in text_of(alice.get("spaces"))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "4"}, {"user:42", "user:43"}),
        ({"q": "user:42"}, {"user:42"}),
        ({"q": "project:a"}, {"project:apollo"}),
        ({"kind": "agent"}, {"agent:clerk"}),
        ({"kind": "custom"}, {"project:apollo"}),
        ({"kind": "user", "q": "clerk"}, set()),
        ({"q": "%"}, set()),
    ],
)
def test_spaces_are_found_by_name_and_kind(
    alice: Visitor, rest: RestClient, query: dict[str, str], found: set[str]
) -> None:
    for space in ("user:42", "user:43", "agent:clerk", "project:apollo"):
        rest.remembered(f"Of {space}.", space=space)

    assert set(_names(alice.get("spaces", **query))) == found


def test_members_are_found_by_their_names(cast: Cast, alice: Visitor, rest: RestClient) -> None:
    rest.remembered("Bob's tea.", space=f"user:{cast.bob.id}")
    rest.remembered("Alice's tea.", space=f"user:{cast.alice.id}")

    assert [row[0] for row in _rows(alice.get("spaces", q="bO"))] == ["Bob"]
    assert [row[0] for row in _rows(alice.get("spaces", q="alice@acme"))] == ["Alice"]


def test_ten_thousand_users_take_as_many_statements_as_two(cast: Cast, alice: Visitor) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert len(_rows(alice.get("spaces"))) > 1
        return len(asked)

    _many(cast, 2)
    alice.get("spaces")
    few = statements()
    caller = cast.acme.caller
    with workspace_scope(caller):
        Space.objects.of(caller).filter(kind=SpaceKind.USER).delete()
    _many(cast, 10_000)

    assert statements() == few


def test_the_list_is_in_pages(cast: Cast, alice: Visitor) -> None:
    _many(cast, 120)
    seen, answer = [], alice.get("spaces")
    while True:
        seen += _names(answer)
        following = re.search(r'rel="next" href="([^"]+)"', text_of(answer))
        if not following:
            break
        answer = alice.client.get(following[1].replace("&amp;", "&"))

    assert seen == ["shared", *(f"user:{one:05}" for one in range(120))]


def test_a_member_sees_what_they_may_open(cast: Cast, rest: RestClient) -> None:
    bob = Visitor.of(cast.bob, cast.acme.workspace)
    mine = f"user:{cast.bob.id}"
    for space in ("user:42", "project:apollo", "project:zeus", mine):
        rest.remembered(f"Of {space}.", space=space)
    grant_space(caller=cast.acme.caller, user_id=cast.bob.id, space="project:apollo")

    rows = _rows(bob.get("spaces"))

    assert {row[2]: row[3] for row in rows} == {"shared": "0", mine: "1", "project:apollo": "1"}
    assert _names(bob.get("spaces", q="4")) == []


@pytest.mark.parametrize("query", [{"kind": "nothing"}, {"cursor": "cD0lMDA="}, {"q": "a\x00b"}])
def test_a_bad_query_is_refused(alice: Visitor, query: dict[str, str]) -> None:
    assert alice.get("spaces", **query).status_code == 422


def test_it_is_in_the_navigation(alice: Visitor) -> None:
    page = text_of(alice.get("memory"))

    assert f'href="{alice.address("spaces")}"' in page
    assert "Users and agents" in page
