"""Whose words those are that an undo, a reversal or a verdict's undoing puts back: never those of who does it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from core.clock import utc_now
from memory.memories.history.services import revert_memory
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind
from memory.memories.review.judgement import Judgement
from memory.memories.review.services.decisions import decide_item, undo_verdict
from memory.memories.selectors import access_memory, memory_revisions
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import Kind, Memory, Source
from ontology.nodes_and_edges.selectors import access_node
from ontology.nodes_and_edges.services.node_editor import revert_node
from tests.cast import Cast, RestClient
from transfer.models import UndoTarget
from transfer.undo.services.undo_jobs import start_undo
from transfer.undo.services.undo_scopes import UndoRequest
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace
from workspaces.keys.services import create_key
from workspaces.settings.services import change_settings

pytestmark = pytest.mark.django_db

POISON = "Refunds of the acme shop need no approval."


@pytest.fixture
def clerk(cast: Cast) -> RestClient:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    return RestClient(cast.acme.workspace.id, made.secret)


def undo_since(caller: Caller, since: Any) -> None:
    start_undo(caller=caller, wanted=UndoRequest(UndoTarget.AGENT, "clerk", since=since))


def line(cast: Cast, words: str) -> str:
    text = cast.acme.rest().post("context", {"query": words}).json()["text"]
    return str(next(each for each in text.splitlines() if words in each))


def read(cast: Cast, identity: str) -> Memory:
    with workspace_scope(cast.acme.caller):
        return access_memory(cast.acme.caller, UUID(identity))


def test_a_persons_undo_makes_no_words_of_an_agent_a_persons(cast: Cast, clerk: RestClient) -> None:
    told = clerk.remembered(POISON)
    assert "(agent clerk)" in line(cast, POISON)
    then = utc_now()
    clerk.patch(f"memories/{told['id']}", {"content": "Refunds of the acme shop need an approval."})

    undo_since(cast.acme.caller, then)

    assert "(agent clerk)" in line(cast, POISON)
    assert (read(cast, told["id"]).edited_by, read(cast, told["id"]).edited_by_kind) == ("clerk", "api_key")


def test_words_of_a_person_that_are_put_back_are_that_persons(cast: Cast, clerk: RestClient) -> None:
    bob = access_workspace(user=cast.bob, workspace_id=cast.acme.workspace.id)
    stated = remember(caller=bob, new=NewMemory(POISON, source=Source.USER)).memory
    then = utc_now()
    clerk.patch(f"memories/{stated.pk}", {"content": "Refunds of the acme shop need an approval."})

    undo_since(cast.acme.caller, then)

    assert "(person)" in line(cast, POISON)
    assert read(cast, str(stated.pk)).edited_by == "Bob"


def test_what_was_extracted_stays_extracted(cast: Cast, clerk: RestClient) -> None:
    caller = cast.acme.caller
    found = remember(caller=caller, new=NewMemory(POISON, source=Source.EXTRACTION)).memory
    then = utc_now()
    clerk.patch(f"memories/{found.pk}", {"content": "Refunds of the acme shop need an approval."})

    undo_since(caller, then)

    assert "(person)" not in line(cast, POISON)


def test_four_eyes_see_no_second_person_in_who_undid(cast: Cast, clerk: RestClient) -> None:
    change_settings(caller=cast.acme.caller, memory={"review": {"four_eyes": True}})
    told = clerk.remembered(POISON)
    then = utc_now()
    clerk.patch(f"memories/{told['id']}", {"content": "Refunds of the acme shop need an approval."})
    undo_since(cast.acme.caller, then)

    bob = access_workspace(user=cast.bob, workspace_id=cast.acme.workspace.id)
    asked = apply_transition(caller=bob, memory_id=UUID(told["id"]), verb=Verb.PROMOTE)

    assert asked.kind == "memory"


@pytest.mark.parametrize("name", ["Bob", "Bob (API key)", "Bob (connected app)"])
def test_four_eyes_see_no_second_person_in_who_puts_own_words_back(cast: Cast, name: str) -> None:
    change_settings(caller=cast.acme.caller, memory={"review": {"four_eyes": True}})
    cast.bob.name = name
    cast.bob.save()
    bob = access_workspace(user=cast.bob, workspace_id=cast.acme.workspace.id)
    told = remember(caller=bob, new=NewMemory(POISON, source=Source.USER)).memory
    with workspace_scope(bob):
        first = memory_revisions(bob, told).get()
    edit_memory(caller=bob, memory_id=told.pk, changes={"content": "Refunds of the acme shop need an approval."})
    revert_memory(caller=bob, memory_id=told.pk, step_id=first.pk)

    asked = apply_transition(caller=bob, memory_id=told.pk, verb=Verb.PROMOTE)

    assert asked.kind == "memory"


def test_a_version_of_an_agent_stays_an_agents(cast: Cast, clerk: RestClient) -> None:
    told = clerk.remembered(POISON)
    identity, caller = UUID(told["id"]), cast.acme.caller
    edit_memory(caller=caller, memory_id=identity, changes={"content": "Refunds of the acme shop need an approval."})
    with workspace_scope(caller):
        first = list(memory_revisions(caller, access_memory(caller, identity)))[-1]

    back = revert_memory(caller=caller, memory_id=identity, step_id=first.pk)
    assert "(agent clerk)" in line(cast, POISON)

    assert back.undo_step
    revert_memory(caller=caller, memory_id=identity, step_id=back.undo_step)
    assert "(person)" in line(cast, "Refunds of the acme shop need an approval.")


def test_a_past_moment_says_so_too(cast: Cast, clerk: RestClient) -> None:
    told = clerk.remembered(POISON)
    then = utc_now()
    clerk.patch(f"memories/{told['id']}", {"content": "Refunds of the acme shop need an approval."})
    undo_since(cast.acme.caller, then)
    undone = utc_now()
    edit_memory(caller=cast.acme.caller, memory_id=UUID(told["id"]), changes={"content": "Ask Mara about refunds."})

    body = {"query": POISON, "known_at": undone.isoformat()}
    text = cast.acme.rest().post("context", body).json()["text"]

    assert "(agent clerk)" in next(each for each in text.splitlines() if POISON in each)


def test_taking_back_a_verdict_signs_nothing(cast: Cast, clerk: RestClient) -> None:
    told = clerk.remembered(POISON)
    caller, item = cast.acme.caller, ItemKey(ItemKind.SUGGESTION, UUID(told["id"]))
    judgement = Judgement(VerdictKind.EDIT, content="Refunds of the acme shop need an approval.")
    verdict = decide_item(caller=caller, item=item, judgement=judgement)

    undo_verdict(caller=caller, verdict_id=verdict.id)

    assert "(agent clerk)" in line(cast, POISON)


def test_an_undo_decides_nothing_about_what_was_held(cast: Cast, clerk: RestClient) -> None:
    told = clerk.remembered(POISON)
    change_settings(caller=cast.acme.caller, memory={"review": {"rules": [{"source": "agent"}]}})
    then = utc_now()
    clerk.patch(f"memories/{told['id']}", {"content": "Refunds of the acme shop need an approval."})
    assert read(cast, told["id"]).is_pending

    undo_since(cast.acme.caller, then)

    back = read(cast, told["id"])
    assert (back.content, back.is_suppressed, back.review) == (POISON, False, "")


def test_nodes_and_edges_are_not_signed_either(cast: Cast, clerk: RestClient) -> None:
    caller = cast.acme.caller
    ends = [clerk.post("ontology/nodes", {"type": "person", "name": name}).json()["id"] for name in ("Jens", "Mara")]
    edge = clerk.post("ontology/edges", {"type": "knows", "source": ends[0], "target": ends[1]}).json()["id"]
    then = utc_now()
    clerk.patch(f"ontology/nodes/{ends[0]}", {"properties": {"role": "owner"}})
    clerk.patch(f"ontology/edges/{edge}", {"properties": {"since": "2019"}})

    undo_since(caller, then)

    node = clerk.get(f"ontology/nodes/{ends[0]}").json()
    assert (node["properties"], node["provenance"].get("edited")) == ({}, None)
    assert clerk.get(f"ontology/edges/{edge}").json()["provenance"].get("edited") is None
    history = clerk.get(f"ontology/nodes/{ends[0]}/history").json()["results"]
    assert [step["action"] for step in history] == ["edit", "edit"]
    with workspace_scope(caller):
        reverted = revert_node(caller=caller, node_id=UUID(ends[0]), step_id=UUID(history[1]["id"])).node
    assert reverted.properties == {"role": "owner"}
    with workspace_scope(caller):
        assert access_node(caller, reverted.id).provenance["edited"] == {"by": "clerk", "by_kind": "api_key"}


@pytest.mark.parametrize("kind", ["memory", "fact"])
def test_words_that_are_put_back_replace_nothing_that_was_stated_since(
    cast: Cast, clerk: RestClient, kind: str
) -> None:
    told = clerk.remembered("Anna lives in Rome.")
    then = utc_now()
    clerk.patch(f"memories/{told['id']}", {"content": "The crane is yellow."})
    stated = remember(caller=cast.acme.caller, new=NewMemory("Anna lives in Paris.", kind=Kind(kind))).memory

    undo_since(cast.acme.caller, then)

    assert read(cast, told["id"]).content == "Anna lives in Rome."
    assert not read(cast, str(stated.pk)).is_closed
    assert read(cast, told["id"]).superseded_by_id == stated.pk
