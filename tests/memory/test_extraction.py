"""Ending a conversation: what is worth keeping becomes a memory, once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conversations.messages.selectors import access_conversation
from conversations.models import Message
from core.stores.queue import waiting_tasks
from llm.providers.errors import ModelUnavailableError
from memory.extraction.services.keep import KeepOutcome
from memory.extraction.tasks import extract_conversation
from memory.working_memory.services.working_set import read_working, write_working
from tests.cast import Cast, Household, RestClient
from tests.llm.server import ModelServer, failing, saying
from tests.together import together
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("memory_on")

TALK = (
    "Hi there! I prefer tea to coffee.",
    "I'm allergic to peanuts. Where can we have lunch?",
    "We decided to open the shop on 4 May.",
)
KEPT = {
    "The user prefers tea to coffee.": "preference",
    "The user is allergic to peanuts.": "fact",
    "The user and others decided to open the shop on 4 May.": "decision",
}


def say(client: RestClient, *contents: str, key: str = "talk", role: str = "user") -> None:
    lines = [{"role": role, "content": content} for content in contents]
    assert client.post(f"conversations/{key}/messages", {"messages": lines}).status_code == 201


def end(client: RestClient, key: str = "talk") -> dict[str, Any]:
    answer = client.post(f"conversations/{key}/end")
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def extract(household: Household, key: str = "talk") -> dict[str, int]:
    conversation = access_conversation(household.caller, key)
    return extract_conversation(str(household.workspace.id), str(conversation.id))


def memories(client: RestClient) -> dict[str, dict[str, Any]]:
    return {memory["content"]: memory for memory in client.get("memories", limit=200).json()["results"]}


def test_an_ended_conversation_leaves_memories_and_stays_readable(cast: Cast, acme: RestClient) -> None:
    say(acme, *TALK)
    queued = waiting_tasks()

    ended = end(acme)

    assert (ended["status"], ended["extracting"], ended["ended_at"] is not None) == ("ended", True, True)
    end(acme)
    assert waiting_tasks() == queued + 1, "One waits, however often it is ended."
    assert extract(cast.acme) == {KeepOutcome.ADDED: 3}
    kept = memories(acme)
    assert {content: memory["tags"] for content, memory in kept.items()} == {c: [t] for c, t in KEPT.items()}
    assert {(memory["source"], memory["author"], memory["kind"]) for memory in kept.values()} == {
        ("extraction", "extraction", "memory")
    }
    assert (
        kept["The user is allergic to peanuts."]["importance"] > kept["The user prefers tea to coffee."]["importance"]
    )
    assert all(0 < memory["confidence"] < 1 for memory in kept.values())
    assert len(acme.get("conversations/talk/messages").json()["results"]) == 3


def test_a_second_run_adds_nothing(cast: Cast, acme: RestClient) -> None:
    say(acme, *TALK)
    end(acme)
    extract(cast.acme)
    before = memories(acme)

    assert extract(cast.acme) == {}
    assert end(acme)["extracting"] is False
    with workspace_scope(cast.acme.caller):
        Message.objects.update(extracted_at=None)  # as after a crash before the last step
    assert extract(cast.acme) == {KeepOutcome.KNOWN: 3}

    assert memories(acme) == before
    for memory in before.values():
        assert len(acme.get(f"memories/{memory['id']}/history").json()["results"]) == 1


def test_the_same_in_other_words_is_merged_with_one_revision(cast: Cast, acme: RestClient) -> None:
    say(acme, "I like hiking in the mountains.")
    end(acme)
    extract(cast.acme)
    say(acme, "I enjoy hiking in the mountains!")
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.KNOWN: 1}

    (memory,) = memories(acme).values()
    assert (memory["content"], memory["confidence"]) == ("The user likes hiking in the mountains.", 0.7975)
    newest = acme.get(f"memories/{memory['id']}/history").json()["results"][0]
    assert (newest["action"], newest["by"]) == ("merge", "extraction")
    assert newest["before"] == {
        "merged": "The user enjoys hiking in the mountains.",
        "confidence": 0.55,
        "importance": 0.5,
    }
    with workspace_scope(cast.acme.caller):
        Message.objects.update(extracted_at=None)
    extract(cast.acme)
    assert len(acme.get(f"memories/{memory['id']}/history").json()["results"]) == 2
    assert memories(acme)[memory["content"]]["confidence"] == 0.7975


def test_merging_leaves_what_a_person_wrote_as_it_is(cast: Cast, acme: RestClient) -> None:
    fact = acme.remembered("The user likes hiking in the mountains.", kind="fact", source="user", confidence=0.5)
    say(acme, "I enjoy hiking in the mountains.", "I like hiking in the mountains.")
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.KNOWN: 2}

    (memory,) = memories(acme).values()
    assert (memory["id"], memory["kind"], memory["confidence"]) == (fact["id"], "fact", 0.5)


def test_opposites_are_both_kept(cast: Cast, acme: RestClient) -> None:
    say(acme, "I prefer tea to coffee.", "I prefer coffee to tea.", "I like cats.", "I don't like cats.")
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.ADDED: 4}


def test_the_forgotten_stays_forgotten_in_any_words(cast: Cast, acme: RestClient) -> None:
    say(acme, "I like hiking in the mountains.")
    end(acme)
    extract(cast.acme)
    (memory,) = memories(acme).values()
    acme.delete(f"memories/{memory['id']}")
    say(acme, "I like hiking in the mountains.", "I enjoy hiking in the mountains.")
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.LEFT_OUT: 2}
    assert memories(acme) == {}
    acme.remembered("The user likes hiking in the mountains.", source="user")
    say(acme, "I enjoy hiking in the mountains.")
    end(acme)
    assert extract(cast.acme) == {KeepOutcome.KNOWN: 1}, "Somebody wants to know it again."


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [
        ("The user's dog is called Biscuit.", "My dog's name is Biscuit."),
        ("The user lives in Bern.", "My home is in Bern."),
        ("The user works at Novartis.", "My employer is Novartis."),
        ("The user is vegetarian.", "I'm a vegetarian."),
        ("The user's wife is allergic to peanuts.", "My wife has a peanut allergy."),
        ("The user has a cat named Miso.", "My cat is called Miso."),
    ],
)
def test_the_forgotten_does_not_come_back_in_words_of_its_own(
    cast: Cast, acme: RestClient, forgotten: str, said: str
) -> None:
    acme.delete(f"memories/{acme.remembered(forgotten)['id']}")
    say(acme, said)
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.LEFT_OUT: 1}
    assert memories(acme) == {}


@pytest.mark.parametrize(
    ("forgotten", "said"),
    [
        ("The user's dog is called Biscuit.", "My dog's name is Max."),
        ("The user's dog is called Biscuit.", "My cat is called Biscuit."),
        ("The user lives in Bern.", "I work in Basel."),
        ("The user likes tea.", "I don't like tea."),
        ("The user has 2 cats.", "I have 3 cats."),
        ("The user has two cats.", "I have three cats."),
        ("The user is allergic to peanuts.", "I'm allergic to shellfish."),
    ],
)
def test_what_says_something_else_than_the_forgotten_is_kept(
    cast: Cast, acme: RestClient, forgotten: str, said: str
) -> None:
    acme.delete(f"memories/{acme.remembered(forgotten)['id']}")
    say(acme, said)
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.ADDED: 1}


def test_only_people_make_statements(cast: Cast, acme: RestClient) -> None:
    say(acme, "I prefer tea to coffee.", role="assistant")
    say(acme, "I prefer tea to coffee.", role="tool")
    end(acme)

    assert extract(cast.acme) == {}


def test_secrets_are_left_out(cast: Cast, acme: RestClient) -> None:
    say(acme, f"I use the token ghp_{'a1B2' * 9} for the shop.")
    end(acme)

    assert extract(cast.acme) == {}  # not even looked at as a statement
    assert acme.get("memories").json()["results"] == []


def test_while_memory_is_off_nothing_is_extracted_and_nothing_later_filled_in(cast: Cast, acme: RestClient) -> None:
    acme.post("memory/disable")
    say(acme, *TALK)
    assert end(acme)["extracting"] is False
    assert extract(cast.acme) == {}

    acme.post("memory/enable")
    assert end(acme)["extracting"] is False
    say(acme, "I live in Bern.")
    assert end(acme)["extracting"] is True
    assert extract(cast.acme) == {KeepOutcome.ADDED: 1}
    assert list(memories(acme)) == ["The user lives in Bern."]


def test_a_conversation_that_ended_while_memory_was_off_is_extracted_when_it_is_asked_for(
    cast: Cast, acme: RestClient
) -> None:
    acme.post("memory/disable")
    say(acme, *TALK)
    off = end(acme)
    assert (off["extracting"], off["memory_enabled"], off["reason"], off["passed_over"]) == (
        False,
        False,
        "memory_off",
        len(TALK),
    )
    assert off["detail"].startswith(f"Memory is off, so {len(TALK)} messages were not searched")
    asked_too_early = acme.post("conversations/talk/end", {"extract": True}).json()
    assert (asked_too_early["reason"], asked_too_early["passed_over"]) == ("memory_off", len(TALK))

    acme.post("memory/enable")
    later = end(acme)
    assert (later["extracting"], later["reason"], later["passed_over"]) == (False, "passed_over", len(TALK))
    assert "not searched for facts and preferences, since memory was off" in later["detail"]
    assert memories(acme) == {}

    asked = acme.post("conversations/talk/end", {"extract": True}).json()
    assert (asked["extracting"], asked["memory_enabled"], asked["reason"], asked["passed_over"]) == (
        True,
        True,
        None,
        0,
    )
    assert sum(extract(cast.acme).values()) > 0
    assert memories(acme)
    done = acme.post("conversations/talk/end", {"extract": True}).json()
    assert (done["extracting"], done["reason"], done["passed_over"]) == (False, "nothing_new", 0)
    assert acme.post("conversations/talk/end", {"extract": "yes"}).status_code == 422


def test_what_is_new_is_extracted_and_the_answer_still_names_what_was_passed_over(acme: RestClient) -> None:
    acme.post("memory/disable")
    say(acme, "I live in Bern.")
    end(acme)
    acme.post("memory/enable")
    say(acme, "I prefer tea to coffee.")

    ended = end(acme)

    assert (ended["extracting"], ended["reason"], ended["passed_over"]) == (True, None, 1)
    assert "1 message was passed over" in ended["detail"]


def test_ending_twice_changes_nothing_and_a_message_opens_it_again(acme: RestClient) -> None:
    say(acme, "one")
    ended_at = end(acme)["ended_at"]
    assert end(acme)["ended_at"] == ended_at

    say(acme, "two")

    assert acme.get("conversations/talk").json()["status"] == "open"
    one, two = acme.get("conversations/talk/messages").json()["results"]
    assert one["session"] != two["session"]


def test_ending_clears_the_working_set(cast: Cast, acme: RestClient, django_capture_on_commit_callbacks: Any) -> None:
    say(acme, "one")
    talk = access_conversation(cast.acme.caller, "talk")
    write_working(workspace_id=talk.workspace_id, conversation_id=talk.id, slot="plan", value={"next": "search"})

    with django_capture_on_commit_callbacks(execute=True):
        end(acme)

    assert read_working(workspace_id=talk.workspace_id, conversation_id=talk.id, slot="plan") is None


def test_ending_needs_write_and_an_empty_body(cast: Cast, acme: RestClient) -> None:
    say(acme, "one")

    assert cast.acme.rest(Right.READ).post("conversations/talk/end").json()["code"] == "missing_scope"
    assert acme.post("conversations/talk/end", {"force": True}).status_code == 422
    assert acme.post("conversations/nobody/end").status_code == 404
    assert acme.get("conversations/talk").json()["status"] == "open"


def test_a_model_finds_what_rules_cannot(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    found = {"content": "The user keeps bees.", "type": "fact", "importance": 0.4, "confidence": 0.95}
    server.will(saying(json.dumps({"statements": [found, {**found, "content": "The user keeps bees!"}]})))
    say(acme, "The bees keep me busy.")
    say(acme, "How many hives?", role="assistant")
    end(acme)

    assert extract(cast.acme) == {KeepOutcome.ADDED: 1, KeepOutcome.KNOWN: 1}

    (memory,) = memories(acme).values()
    assert (memory["content"], memory["importance"], memory["confidence"]) == ("The user keeps bees.", 0.4, 0.95)
    assert "user: The bees keep me busy." in server.seen[0].body["messages"][1]["content"]


def test_a_dead_model_loses_nothing(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    say(acme, *TALK)
    end(acme)
    server.will(failing(500))

    with pytest.raises(ModelUnavailableError):
        extract(cast.acme)

    server.will(saying(json.dumps({"statements": []})))
    assert extract(cast.acme) == {}
    assert end(acme)["extracting"] is False


def test_a_model_is_not_asked_where_nobody_spoke(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    say(acme, "Welcome back.", role="assistant")
    end(acme)

    assert extract(cast.acme) == {}
    assert server.seen == []


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_add_each_statement_once(cast: Cast, acme: RestClient) -> None:
    say(acme, *TALK)

    together([lambda: extract(cast.acme)] * 2)

    assert set(memories(acme)) == set(KEPT)


def test_charlies_memories_stay_apart(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    umbrella.post("memory/enable")
    say(acme, *TALK)
    say(umbrella, *TALK)
    end(acme)
    end(umbrella)
    extract(cast.acme)

    assert memories(umbrella) == {}
    assert extract(cast.umbrella) == {KeepOutcome.ADDED: 3}
