"""Where an extracted memory was said: its sources in answers, in its history, on its page, and when they go."""

from __future__ import annotations

from typing import Any

import pytest

from conversations.messages.selectors import access_conversation
from conversations.models import Message
from core.clock import utc_now
from core.ids import new_id
from memory.extraction.rules import ExtractedStatement
from memory.extraction.services.keep import KeepOutcome, keep_once
from memory.memories.sources.services import SaidIn
from memory.models import MemorySource
from tests.cast import Cast, RestClient
from tests.memory.test_episodes import consolidate
from tests.memory.test_extraction import end, extract, memories, say
from tests.pages import Visitor, text_of
from tests.transfer.moving import exported, sent
from workspaces.access.callers import system_caller
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("memory_on")

TEA = "The user prefers tea to coffee."


@pytest.fixture
def tea(cast: Cast, acme: RestClient) -> dict[str, Any]:
    """A memory that was extracted from the conversation `talk`."""
    say(acme, "Hello there! I prefer tea to coffee. How are you?")
    end(acme)
    extract(cast.acme)
    return memories(acme)[TEA]


def sources(client: RestClient, memory: dict[str, Any]) -> list[dict[str, Any]]:
    return list(client.get(f"memories/{memory['id']}").json()["sources"])


def history(client: RestClient, memory: dict[str, Any]) -> list[dict[str, Any]]:
    return list(client.get(f"memories/{memory['id']}/history").json()["results"])


def test_an_extracted_memory_says_where_it_was_said(acme: RestClient, tea: dict[str, Any]) -> None:
    (message,) = acme.get("conversations/talk/messages").json()["results"]

    (source,) = sources(acme, tea)

    assert source == {
        "message_id": message["id"],
        "conversation_id": acme.get("conversations/talk").json()["id"],
        "conversation": "talk",
        "said_at": message["created_at"],
        "quote": "I prefer tea to coffee.",
    }
    (step,) = history(acme, tea)
    assert step["action"] == "remember"
    assert step["source"] == {name: value for name, value in source.items() if name != "quote"}


def test_what_was_not_extracted_has_no_source(acme: RestClient) -> None:
    memory = acme.remembered(TEA)

    assert sources(acme, memory) == []
    assert [step["source"] for step in history(acme, memory)] == [None]


def test_equal_statements_count_once_for_each_message(cast: Cast, acme: RestClient, tea: dict[str, Any]) -> None:
    say(acme, "I prefer tea to coffee. I prefer tea to coffee!", "I prefer tea to coffee.", key="other")
    end(acme, "other")

    assert extract(cast.acme, "other") == {KeepOutcome.KNOWN: 1}

    again = memories(acme)[TEA]
    assert tea["confidence"] < again["confidence"] < 1
    assert tea["importance"] < again["importance"] <= 0.9
    steps = history(acme, tea)
    assert [step["action"] for step in steps] == ["repeat", "repeat", "remember"]
    assert steps[1]["before"] == {"confidence": tea["confidence"], "importance": tea["importance"]}
    assert len({step["source"]["message_id"] for step in steps}) == 3
    assert [source["conversation"] for source in sources(acme, tea)] == ["other", "other", "talk"]
    with workspace_scope(cast.acme.caller):
        Message.objects.update(extracted_at=None)  # as after a crash before the last step
    extract(cast.acme)
    extract(cast.acme, "other")
    assert memories(acme)[TEA] == again
    assert len(history(acme, tea)) == 3


def test_other_words_are_a_source_as_well(cast: Cast, acme: RestClient) -> None:
    say(acme, "I like hiking in the mountains.", "I enjoy hiking in the mountains!")
    end(acme)
    extract(cast.acme)

    (memory,) = memories(acme).values()
    assert [source["quote"] for source in sources(acme, memory)] == [
        "I enjoy hiking in the mountains!",
        "I like hiking in the mountains.",
    ]
    newest = history(acme, memory)[0]
    assert (newest["action"], newest["before"]["merged"]) == ("merge", "The user enjoys hiking in the mountains.")


def test_a_repetition_of_what_a_person_wrote_is_a_source_and_changes_nothing(cast: Cast, acme: RestClient) -> None:
    fact = acme.remembered(TEA, kind="fact", confidence=0.5)
    say(acme, "I prefer tea to coffee.")
    end(acme)
    extract(cast.acme)

    assert memories(acme)[TEA]["confidence"] == 0.5
    assert [source["conversation"] for source in sources(acme, fact)] == ["talk"]
    assert [(step["action"], step["before"]) for step in history(acme, fact)] == [("repeat", {}), ("remember", {})]


