"""The verbs of a memory's life, through REST: what each changes, what it needs, and that doing it twice is harmless."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from memory.memories.services.lifecycle import apply_transition
from memory.memories.transitions import Verb
from tests.cast import Answer, Cast, RestClient
from workspaces.access.callers import Right

TEA = "The office tea order is due on the first Monday of each month."

# verb, the steps that lead to where it changes something, and what it changes
STEPS: list[tuple[str, list[str], dict[str, Any]]] = [
    ("promote", [], {"kind": "fact"}),
    ("demote", ["promote"], {"kind": "memory"}),
    ("pin", [], {"pinned": True, "pinned_by": "Acme agent (API key)"}),
    ("unpin", ["pin"], {"pinned": False, "pinned_by": None, "pinned_at": None}),
    ("suppress", [], {"suppressed": True, "suppressed_by": "Acme agent (API key)"}),
    ("unsuppress", ["suppress"], {"suppressed": False, "suppressed_by": None, "suppressed_at": None}),
    ("forget", [], {"is_deleted": True}),
    ("restore", ["forget"], {"is_deleted": False}),
    ("reopen", ["close"], {"superseded_at": None, "valid_to": None}),
]


def take(client: RestClient, memory_id: str, verb: str, body: dict[str, Any] | None = None) -> Answer:
    if verb == "forget":
        return client.delete(f"memories/{memory_id}", body)
    return client.post(f"memories/{memory_id}/{verb}", body)


def brought_to(client: RestClient, steps: list[str], **fields: Any) -> str:
    """A new memory that has gone through these steps."""
    memory_id = str(client.remembered(TEA, **fields)["id"])
    for step in steps:
        assert take(client, memory_id, step).status_code == 200
    return memory_id


def actions(client: RestClient, memory_id: str) -> list[str]:
    return [revision["action"] for revision in client.get(f"memories/{memory_id}/history").json()["results"]]


@pytest.mark.parametrize(("verb", "before", "change"), STEPS, ids=[step[0] for step in STEPS])
def test_a_step_changes_one_thing_and_leaves_one_revision(
    acme: RestClient, verb: str, before: list[str], change: dict[str, Any]
) -> None:
    memory_id = brought_to(acme, before)

    answer = take(acme, memory_id, verb)

    assert answer.status_code == 200
    assert {name: answer.json()[name] for name in change} == change
    assert acme.get(f"memories/{memory_id}").json() == answer.json()
    assert actions(acme, memory_id) == [verb, *reversed(before), "remember"]


@pytest.mark.parametrize(("verb", "before", "change"), STEPS, ids=[step[0] for step in STEPS])
def test_a_step_taken_twice_changes_nothing_the_second_time(
    acme: RestClient, verb: str, before: list[str], change: dict[str, Any]
) -> None:
    memory_id = brought_to(acme, before)
    first = take(acme, memory_id, verb)

    again = take(acme, memory_id, verb)

    assert (again.status_code, again.json()) == (200, first.json())
    assert len(actions(acme, memory_id)) == len(before) + 2


@pytest.mark.parametrize("verb", [step[0] for step in STEPS if step[0] not in {"forget", "restore"}])
def test_what_was_forgotten_takes_no_step_but_back(acme: RestClient, verb: str) -> None:
    memory_id = brought_to(acme, ["forget"])

    assert take(acme, memory_id, verb).status_code == 404
    assert acme.patch(f"memories/{memory_id}", {"content": "Other."}).status_code == 404
    assert acme.post(f"memories/{memory_id}/weight", {"delta": 1}).status_code == 404

    take(acme, memory_id, "restore")
    assert take(acme, memory_id, verb).status_code == 200


# What decides over authority needs `facts`: making and unmaking a fact, and hiding, showing or editing one; so does
# what decides over rank: pinning, and showing again what was suppressed.
NEEDS_FACTS = [
    *(("memory", "promote", []), ("fact", "demote", [])),
    *(("fact", "suppress", []), ("fact", "unsuppress", ["suppress"])),
    *(("fact", "forget", []), ("fact", "restore", ["forget"])),
    *((kind, verb, before) for kind in ("memory", "fact") for verb, before in (("pin", []), ("unpin", ["pin"]))),
    ("memory", "unsuppress", ["suppress"]),
]
NEEDS_WRITE = [
    ("memory", "suppress", []),
    *(("memory", "forget", []), ("memory", "restore", ["forget"])),
]


def test_what_a_person_forgot_comes_back_with_the_right_facts_only(cast: Cast) -> None:
    memory_id = cast.acme.rest().remembered("The kettle is blue.")["id"]
    apply_transition(caller=cast.acme.caller, memory_id=UUID(memory_id), verb=Verb.FORGET)

    refused = take(cast.acme.rest(Right.READ, Right.WRITE), memory_id, "restore")

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert take(cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS), memory_id, "restore").status_code == 200


@pytest.mark.parametrize(("kind", "verb", "before"), NEEDS_FACTS)
def test_deciding_over_facts_needs_the_scope(cast: Cast, kind: str, verb: str, before: list[str]) -> None:
    memory_id = brought_to(cast.acme.rest(), before, kind=kind)
    known = actions(cast.acme.rest(), memory_id)

    refused = take(cast.acme.rest(Right.READ, Right.WRITE), memory_id, verb)

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert actions(cast.acme.rest(), memory_id) == known
    assert take(cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS), memory_id, verb).status_code == 200


@pytest.mark.parametrize(("kind", "verb", "before"), NEEDS_WRITE)
def test_everything_else_needs_write(cast: Cast, kind: str, verb: str, before: list[str]) -> None:
    memory_id = brought_to(cast.acme.rest(), before, kind=kind)

    assert take(cast.acme.rest(Right.READ), memory_id, verb).json()["code"] == "missing_scope"
    assert take(cast.acme.rest(Right.READ, Right.WRITE), memory_id, verb).status_code == 200


def test_editing_a_fact_needs_the_scope(cast: Cast) -> None:
    memory_id = brought_to(cast.acme.rest(), [], kind="fact")
    change = {"content": "Tea is ordered daily."}

    refused = cast.acme.rest(Right.READ, Right.WRITE).patch(f"memories/{memory_id}", change)

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert cast.acme.rest().patch(f"memories/{memory_id}", change).status_code == 200


def test_a_pinned_memory_is_forgotten_only_by_an_admin_with_force(cast: Cast) -> None:
    memory_id = brought_to(cast.acme.rest(), ["pin"])
    writer = cast.acme.rest(Right.READ, Right.WRITE)

    for client, body in ((cast.acme.rest(), {}), (cast.acme.rest(), {"force": False}), (writer, {})):
        refused = take(client, memory_id, "forget", body)
        assert (refused.status_code, refused.json()["code"]) == (409, "pinned")
    refused = take(writer, memory_id, "forget", {"force": True})
    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert actions(cast.acme.rest(), memory_id) == ["pin", "remember"]

    assert take(cast.acme.rest(), memory_id, "forget", {"force": True}).json()["is_deleted"] is True


def test_force_may_stand_in_the_query_string(acme: RestClient) -> None:
    memory_id = brought_to(acme, ["pin"])

    assert acme.delete(f"memories/{memory_id}?force=perhaps").status_code == 422
    assert acme.delete(f"memories/{memory_id}?force=false").status_code == 409
    assert acme.raw("DELETE", f"memories/{memory_id}?force=true", b'{"surprise": 1}').status_code == 422
    assert acme.delete(f"memories/{memory_id}?force=true").status_code == 200


def test_a_suppression_keeps_its_reason_until_it_is_lifted(acme: RestClient) -> None:
    memory_id = brought_to(acme, [])

    assert take(acme, memory_id, "suppress", {"reason": "out of date"}).json()["suppressed_reason"] == "out of date"
    assert take(acme, memory_id, "unsuppress").json()["suppressed_reason"] is None
    newest = acme.get(f"memories/{memory_id}/history").json()["results"][0]
    assert newest["before"]["suppressed_reason"] == "out of date"


def test_a_restore_beside_the_same_text_is_refused(acme: RestClient) -> None:
    memory_id = brought_to(acme, ["forget"])
    twin = acme.remembered(TEA.upper(), source="user")

    refused = take(acme, memory_id, "restore")

    assert (refused.status_code, refused.json()["code"]) == (409, "duplicate")
    assert acme.get(f"memories/{memory_id}").json()["is_deleted"] is True
    take(acme, str(twin["id"]), "forget")
    assert take(acme, memory_id, "restore").status_code == 200


def test_what_was_restored_may_be_imported_again(acme: RestClient) -> None:
    memory_id = brought_to(acme, ["forget"])
    imported = {"content": f"  {TEA.lower()}", "source": "import"}
    assert acme.post("memories", imported).json()["code"] == "forgotten_before"

    take(acme, memory_id, "restore")

    again = acme.post("memories", imported)
    assert (again.status_code, again.json()["id"]) == (200, memory_id)


def test_forgetting_concerns_one_workspace(acme: RestClient, umbrella: RestClient) -> None:
    brought_to(acme, ["forget"])

    assert umbrella.post("memories", {"content": TEA, "source": "import"}).status_code == 201


def test_an_edit_that_changes_nothing_leaves_no_revision(acme: RestClient) -> None:
    memory = acme.remembered(TEA, tags=["tea", "office"], importance=0.4)

    same = {"content": TEA, "tags": ["office", "tea", "tea"], "importance": 0.4, "valid_from": None}
    answer = acme.patch(f"memories/{memory['id']}", same)

    assert (answer.status_code, answer.json()) == (200, memory)
    assert actions(acme, str(memory["id"])) == ["remember"]


def test_history_tells_who_did_it(cast: Cast) -> None:
    memory_id = brought_to(cast.acme.rest(), ["pin"])

    newest = cast.acme.rest().get(f"memories/{memory_id}/history").json()["results"][0]

    assert (newest["by"], newest["by_kind"], newest["before"]) == ("Acme agent", "api_key", {"pinned": False})


def test_what_was_pinned_is_hidden_only_with_the_right_to_pin(cast: Cast) -> None:
    memory_id = brought_to(cast.acme.rest(), ["pin"])

    refused = take(cast.acme.rest(Right.READ, Right.WRITE), memory_id, "suppress")

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert actions(cast.acme.rest(), memory_id) == ["pin", "remember"]
    assert take(cast.acme.rest(), memory_id, "suppress").json()["suppressed"] is True
