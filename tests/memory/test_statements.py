"""What an episode keeps beside its summary: statements, written together with it, found, and gone with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from core.embedding import query_vector
from core.text.tokens import count_tokens
from llm.embedding.services.backlog import embed_for_a_while
from memory.episodes.services import consolidation
from memory.episodes.services.statement_search import RankedStatement, search_statements
from memory.models import EpisodeStatement
from tests.cast import Cast, Household, RestClient
from tests.memory.test_episodes import consolidate, conversation_of, messages_left
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("memory_on")

SAID = (
    ("Hey Ben! Good to see you!", "Ana"),
    ("Hi Ana! How long have you been living in Lisbon?", "Ben"),
    ("Five years already!", "Ana"),
    ("I adopted a greyhound called Biscuit last Friday.", "Ana"),
    ("Wow, that's great!", "Ben"),
    ("I'm going to run the marathon in Porto next month.", "Ben"),
)
AT = "2023-05-10T09:00:00Z"


def say(client: RestClient, *, key: str = "garden", **place: str) -> None:
    lines = [{"role": "user", "name": name, "content": text, "created_at": AT} for text, name in SAID]
    assert client.post(f"conversations/{key}/messages", {"messages": lines, **place}).status_code == 201


def consolidated(client: RestClient) -> list[dict[str, Any]]:
    say(client)
    (episode,) = consolidate(client, retain_last=0)["episodes"]
    return list(episode["statements"])


def search(caller: Caller, query: str, **options: Any) -> list[RankedStatement]:
    vector = query_vector(query, partition=caller.cache_partition)
    return list(search_statements(caller=caller, query=query, vector=vector, **options).hits)


def count(household: Household) -> int:
    with workspace_scope(household.caller):
        return EpisodeStatement.objects.of(household.caller).count()


def test_an_episode_keeps_statements_that_can_be_understood_alone(cast: Cast, acme: RestClient) -> None:
    kept = consolidated(acme)

    assert [(each["text"], each["kind"], each["speaker"]) for each in kept] == [
        ('Asked "How long has Ana been living in Lisbon?", Ana said: Five years already!', "fact", "Ana"),
        ("Ana adopted a greyhound called Biscuit on Friday, 5 May 2023.", "event", "Ana"),
        ("Ben is going to run the marathon in Porto in June 2023.", "plan", "Ben"),
    ]
    assert {each["said_at"] for each in kept} == {AT}
    assert all(0 < each["confidence"] <= 1 for each in kept)
    assert acme.get("conversations/garden/episodes").json()["results"][0]["statements"] == kept
    assert acme.get("conversations/garden/window").json()["episodes"][0]["statements"] == kept
    assert messages_left(cast.acme) == 0


def test_statements_and_the_deletion_of_their_sources_are_one_transaction(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(acme)

    def fail(**kwargs: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(consolidation, "purge_responses", fail)
    with pytest.raises(RuntimeError):
        consolidation.summarize_old_turns(
            caller=cast.acme.caller, conversation=conversation_of(cast.acme), retain_last=0, max_age_days=1
        )

    assert (count(cast.acme), messages_left(cast.acme)) == (0, len(SAID))


def test_statements_are_found_by_words_and_by_meaning(cast: Cast, acme: RestClient) -> None:
    consolidated(acme)
    caller = cast.acme.caller
    by_words = search_statements(caller=caller, query="greyhound", vector=None)
    assert by_words.method == "keyword"
    assert (by_words.hits[0].found.confidence or 0) > 0

    assert embed_for_a_while(workspace_id=caller.workspace_id, seconds=60)[1]
    best = search(caller, "What pet does Ana have?")[0]

    assert "greyhound" in best.statement.text
    assert 0 < (best.found.confidence or 0) <= 1
    assert best.found.score > 0
    assert search(caller, "greyhound", conversation=conversation_of(cast.acme).id)
    assert acme.post("conversations/other/messages", {"role": "user", "content": "Hello"}).status_code == 201
    assert not search(caller, "greyhound", conversation=conversation_of(cast.acme, "other").id)


@pytest.mark.parametrize("leave", [lambda client: client.delete("conversations/garden")])
def test_statements_go_with_their_conversation(
    cast: Cast, acme: RestClient, leave: Callable[[RestClient], object]
) -> None:
    consolidated(acme)
    assert count(cast.acme) == 3

    leave(acme)

    assert count(cast.acme) == 0


def test_statements_stay_in_their_space(cast: Cast, acme: RestClient) -> None:
    say(acme, user="ana")
    assert acme.post("conversations/garden/consolidate", {"retain_last": 0, "user": "ana"}).status_code == 200

    assert count(cast.acme) == 0
    assert search(cast.acme.caller, "greyhound") == []
    shown = acme.get("conversations/garden/episodes", user="ana").json()["results"][0]["statements"]
    assert len(shown) == 3


def test_charlie_sees_no_statement(cast: Cast, acme: RestClient) -> None:
    consolidated(acme)

    assert search(cast.umbrella.caller, "greyhound") == []
    with workspace_scope(cast.umbrella.caller), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM app.episode_statements")
        assert cursor.fetchone() == (0,)


def test_long_answers_are_cut_to_a_third(cast: Cast, acme: RestClient) -> None:
    answer = "\n".join(
        f"{n}. **Step {n} of the plan**: Write {n} pages about the harvest of {1990 + n}." for n in range(40)
    )
    lines = [
        {"role": "user", "content": "Can you help me plan my book about the harvest?", "created_at": AT},
        {"role": "assistant", "content": f"Certainly! Here is a plan.\n{answer}", "created_at": AT},
    ]
    assert acme.post("conversations/garden/messages", {"messages": lines}).status_code == 201

    (episode,) = consolidate(acme, retain_last=0)["episodes"]

    texts = [each["text"] for each in episode["statements"]]
    assert texts[0] == "The user asked the assistant to help them plan their book about the harvest."
    assert sum(map(count_tokens, texts)) <= sum(count_tokens(line["content"]) for line in lines) / 3
