"""A statement that says what a replaced memory of its message says is over as well, in whichever order both came."""

from __future__ import annotations

import pytest

from conversations.messages.selectors import access_conversation
from memory.extraction.tasks import extract_conversation
from memory.models import EpisodeStatement
from tests.cast import Cast, RestClient
from workspaces.access.scope import workspace_scope

BEFORE = "My passport renewal is on 8 December 2026 at 11:00."
AFTER = "My passport renewal has been postponed to Friday, 18 December at 10:00."


@pytest.fixture
def acme(cast: Cast) -> RestClient:
    client = cast.acme.rest()
    client.post("memory/enable")
    return client


def tell(client: RestClient, key: str, content: str, *, at: str) -> None:
    said = [content, "The oven of the harbour bakery is cold."]
    messages = [{"role": "user", "name": "Ana", "content": each, "created_at": at} for each in said]
    assert client.post(f"conversations/{key}/messages", {"messages": messages}).status_code == 201


def end(cast: Cast, client: RestClient, key: str) -> None:
    assert client.post(f"conversations/{key}/end").status_code == 200
    conversation = access_conversation(cast.acme.caller, key)
    extract_conversation(str(cast.acme.workspace.id), str(conversation.id))


def consolidate(client: RestClient, key: str) -> None:
    made = client.post(f"conversations/{key}/consolidate", {"retain_last": 0, "max_age_days": 0})
    assert len(made.json()["episodes"]) == 1


def closer_of(cast: Cast, words: str) -> str:
    with workspace_scope(cast.acme.caller):
        found = EpisodeStatement.objects.select_related("superseded_by_memory__node").get(text__contains=words)
        return found.superseded_by_memory.content if found.superseded_by_memory else ""


def tell_both(client: RestClient) -> None:
    tell(client, "first", BEFORE, at="2026-11-20T09:00:00Z")
    tell(client, "second", AFTER, at="2026-11-25T09:00:00Z")


def test_it_is_closed_where_the_episode_is_made_first(cast: Cast, acme: RestClient) -> None:
    tell_both(acme)
    end(cast, acme, "first")
    consolidate(acme, "first")
    assert closer_of(cast, "8 December") == ""

    end(cast, acme, "second")

    assert "18 December" in closer_of(cast, "8 December")


def test_it_is_closed_where_the_memories_are_made_first(cast: Cast, acme: RestClient) -> None:
    tell_both(acme)
    end(cast, acme, "first")
    end(cast, acme, "second")

    consolidate(acme, "first")

    assert "18 December" in closer_of(cast, "8 December")


def test_it_opens_again_with_the_memory(cast: Cast, acme: RestClient) -> None:
    tell_both(acme)
    for key in ("first", "second"):
        end(cast, acme, key)
    consolidate(acme, "first")
    newer = next(each for each in acme.get("memories").json()["results"] if "18 December" in each["content"])

    acme.delete(f"memories/{newer['id']}")

    assert closer_of(cast, "8 December") == ""


def test_it_opens_again_where_a_person_says_that_the_memory_holds(cast: Cast, acme: RestClient) -> None:
    tell_both(acme)
    end(cast, acme, "first")
    older = next(each for each in acme.get("memories").json()["results"] if "8 December" in each["content"])
    end(cast, acme, "second")
    consolidate(acme, "first")
    assert "18 December" in closer_of(cast, "8 December")

    assert acme.post(f"memories/{older['id']}/reopen").status_code == 200

    assert closer_of(cast, "8 December") == ""


def test_a_statement_that_says_more_stays(cast: Cast, acme: RestClient) -> None:
    more = "My passport renewal is on 8 December 2026 at 11:00, and Ida bakes rye bread, spelt rolls and three cakes."
    tell(acme, "first", more, at="2026-11-20T09:00:00Z")
    tell(acme, "second", AFTER, at="2026-11-25T09:00:00Z")
    for key in ("first", "second"):
        end(cast, acme, key)

    consolidate(acme, "first")

    assert closer_of(cast, "8 December") == ""
