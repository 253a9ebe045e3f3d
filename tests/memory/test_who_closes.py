"""What a key stated before, or dated later, closes nothing that a person says."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from core.clock import utc_now
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import CopyOrigin, NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import Kind, Source
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right

LED_BY_MALLORY, LED_BY_ADA = "The Pier Bureau is led by Mallory.", "The Pier Bureau is led by Ada Smith."


@pytest.fixture
def agent(cast: Cast) -> RestClient:
    """An agent that may not create facts."""
    return cast.acme.rest(Right.READ, Right.WRITE)


@pytest.mark.parametrize("step", ["stated", "stated of the past", "corrected", "restored"])
@pytest.mark.parametrize("is_dated", [True, False], ids=["dated", "undated"])
def test_what_an_agent_stated_or_dated_before_closes_nothing_that_a_person_says(
    cast: Cast, agent: RestClient, step: str, *, is_dated: bool
) -> None:
    later = {"valid_from": (utc_now() + timedelta(hours=1)).isoformat()} if is_dated else {}
    started = utc_now() - timedelta(days=300) if step == "stated of the past" else None
    person, fact = cast.acme.caller, NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER, valid_from=started)
    if step == "corrected":
        ada = remember(caller=person, new=replace(fact, content="The Pier Bureau is in the tower.")).memory.pk
        apply_transition(caller=person, memory_id=ada, verb=Verb.PIN)
        agent.remembered(LED_BY_MALLORY, **later)
        edit_memory(caller=person, memory_id=ada, changes={"content": LED_BY_ADA})
    elif step == "restored":
        ada = remember(caller=person, new=fact).memory.pk
        agent.remembered(LED_BY_MALLORY, **later)
        apply_transition(caller=person, memory_id=ada, verb=Verb.FORGET)
        apply_transition(caller=person, memory_id=ada, verb=Verb.RESTORE)
    else:
        agent.remembered(LED_BY_MALLORY, **later)
        ada = remember(caller=person, new=fact).memory.pk

    kept = agent.get(f"memories/{ada}").json()
    assert (kept["superseded_by"], kept["valid_to"]) == (None, None)
    assert LED_BY_ADA in agent.post("context", {"query": "Who leads the Pier Bureau?"}).json()["text"]


def test_what_a_person_stated_before_closes_what_is_older(cast: Cast, agent: RestClient) -> None:
    fact = NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER)
    ada = remember(caller=cast.acme.caller, new=fact).memory.pk

    old = agent.remembered(LED_BY_MALLORY, valid_from="2024-01-01T00:00:00Z")

    assert old["superseded_by"] == str(ada)


def test_an_agent_dates_no_words_of_a_person(cast: Cast, agent: RestClient) -> None:
    bob = remember(caller=cast.acme.caller, new=NewMemory("The Pier Bureau is led by Bob.", source=Source.USER)).memory
    agent.patch(f"memories/{bob.pk}", {"valid_from": (utc_now() + timedelta(hours=1)).isoformat()})

    ada = remember(caller=cast.acme.caller, new=NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER)).memory

    assert ada.superseded_by_id is None


def test_restoring_what_an_agent_stated_closes_nothing_that_a_person_said(cast: Cast, agent: RestClient) -> None:
    person = cast.acme.caller
    mallory = UUID(agent.remembered(LED_BY_MALLORY)["id"])
    apply_transition(caller=person, memory_id=mallory, verb=Verb.FORGET)
    started = utc_now() - timedelta(days=3)
    fact = NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER, valid_from=started)
    ada = remember(caller=person, new=fact).memory.pk

    apply_transition(caller=person, memory_id=mallory, verb=Verb.RESTORE)

    assert agent.get(f"memories/{ada}").json()["superseded_by"] is None


def test_an_agents_edit_opens_what_a_persons_words_had_closed(cast: Cast, agent: RestClient) -> None:
    person = cast.acme.caller
    fact = NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER)
    ada = remember(caller=person, new=fact).memory.pk
    bob = remember(caller=person, new=NewMemory("The Pier Bureau is led by Bob.", source=Source.USER)).memory.pk
    assert agent.get(f"memories/{ada}").json()["superseded_by"] == str(bob)

    agent.patch(f"memories/{bob}", {"content": LED_BY_MALLORY})

    assert agent.get(f"memories/{ada}").json()["superseded_by"] is None


def test_the_day_of_a_copy_closes_nothing_that_a_person_says_later(cast: Cast) -> None:
    person = cast.acme.caller
    origin = CopyOrigin(uuid4(), "user:bob", author="Alice", author_id=person.id, author_kind=person.kind)
    later = utc_now() + timedelta(hours=1)
    said = NewMemory("The Pier Bureau is led by Bob.", source=Source.USER, valid_from=later, origin=origin)
    remember(caller=person, new=said)

    ada = remember(caller=person, new=NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER)).memory

    assert ada.superseded_by_id is None


@pytest.mark.parametrize("is_promoted", [True, False])
def test_the_day_of_an_agents_memory_stays_an_agents(cast: Cast, agent: RestClient, *, is_promoted: bool) -> None:
    later = (utc_now() + timedelta(hours=1)).isoformat()
    mallory = UUID(agent.remembered(LED_BY_MALLORY, valid_from=later)["id"])
    if is_promoted:
        apply_transition(caller=cast.acme.caller, memory_id=mallory, verb=Verb.PROMOTE)
    else:
        edit_memory(caller=cast.acme.caller, memory_id=mallory, changes={"content": "The Pier Bureau is led by Bob."})

    ada = remember(caller=cast.acme.caller, new=NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER)).memory

    assert ada.superseded_by_id is None


def test_promoting_what_an_agent_dated_closes_nothing_that_a_person_says_later(cast: Cast, agent: RestClient) -> None:
    person = cast.acme.caller
    bob = remember(caller=person, new=NewMemory("The Pier Bureau is led by Bob.", source=Source.USER)).memory.pk
    agent.patch(f"memories/{bob}", {"valid_from": (utc_now() + timedelta(hours=1)).isoformat()})
    apply_transition(caller=person, memory_id=bob, verb=Verb.PROMOTE)

    ada = remember(caller=person, new=NewMemory(LED_BY_ADA, kind=Kind.FACT, source=Source.USER)).memory

    assert ada.superseded_by_id is None