def test_memories_are_listed_by_the_conversation_that_they_are_from(
    cast: Cast, acme: RestClient, umbrella: RestClient, tea: dict[str, Any]
) -> None:
    say(acme, "I live in Bern.", key="other")
    end(acme, "other")
    extract(cast.acme, "other")
    acme.remembered("Coffee is black.")
    talk = access_conversation(cast.acme.caller, "talk")

    for name in ("talk", str(talk.id)):
        assert [one["id"] for one in acme.get("memories", extracted_from=name).json()["results"]] == [tea["id"]]
    assert acme.get("memories", extracted_from="nothing").status_code == 404
    assert umbrella.get("memories", extracted_from=str(talk.id)).status_code == 404


def test_the_page_leads_to_the_conversation_and_quotes_the_sentence(
    bob: Visitor, cast: Cast, acme: RestClient, tea: dict[str, Any]
) -> None:
    talk = access_conversation(cast.acme.caller, "talk")
    said = sources(acme, tea)[0]["message_id"]

    page = text_of(bob.get(f"memory/{tea['id']}"))

    assert f'href="{bob.address(f"conversations/{talk.id}")}?at={said}#m-{said}"' in page
    assert "“I prefer tea to coffee.”" in page
    assert "In the conversation talk" in page


def test_without_its_message_a_source_has_no_quote_and_without_its_conversation_it_is_gone(
    cast: Cast, acme: RestClient, bob: Visitor, tea: dict[str, Any]
) -> None:
    with workspace_scope(cast.acme.caller):
        Message.objects.all().delete()  # as a consolidation does

    (source,) = sources(acme, tea)
    assert (source["conversation"], source["quote"]) == ("talk", None)
    assert "The message is not kept any more." in text_of(bob.get(f"memory/{tea['id']}"))

    assert acme.delete("conversations/talk").status_code == 204

    assert sources(acme, tea) == []
    assert [step["source"] for step in history(acme, tea)] == [None]
    with workspace_scope(cast.acme.caller):
        assert MemorySource.objects.count() == 0


def test_of_a_message_that_is_gone_the_page_shows_what_its_episode_keeps(
    acme: RestClient, bob: Visitor, tea: dict[str, Any]
) -> None:
    say(acme, "The oven of the harbour bakery is cold.")
    consolidate(acme, key="talk", retain_last=0, max_age_days=0)

    for page in (f"memory/{tea['id']}", "review"):
        text = text_of(bob.get(page))
        assert "The message is not kept any more. Its episode keeps of it: “The user prefers tea to coffee" in text


def test_the_page_of_what_was_forgotten_says_that_its_messages_are_told(
    acme: RestClient, bob: Visitor, tea: dict[str, Any]
) -> None:
    acme.delete(f"memories/{tea['id']}")

    assert "What was said goes on being told: restore and suppress it" in text_of(bob.get(f"memory/{tea['id']}"))


def test_a_statement_of_a_deleted_conversation_is_left_out(cast: Cast, acme: RestClient) -> None:
    extractor = system_caller(cast.acme.workspace.id, "extraction")
    gone = SaidIn(new_id(), new_id(), utc_now())

    outcome = keep_once(caller=extractor, found=ExtractedStatement(TEA, "preference", 0.5, 0.6), said=[gone])

    assert (outcome, memories(acme)) == (KeepOutcome.LEFT_OUT, {})


def test_an_export_takes_sources_along(acme: RestClient, umbrella: RestClient, tea: dict[str, Any]) -> None:
    assert sent(umbrella, exported(acme)).status_code == 201

    assert sources(umbrella, tea) == sources(acme, tea) != []
    assert history(umbrella, tea)[0]["source"] == history(acme, tea)[0]["source"]


def test_a_secret_is_not_quoted(cast: Cast, acme: RestClient) -> None:
    say(acme, "I prefer tea to coffee, my password is hunter2!xY.", "I prefer tea to coffee.")
    end(acme)
    extract(cast.acme)

    assert "hunter2" not in str([sources(acme, one) for one in memories(acme).values()])
