"""Chat quotes what its caller may read at that moment, and no other space, with a model and without one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cast import Cast, RestClient
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, model_server, saying
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db

GATES = {"shared": "amber", "user:42": "birch", "user:43": "coral", "agent:clerk": "denim", "project:a": "ebony"}
QUESTION = "At which gate is flour delivered?"
CASES: list[tuple[list[str], dict[str, Any], set[str]]] = [
    (["user:42"], {}, {"user:42"}),
    (["user:42"], {"user": "42"}, {"user:42"}),
    (["user:42", "shared"], {"user": "42"}, {"user:42", "shared"}),
    (["user:42", "shared"], {"user": "42", "shared": False}, {"user:42"}),
    (["user:42", "shared"], {}, {"shared"}),
    (["user:*", "agent:clerk"], {"user": "42", "agent": "clerk"}, {"user:42", "agent:clerk"}),
    ([], {}, {"shared"}),
    ([], {"space": "project:a"}, {"project:a", "shared"}),
]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model provider, running."""
    with model_server() as running:
        yield running


@pytest.fixture
def rest(cast: Cast) -> RestClient:
    """The key of the workspace, after a fact, a message and a profile were kept in every space."""
    rest = cast.acme.rest()
    rest.put("settings", {"memory": {"enabled": True}})
    for space, gate in GATES.items():
        rest.remembered(f"Flour is delivered at the {gate} gate.", kind="fact", space=space)
        said = {"role": "user", "content": f"Is flour delivered at the {gate} gate?", "space": space}
        assert rest.post("conversations/earlier/messages", said).status_code == 201
    return rest


def _bound(cast: Cast, spaces: list[str]) -> RestClient:
    made = create_key(caller=cast.acme.caller, name="bound", scopes=[Right.READ, Right.WRITE], spaces=spaces)
    return RestClient(cast.acme.workspace.id, made.secret)


def _named(text: str) -> set[str]:
    """Return the spaces whose gate a text names."""
    return {space for space, gate in GATES.items() if gate in text}


@pytest.mark.usefixtures("rest")
@pytest.mark.parametrize(("spaces", "named", "readable"), CASES, ids=range(len(CASES)))
def test_without_a_model_nothing_but_readable_spaces_is_quoted(
    cast: Cast, spaces: list[str], named: dict[str, Any], readable: set[str]
) -> None:
    turn = _bound(cast, spaces).post("chat", {"conversation": "c", "message": QUESTION, **named})

    assert turn.status_code == 200, turn.content
    assert readable >= _named(turn.content.decode()) != set()


@pytest.mark.usefixtures("rest")
@pytest.mark.parametrize(("spaces", "named", "readable"), CASES, ids=range(len(CASES)))
def test_a_model_is_sent_nothing_but_readable_spaces(
    cast: Cast,
    server: ModelServer,
    spaces: list[str],
    named: dict[str, Any],
    readable: set[str],
) -> None:
    choose(cast.acme, server)
    server.will(saying("At a gate."))

    assert _bound(cast, spaces).post("chat", {"conversation": "c", "message": QUESTION, **named}).status_code == 200

    (asked,) = server.seen
    assert _named(json.dumps(asked.body)) == readable


@pytest.mark.usefixtures("rest")
def test_what_was_answered_with_what_is_shared_is_read_in_the_users_conversation(cast: Cast) -> None:
    asked = {"conversation": "c", "message": QUESTION, "user": "42"}
    assert "shared" in _named(_bound(cast, ["user:42", "shared"]).post("chat", asked).content.decode())
    alone = _bound(cast, ["user:42"])

    said = alone.get("conversations/c/messages").content.decode()
    again = alone.post("chat", {**asked, "conversation": "d"}).json()

    assert "shared" in _named(said)
    assert alone.get("memories", user="42", shared="true").status_code == 200
    assert [fact for fact in alone.get("memories").json()["results"] if GATES["shared"] in fact["content"]] == []
    assert again["run"]["status"] == "succeeded"
