"""One user's working memory is in contexts for that user, and in no other: a test for each door that assembles one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from core.clock import utc_now
from tests.cast import Cast, RestClient
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, model_server, saying
from tests.pages import Visitor
from workspaces.access.callers import Right
from workspaces.access.selectors import own_space
from workspaces.keys.on_behalf_stamps import HEADER, make_stamp
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db

QUESTION = "What am I working on?"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model provider, running."""
    with model_server() as running:
        running.will(saying("On bread."))
        yield running


@pytest.fixture
def kept(cast: Cast) -> dict[str, str]:
    """What is kept about each user of Acme, by key; Bob and Alice are members."""
    words = {"42": "birch", "43": "coral", own_space(cast.bob.id).key: "denim", own_space(cast.alice.id).key: "ebony"}
    for key, word in words.items():
        cast.acme.rest().patch(f"users/{key}/memory", {"sections": {"Current Goals": f"Build the {word} oven."}})
    return words


def named(kept: dict[str, str], text: str) -> set[str]:
    """Return the users whose page a text quotes."""
    return {key for key, word in kept.items() if f"{word} oven" in text}


def bound(cast: Cast, *spaces: str, is_stamped: bool = False) -> RestClient:
    made = create_key(
        caller=cast.acme.caller, name="bound", scopes=[Right.READ, Right.WRITE], spaces=spaces, is_stamped=is_stamped
    )
    return RestClient(cast.acme.workspace.id, made.secret)


# Spaces of a key, what its call names, the user whom it is for.
Call = tuple[list[str], dict[str, Any], set[str]]
CALLS: list[Call] = [
    ([], {"user": "42"}, {"42"}),
    ([], {"user": "42", "agent": "clerk", "space": "agent:clerk"}, {"42"}),
    ([], {"space": "user:43"}, {"43"}),
    ([], {"agent": "clerk"}, set()),
    ([], {}, set()),
    (["user:42"], {}, {"42"}),
    (["user:42", "shared"], {}, set()),
    (["user:*"], {"user": "43", "shared": False}, {"43"}),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_context_over_rest(cast: Cast, kept: dict[str, str], call: Call) -> None:
    spaces, fields, users = call

    answer = bound(cast, *spaces).post("context", {"query": QUESTION, **fields})

    assert answer.status_code == 200, answer.content
    assert named(kept, answer.content.decode()) == users


@pytest.mark.parametrize("call", CALLS)
def test_the_chat_over_rest(cast: Cast, kept: dict[str, str], server: ModelServer, call: Call) -> None:
    spaces, fields, users = call
    choose(cast.acme, server)

    answer = bound(cast, *spaces).post("chat", {"conversation": "c", "message": QUESTION, **fields})

    assert answer.status_code == 200, answer.content
    (asked,) = server.seen
    assert named(kept, json.dumps(asked.body)) == users
    assert named(kept, answer.content.decode()) == set()


def test_a_stamped_key_is_for_the_user_of_its_stamp(cast: Cast, kept: dict[str, str]) -> None:
    rest = bound(cast, "user:*", "shared", is_stamped=True)
    stamp = make_stamp(secret=rest.secret, user="42", now=utc_now())
    address = f"/v1/workspaces/{cast.acme.workspace.id}/context"

    answer = Client().post(
        address,
        {"query": QUESTION},
        content_type="application/json",
        headers={"Authorization": f"Bearer {rest.secret}", HEADER: stamp},
    )

    assert named(kept, answer.content.decode()) == {"42"}


def test_a_member_who_chats_in_their_own_space(cast: Cast, kept: dict[str, str], server: ModelServer) -> None:
    choose(cast.acme, server)
    own = own_space(cast.bob.id)
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    bob.client.post(
        f"{bob.address('explain/ask')}?space={own}", {"conversation": f"chat-{own.key[-8:]}-1", "message": QUESTION}
    )

    (asked,) = server.seen
    assert named(kept, json.dumps(asked.body)) == {own.key}


@pytest.mark.parametrize("space", ["shared", "bob"])
def test_an_owner_is_not_given_it_in_chat(cast: Cast, kept: dict[str, str], server: ModelServer, space: str) -> None:
    """Neither their own, where all members read the answer, nor another's whose space they opened."""
    choose(cast.acme, server)
    opened = str(own_space(cast.bob.id)) if space == "bob" else "shared"
    alice = Visitor.of(cast.alice, cast.acme.workspace)

    alice.client.post(
        f"{alice.address('explain/ask')}?space={opened}",
        {"conversation": f"chat-{str(cast.alice.id)[-8:]}-1", "message": QUESTION},
    )

    (asked,) = server.seen
    assert named(kept, json.dumps(asked.body)) == set()


def test_the_outsider(cast: Cast, kept: dict[str, str], server: ModelServer) -> None:
    choose(cast.umbrella, server)
    charlie = cast.umbrella.rest()

    for key in kept:
        asked = {"query": QUESTION, "user": key}
        assert named(kept, charlie.post("context", asked).content.decode()) == set()
        assert named(kept, charlie.get(f"users/{key}/memory").content.decode()) == set()
        charlie.post("chat", {"conversation": f"c-{key}", "message": QUESTION, "user": key})
    assert named(kept, json.dumps([seen.body for seen in server.seen])) == set()
