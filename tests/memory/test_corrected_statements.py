"""What a person corrects in a memory is not told any more as what an episode says."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from memory.memories.services.corrected_statements import says_earlier
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import edit_memory
from memory.memories.transitions import Verb
from memory.models import EpisodeStatement, MemorySource
from tests.cast import Cast, RestClient
from tests.memory.test_episodes import consolidate
from tests.memory.test_extraction import end, extract, memories, say
from tests.memory.test_review_policy import agent_of, hold_all
from workspaces.access.scope import workspace_scope

SAID = "I have a physio appointment on 16 December at 17:00. My brother Emil collects old radios."
QUESTION, OTHER = "When is the physio appointment?", "What does Emil collect?"


@pytest.fixture
def physio(cast: Cast, acme: RestClient, memory_on: None) -> dict[str, Any]:
    """A memory of an appointment, whose message is in an episode by now."""
    say(acme, SAID, "The oven of the harbour bakery is cold.")
    end(acme)
    extract(cast.acme)
    [memory] = [each for text, each in memories(acme).items() if "16 December" in text]
    assert "16 December" in str(
        [each["statements"] for each in consolidate(acme, key="talk", retain_last=0, max_age_days=0)["episodes"]]
    )
    return memory


def told(client: RestClient, **more: Any) -> str:
    return str(client.post("context", {"query": QUESTION} | more).json()["text"])


def test_the_old_statement_is_not_told_next_to_the_correction(
    cast: Cast, acme: RestClient, physio: dict[str, Any]
) -> None:
    before = told(acme)
    moment = acme.get(f"memories/{physio['id']}").json()["updated_at"]
    correct(cast, physio, physio["content"].replace("16", "22"))

    assert "16 December" in before
    assert "22 December" in told(acme)
    assert "16 December" not in told(acme)
    assert "radios" in told(acme, query=OTHER), "Of the same message, and not corrected."
    assert "16 December" in told(acme, as_of=moment)


@pytest.mark.usefixtures("memory_on")
def test_a_statement_that_is_drawn_after_the_correction_is_not_told_either(cast: Cast, acme: RestClient) -> None:
    say(acme, SAID, "The oven of the harbour bakery is cold.")
    end(acme)
    extract(cast.acme)
    [memory] = [each for text, each in memories(acme).items() if "16 December" in text]
    correct(cast, memory, memory["content"].replace("16", "22"))
    consolidate(acme, key="talk", retain_last=0, max_age_days=0)

    assert "22 December" in told(acme)
    assert "16 December" not in told(acme)
    assert "radios" in told(acme, query=OTHER)


def test_it_comes_back_when_the_edit_is_undone_and_not_with_another_edit(
    cast: Cast, acme: RestClient, physio: dict[str, Any]
) -> None:
    correct(cast, physio, physio["content"].replace("16", "22"))
    correct(cast, physio, physio["content"].replace("16", "23"))
    assert "16 December" not in told(acme)

    correct(cast, physio, physio["content"])

    assert statements_closed(cast) == []


def test_it_does_not_come_back_with_the_forgetting_of_the_correction(
    cast: Cast, acme: RestClient, physio: dict[str, Any]
) -> None:
    correct(cast, physio, physio["content"].replace("16", "22"))
    acme.delete(f"memories/{physio['id']}")
    assert "December" not in told(acme)

    acme.post(f"memories/{physio['id']}/restore")

    assert "22 December" in told(acme)
    assert "16 December" not in told(acme)


def test_the_correction_of_an_agent_counts_for_the_messages_of_its_memory(
    cast: Cast, acme: RestClient, physio: dict[str, Any]
) -> None:
    say(acme, SAID, "The oven of the harbour bakery is hot.", key="other")
    consolidate(acme, key="other", retain_last=0, max_age_days=0)
    with workspace_scope(cast.acme.caller):
        MemorySource.objects.filter(conversation__key="other").delete()
    assert acme.patch(f"memories/{physio['id']}", {"tags": ["health"]}).status_code == 200
    assert statements_closed(cast) == []

    acme.patch(f"memories/{physio['id']}", {"content": physio["content"].replace("16", "22")})

    assert statements_closed(cast) == ["talk"]


def test_an_edit_of_an_agent_that_waits_for_a_person_closes_nothing_until_it_is_let_out(
    cast: Cast, physio: dict[str, Any]
) -> None:
    hold_all(cast, rules=[{"source": "extraction"}])
    memory, changes = UUID(physio["id"]), {"content": physio["content"].replace("16", "22")}
    edit_memory(caller=agent_of(cast), memory_id=memory, changes=changes)
    assert statements_closed(cast) == []

    apply_transition(caller=cast.acme.caller, memory_id=memory, verb=Verb.UNSUPPRESS)

    assert statements_closed(cast) == ["talk"]


def correct(cast: Cast, memory: dict[str, Any], content: str) -> None:
    edit_memory(caller=cast.acme.caller, memory_id=UUID(memory["id"]), changes={"content": content})


def statements_closed(cast: Cast) -> list[str]:
    """Return the conversations of the statements that a memory closed."""
    with workspace_scope(cast.acme.caller):
        closed = EpisodeStatement.objects.of(cast.acme.caller).exclude(superseded_by_memory=None)
        return list(closed.values_list("conversation__key", flat=True))


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("The user lives in Oslo.", "The user lives in Bergen.", "The user's mother lives in Oslo."),
        ("The user lives in Oslo.", "The user lives in Bergen.", "Bob lives in Oslo."),
        (
            "The user has an appointment with Dr Weber in Graz on 3 May.",
            "The user has an appointment on 3 May.",
            "The user has an appointment with Dr Weber in Graz on 3 May.",
        ),
    ],
)
def test_a_correction_closes_nothing_of_others_and_nothing_that_is_only_shortened(
    old: str, new: str, text: str
) -> None:
    assert not says_earlier(old, new, text, is_source=True)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (
            "The appointment is on 3 December.",
            "The appointment is on 7 December.",
            "The user said: The appointment is on 3 December.",
        ),
        (
            "The user's coach is called Ute and wants a plan by next Tuesday (said on 25 November 2026).",
            "The user's coach is called Ida and wants a plan by next Tuesday (said on 25 November 2026).",
            "The user's coach is called Ute and wants a plan by Tuesday, 1 December 2026.",
        ),
    ],
)
def test_an_earlier_text_is_recognised_with_its_speaker_and_its_date(old: str, new: str, text: str) -> None:
    assert says_earlier(old, new, text, is_source=True)
