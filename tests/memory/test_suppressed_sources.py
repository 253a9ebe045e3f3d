"""While a memory is suppressed, agents are not told what it was drawn from either."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from memory.memories.services.lifecycle import apply_transition
from memory.memories.transitions import Verb
from tests.cast import Cast, RestClient
from tests.memory.test_extraction import end, extract, memories, say
from tests.memory.test_sources import TEA

pytestmark = pytest.mark.usefixtures("memory_on")

QUESTION = "Where is the oven of the harbour bakery from, and is it tea or coffee that the user prefers?"
SAID = "I prefer tea to coffee."
REST = "The oven of the harbour bakery is cold."


@pytest.fixture
def tea(cast: Cast, acme: RestClient) -> dict[str, Any]:
    """A memory that was extracted from the conversation `talk`."""
    say(acme, f"{REST} {SAID} It comes from Graz.")
    end(acme)
    extract(cast.acme)
    return memories(acme)[TEA]


def told(client: RestClient) -> list[str]:
    """Return the texts that agents are given: contexts, and answers of the chat there and elsewhere."""
    contexts = [client.post("context", {"query": QUESTION, **more}).json() for more in ({}, {"conversation": "talk"})]
    turns = [client.post("chat", {"conversation": key, "message": QUESTION}).json() for key in ("talk", "elsewhere")]
    return [*(each["text"] for each in contexts), *(turn["message"]["content"] for turn in turns)]


def test_they_are_told_neither_the_memory_nor_the_message(acme: RestClient, tea: dict[str, Any]) -> None:
    assert REST in acme.post("context", {"query": QUESTION}).json()["text"]

    acme.post(f"memories/{tea['id']}/suppress")

    assert [text for text in told(acme) if "tea to coffee" in text or REST in text] == []
    assert acme.post("messages/search", {"query": SAID}).json()["results"], "It is still there, as what was said."


@pytest.mark.parametrize("verb", ["unsuppress", "forget"])
def test_the_message_comes_back_with_the_memory_and_outlives_it(
    acme: RestClient, tea: dict[str, Any], verb: str
) -> None:
    if verb == "unsuppress":
        acme.post(f"memories/{tea['id']}/suppress")
        acme.post(f"memories/{tea['id']}/unsuppress")
    else:
        acme.delete(f"memories/{tea['id']}")

    assert REST in acme.post("context", {"query": QUESTION}).json()["text"]


def test_what_is_forgotten_as_well_stays_unsaid(acme: RestClient, tea: dict[str, Any]) -> None:
    say(acme, "As I said, I prefer tea to coffee.", key="another")
    acme.post(f"memories/{tea['id']}/suppress")

    acme.delete(f"memories/{tea['id']}")

    assert [text for text in told(acme) if "tea to coffee" in text or REST in text] == []


def test_an_episode_has_the_rest_of_the_message(acme: RestClient, tea: dict[str, Any]) -> None:
    acme.post("conversations/talk/messages", {"role": "user", "content": "The mason comes for the oven on Friday."})
    acme.post(f"memories/{tea['id']}/suppress")

    made = acme.post("conversations/talk/consolidate", {"retain_last": 0, "max_age_days": 0}).json()

    assert "tea" not in str(made["episodes"])
    assert "oven" in str(made["episodes"])


def test_it_counts_in_its_own_workspace_alone(cast: Cast, acme: RestClient, tea: dict[str, Any]) -> None:
    other = cast.umbrella.rest()
    other.post("conversations/talk/messages", {"role": "user", "content": f"{REST} {SAID}"})
    acme.post(f"memories/{tea['id']}/suppress")

    assert REST in other.post("context", {"query": QUESTION}).json()["text"]


def test_an_episode_of_nothing_else_says_so(cast: Cast, acme: RestClient) -> None:
    for _ in range(2):
        say(acme, SAID)
    end(acme)
    extract(cast.acme)
    acme.post(f"memories/{memories(acme)[TEA]['id']}/suppress")

    [episode] = acme.post("conversations/talk/consolidate", {"retain_last": 0, "max_age_days": 0}).json()["episodes"]

    assert "tea" not in str(episode)
    assert episode["summary"]


@pytest.mark.parametrize(
    ("role", "content"),
    [
        ("assistant", "Noted: so you prefer tea to coffee, like my aunt!"),
        ("tool", "profile: The user prefers tea to coffee."),
        ("user", "As I said, I prefer tea to coffee."),
    ],
)
def test_nor_a_message_that_says_it_again_in_any_role(
    acme: RestClient, tea: dict[str, Any], role: str, content: str
) -> None:
    say(acme, content, key="another", role=role)
    query = {"query": "Is it tea or coffee that I prefer?"}
    assert content in acme.post("context", query).json()["text"]

    acme.post(f"memories/{tea['id']}/suppress")

    assert [text for text in (*told(acme), acme.post("context", query).json()["text"]) if "tea to coffee" in text] == []


@pytest.mark.parametrize("is_person", [True, False])
def test_what_an_agent_remembers_and_suppresses_hides_nothing_that_others_say(
    cast: Cast, acme: RestClient, is_person: bool
) -> None:
    say(acme, "The order of the mill is cancelled.")
    memory = acme.remembered("The order of the mill is cancelled.")
    if is_person:
        apply_transition(caller=cast.acme.caller, memory_id=UUID(memory["id"]), verb=Verb.SUPPRESS)
    else:
        acme.post(f"memories/{memory['id']}/suppress")

    told = acme.post("context", {"query": "What about the order of the mill?"}).json()["text"]

    assert ("user: The order of the mill is cancelled." in told) is not is_person


def test_nor_an_answer_of_the_chat_that_quoted_the_message(acme: RestClient, tea: dict[str, Any]) -> None:
    say(acme, SAID, key="asking")
    chat = acme.post("chat", {"conversation": "asking", "message": "Is it tea or coffee that I prefer?"}).json()
    assert "Said here" in chat["message"]["content"]
    acme.post(f"memories/{tea['id']}/suppress")

    last = acme.post("context", {"query": "What did we talk about last time?", "conversation": "new"}).json()["text"]

    assert [text for text in (*told(acme), last) if "tea to coffee" in text] == []


def test_messages_that_share_a_word_or_two_with_it_stay(acme: RestClient, tea: dict[str, Any]) -> None:
    say(acme, "The coffee machine of the harbour bakery prefers soft water.", key="another")
    acme.post(f"memories/{tea['id']}/suppress")

    assert "soft water" in acme.post("context", {"query": "What about the coffee machine?"}).json()["text"]


def test_an_earlier_episode_is_told_without_it(acme: RestClient, tea: dict[str, Any]) -> None:
    acme.post("conversations/talk/messages", {"role": "user", "content": "The mason comes for the oven on Friday."})
    acme.post("conversations/talk/consolidate", {"retain_last": 0, "max_age_days": 0})
    wanted = {"query": QUESTION, "conversation": "talk"}
    before = acme.post("context", wanted).json()
    assert "tea to coffee" in before["text"]

    acme.post(f"memories/{tea['id']}/suppress")

    given = acme.post("context", wanted).json()
    assert "tea" not in given["text"]
    assert "mason" in given["text"]
    for each in (before, given):
        again = acme.post(f"receipts/{each['receipt_id']}/reproduce").json()
        assert (again["is_identical"], again["text"]) == (True, each["text"])
    acme.post(f"memories/{tea['id']}/unsuppress")
    assert acme.post("context", wanted).json()["text"] == before["text"]


def test_what_waits_for_review_hides_no_message(cast: Cast, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"review": {"rules": [{"source": "extraction"}]}}})
    say(acme, f"{REST} {SAID}")
    end(acme)
    extract(cast.acme)
    assert memories(acme)[TEA]["suppressed"]

    assert REST in acme.post("context", {"query": QUESTION}).json()["text"]


def test_nor_what_a_tool_has_read_of_it(acme: RestClient) -> None:
    memory = acme.post("memories", {"content": "The alarm of the mill is 4411."}).json()
    say(acme, f"- [mem:{memory['id']}] (agent) Four four one one opens the mill.", role="tool")
    query = {"query": "What opens the mill?"}
    assert "Four four" in acme.post("context", query).json()["text"]

    acme.post(f"memories/{memory['id']}/suppress")

    assert "Four four" not in acme.post("context", query).json()["text"]


def test_an_edited_memory_takes_the_message_out_of_a_new_episode(acme: RestClient, tea: dict[str, Any]) -> None:
    say(acme, "The mason comes for the oven on Friday.")
    acme.patch(f"memories/{tea['id']}", {"content": "Earl Grey is what they order."})
    acme.post(f"memories/{tea['id']}/suppress")

    [episode] = acme.post("conversations/talk/consolidate", {"retain_last": 0, "max_age_days": 0}).json()["episodes"]

    assert "tea" not in str(episode)
    assert "mason" in str(episode)


def test_an_answer_of_quotes_is_in_no_episode(acme: RestClient, tea: dict[str, Any]) -> None:
    say(acme, "The mason comes for the oven on Friday, and he stays in the mill for the night.", key="asking")
    for question in ("Which drink does the user prefer to coffee?", "Which tea does the user prefer?"):
        answer = acme.post("chat", {"conversation": "asking", "message": question}).json()
        assert f"[mem:{tea['id']}]" in answer["message"]["content"]

    [episode] = acme.post("conversations/asking/consolidate", {"retain_last": 0, "max_age_days": 0}).json()["episodes"]

    assert "mason" in str(episode)
    assert tea["id"] not in str(episode)


def test_nor_by_an_answer_that_is_given_once_more(acme: RestClient, tea: dict[str, Any]) -> None:
    asked = {"conversation": "asking", "message": "Is it tea or coffee that the user prefers?"}
    headers = {"Authorization": f"Bearer {acme.secret}", "Idempotency-Key": "once"}
    path = f"/v1/workspaces/{acme.workspace_id}/chat"
    first = Client().post(path, asked, content_type="application/json", headers=headers)
    assert "tea to coffee" in first.json()["message"]["content"]

    acme.post(f"memories/{tea['id']}/suppress")

    again = Client().post(path, asked, content_type="application/json", headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "answer_not_kept")
