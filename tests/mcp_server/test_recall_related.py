"""`memory_recall` over every layer: what was said, what remains of it and other nodes, beside memories and facts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from mcp.client.client import Client

from tests.cast import Cast, RestClient, assemble_cast
from tests.mcp_server.serving import door_served, in_session

pytestmark = pytest.mark.django_db(transaction=True)
Recall = Callable[..., dict[str, Any]]
QUERY = "Who mends the lantern of the lighthouse?"


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    """The cast for a server in another thread, which sees only what is committed."""
    return assemble_cast()


@pytest.fixture
def recall(cast: Cast, acme: RestClient) -> Any:
    with door_served() as address:

        def call(**arguments: Any) -> dict[str, Any]:
            async def work(client: Client) -> Any:
                return (await client.call_tool("memory_recall", arguments)).structured_content

            found: dict[str, Any] = in_session(address, acme.secret, work)
            return found

        yield call


def said(client: RestClient, content: str, conversation: str = "c-1", **more: Any) -> str:
    answer = client.post(f"conversations/{conversation}/messages", {"role": "user", "content": content, **more})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def test_what_was_said_and_other_things_are_found(acme: RestClient, recall: Recall) -> None:
    memory = acme.remembered("The lantern of the lighthouse was made in Delft.")
    message = said(acme, "Jorun mends the lantern of the lighthouse every autumn.")
    node = acme.post(
        "ontology/nodes",
        {"type": "thing", "name": "Lantern of the lighthouse", "properties": {"state": "Jorun mends it"}},
    ).json()

    found = recall(query=QUERY)

    assert [hit["memory"]["id"] for hit in found["results"]] == [memory["id"]]
    lines = {each["layer"]: each["line"] for each in found["related"]}
    assert lines["messages"].startswith(f"- [msg:{message}] ")
    assert "Jorun mends the lantern" in lines["messages"]
    assert lines["nodes"].startswith(f"- [node:{node['id']}] ")
    confidences = [each["confidence"] for each in found["related"]]
    assert confidences == sorted(confidences, reverse=True)


def test_the_same_words_are_found_once(acme: RestClient, recall: Recall) -> None:
    text = "Jorun mends the lantern of the lighthouse every autumn."
    acme.remembered(text)
    said(acme, text)

    assert recall(query=QUERY)["related"] == []


def test_at_most_as_many_as_asked(acme: RestClient, recall: Recall) -> None:
    for number in range(6):
        said(acme, f"Jorun mends the lantern of the lighthouse, part {number}.", conversation=f"c-{number}")

    assert len(recall(query=QUERY, limit=2)["related"]) == 2


@pytest.mark.parametrize("narrow", [{"kinds": ["fact"]}, {"tags": ["x"]}, {"mode": "keyword"}])
def test_what_narrows_to_memories_finds_these_alone(acme: RestClient, recall: Recall, narrow: dict[str, Any]) -> None:
    said(acme, "Jorun mends the lantern of the lighthouse every autumn.")

    assert recall(query=QUERY, **narrow)["related"] == []


def test_nothing_that_does_not_bear_on_the_query(acme: RestClient, recall: Recall) -> None:
    said(acme, "The bakery opens at seven.")

    assert recall(query=QUERY)["related"] == []


def test_no_words_of_another_user(acme: RestClient, recall: Recall) -> None:
    said(acme, "Jorun mends the lantern of the lighthouse every autumn.", user="alice")

    assert recall(query=QUERY)["related"] == []
    assert recall(query=QUERY, user="bob")["related"] == []
    assert len(recall(query=QUERY, user="alice")["related"]) == 1


def test_what_is_written_without_spaces_is_recalled(recall: Recall, acme: RestClient) -> None:
    text = "田中さんは東京に住んでいます。"
    acme.remembered(text)

    assert [hit["memory"]["content"] for hit in recall(query="東京", mode="keyword")["results"]] == [text]
    assert recall(query="大阪", mode="keyword")["results"] == []
