"""What consolidation deletes has been looked at for facts and preferences, though nobody ended the conversation."""

from __future__ import annotations

import pytest

from conversations.models import Message
from memory.episodes.services.consolidation import summarize_old_turns
from memory.extraction.services.extraction import EXTRACTION_LEASE
from tests.cast import Cast, RestClient
from tests.memory.test_episodes import consolidate, conversation_of, fill, messages_left, turn_counts
from workspaces.access.leases import take_lease
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("memory_on")

SAID = "I prefer tea to coffee."
KEPT = "The user prefers tea to coffee."


def kept(client: RestClient) -> list[str]:
    return [memory["content"] for memory in client.get("memories").json()["results"]]


def test_what_was_said_is_kept_before_it_goes(cast: Cast, acme: RestClient) -> None:
    fill(acme, 1, text=SAID)
    fill(acme, 24, text="Nothing much happened.", days_ago=59)

    done = consolidate(acme)

    assert (done["turns"], done["finished"], messages_left(cast.acme)) == (5, True, 20)
    (memory,) = acme.get("memories").json()["results"]
    assert (memory["content"], memory["source"], memory["tags"]) == (KEPT, "extraction", ["preference"])
    with workspace_scope(cast.acme.caller):
        assert Message.objects.filter(extracted_at=None).count() == 20, "What stays may still be said better."


def test_a_statement_is_kept_once_however_often_it_is_consolidated(cast: Cast, acme: RestClient) -> None:
    for key in ("garden", "kitchen", "cellar"):
        fill(acme, 22, key=key, text=SAID)
        consolidate(acme, key)
        consolidate(acme, key)

    assert kept(acme) == [KEPT]


def test_what_was_forgotten_stays_forgotten(cast: Cast, acme: RestClient) -> None:
    fill(acme, 22, text=SAID)
    consolidate(acme)
    acme.delete(f"memories/{acme.get('memories').json()['results'][0]['id']}")

    fill(acme, 22, key="kitchen", text=SAID)
    assert consolidate(acme, "kitchen")["turns"] == 2

    assert kept(acme) == []


def test_while_somebody_else_extracts_nothing_is_deleted(cast: Cast, acme: RestClient) -> None:
    fill(acme, 30, text=SAID)
    garden = conversation_of(cast.acme)
    lease = take_lease(caller=cast.acme.caller, name=f"{EXTRACTION_LEASE} {garden.id}", seconds=60)
    assert lease

    waited = summarize_old_turns(caller=cast.acme.caller, conversation=garden, seconds=0.1)

    assert (waited.is_finished, list(waited.episodes), messages_left(cast.acme)) == (False, [], 30)
    lease.release()
    assert consolidate(acme)["turns"] == 10
    assert (turn_counts(acme), kept(acme)) == ([10], [KEPT])


def test_kept_sources_are_looked_at_as_well(cast: Cast, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"consolidation": {"keep_sources": True}}})
    fill(acme, 22, text=SAID)

    consolidate(acme)

    assert kept(acme) == [KEPT]


def test_charlies_memories_stay_apart(cast: Cast, acme: RestClient) -> None:
    fill(acme, 22, text=SAID)
    consolidate(acme)

    assert kept(cast.umbrella.rest()) == []
