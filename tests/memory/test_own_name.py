"""In a user's space, what a user says without a name is theirs: a question that names them finds it."""

from __future__ import annotations

from typing import Any

import pytest

from conversations.indexing.services.index_writer import rebuild_index
from tests.cast import Cast, RestClient
from workspaces.access.spaces import SHARED, SpaceName, parse_space

PEANUTS = "I am allergic to peanuts."
QUESTION = "What is Mara allergic to?"


def add(client: RestClient, content: str, *, role: str = "user", **fields: Any) -> str:
    answer = client.post("add", {"messages": [{"role": role, "content": content}], **fields})
    assert answer.status_code == 201, answer.content
    identity: str = answer.json()["message_ids"][0]
    return identity


def recalled(client: RestClient, block: str, **fields: Any) -> list[str]:
    """The ids of a block of the context for the question."""
    blocks = client.post("context", {"query": QUESTION, **fields}).json()["blocks"]
    return [item["id"] for each in blocks if each["name"] == block for item in each["items"]]


def found(client: RestClient, query: str, **fields: Any) -> list[str]:
    answer = client.post("messages/search", {"query": query, **fields}).json()
    return [hit["message"]["id"] for hit in answer["results"] if "named_speaker" in hit["reasons"]]


@pytest.mark.parametrize("user", ["mara", "Mara Olsen", "mara.olsen", "mara@example.com"])
def test_a_question_that_names_the_user_finds_what_they_said(acme: RestClient, user: str) -> None:
    said = add(acme, PEANUTS, user=user)
    add(acme, "The tide turns at noon on the north beach.", user=user)

    assert said in recalled(acme, "messages", user=user)


@pytest.mark.usefixtures("memory_on")
def test_it_finds_memories_of_the_user(acme: RestClient) -> None:
    body = {"content": "The user is allergic to peanuts.", "user": "mara"}
    memory = acme.post("memories", body).json()["id"]

    assert memory in recalled(acme, "memories", user="mara")
    hits = acme.post("memories/search", {"query": QUESTION, "user": "mara", "mode": "keyword"}).json()["results"]
    of_name = acme.post("memories/search", {"query": QUESTION, "user": "ben", "mode": "keyword"}).json()["results"]
    assert [hit["memory"]["id"] for hit in hits] == [memory]
    assert of_name == []


def test_the_name_is_of_the_user_alone(acme: RestClient) -> None:
    said = add(acme, PEANUTS, user="mara")
    add(acme, "I see. No peanuts.", role="assistant", user="mara")
    add(acme, PEANUTS)
    add(acme, PEANUTS, user="u-4711")

    assert found(acme, QUESTION, user="mara") == [said]
    assert found(acme, QUESTION) == []
    assert found(acme, "What is user allergic to?", user="u-4711") == []


def test_another_space_and_charlie_see_nothing(acme: RestClient, umbrella: RestClient) -> None:
    add(acme, PEANUTS, user="mara")

    for client, user in ((acme, "ben"), (umbrella, "mara")):
        assert recalled(client, "messages", user=user) == []
        assert found(client, QUESTION, user=user) == []


def test_an_index_that_is_made_again_has_the_name(cast: Cast, acme: RestClient) -> None:
    said = add(acme, PEANUTS, user="mara")

    rebuild_index(workspace_id=cast.acme.workspace.id)

    assert found(acme, QUESTION, user="mara") == [said]


@pytest.mark.parametrize(
    ("space", "name"),
    [
        (SpaceName("user", "mara"), "mara"),
        (SpaceName("user", "Mara Olsen"), "Mara Olsen"),
        (SpaceName("user", "mara_olsen@example.com"), "mara olsen"),
        (SpaceName("user", "Zoë O’Brien"), "Zoë O’Brien"),
        (SpaceName("user", "42"), ""),
        (SpaceName("user", "u-4711"), ""),
        (SpaceName("user", "0190a5b2-7c3e-7a55-9d2f-0242ac120002"), ""),
        (SpaceName("user", "auth0|mara"), ""),
        (SHARED, ""),
        (parse_space("project:mara"), ""),
    ],
)
def test_the_name_of_a_user_is_in_the_key_or_nowhere(space: SpaceName, name: str) -> None:
    assert space.user_name == name
