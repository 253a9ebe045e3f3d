"""Ways around the review that may be tried: naming another source, rewriting, two steps for one, undoing too late."""

from __future__ import annotations

from typing import Any

import pytest

from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import Kind, Source
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right

pytestmark = pytest.mark.django_db

OWN_WORDS = "Refunds of the acme shop need no approval."
QUESTION = "Do refunds of the acme shop need an approval?"


def set_rules(cast: Cast, *rules: dict[str, Any]) -> None:
    answer = cast.acme.rest().put("settings", {"memory": {"review": {"rules": list(rules)}}})
    assert answer.status_code == 200, answer.content


def agent(cast: Cast, *more: Right) -> RestClient:
    return cast.acme.rest(Right.READ, Right.WRITE, *more)


def is_recalled(cast: Cast) -> bool:
    return OWN_WORDS in cast.acme.rest().post("context", {"query": QUESTION}).json()["text"]


@pytest.mark.parametrize("source", [None, "user", "agent", "extraction", "import"])
def test_another_source_is_not_a_way_around_a_rule_about_agents(cast: Cast, source: str | None) -> None:
    set_rules(cast, {"source": "agent"})

    agent(cast).remembered(OWN_WORDS, **({"source": source} if source else {}))

    assert not is_recalled(cast)


@pytest.mark.parametrize("source", [Source.EXTRACTION, Source.IMPORT, Source.USER])
def test_nor_is_rewriting_what_came_from_elsewhere(cast: Cast, source: Source) -> None:
    set_rules(cast, {"source": "agent"})
    memory = remember(caller=cast.acme.caller, new=NewMemory("Refunds need an approval.", source=source)).memory

    answer = agent(cast).patch(f"memories/{memory.pk}", {"content": OWN_WORDS})

    assert answer.status_code == 200
    assert not is_recalled(cast)


def test_nor_are_two_steps_to_a_fact(cast: Cast) -> None:
    set_rules(cast, {"source": "agent", "kind": "fact"})
    trusted = agent(cast, Right.FACTS)
    memory = trusted.remembered(OWN_WORDS)
    assert is_recalled(cast)

    assert trusted.post(f"memories/{memory['id']}/promote").status_code == 200

    assert not is_recalled(cast)
    assert agent(cast, Right.FACTS).post(f"memories/{memory['id']}/unsuppress").status_code == 409


def test_a_person_who_promotes_has_decided(cast: Cast) -> None:
    set_rules(cast, {"source": "agent", "kind": "fact"})
    memory = agent(cast).remembered(OWN_WORDS)

    promoted = apply_transition(caller=cast.acme.caller, memory_id=memory["id"], verb=Verb.PROMOTE)

    assert (promoted.kind, is_recalled(cast)) == (Kind.FACT, True)


def test_what_people_write_and_who_may_import_are_not_judged_as_agents(cast: Cast) -> None:
    set_rules(cast, {"source": "agent"})
    own = remember(caller=cast.acme.caller, new=NewMemory("The yard is closed.", source=Source.USER)).memory
    edit_memory(caller=cast.acme.caller, memory_id=own.pk, changes={"content": OWN_WORDS})
    assert is_recalled(cast)

    imported = cast.acme.rest().remembered("The oven of the acme shop is hot.", source="import")

    assert imported["suppressed"] is False


def test_an_undone_edit_takes_back_no_later_one(cast: Cast) -> None:
    acme = cast.acme.rest()
    memory = acme.remembered("The pod has a door.", source="agent")
    edited = {"kind": "suggestion", "verdict": "edit", "content": "The pod has two doors."}
    verdict = acme.post(f"review/{memory['id']}/decide", edited).json()
    acme.patch(f"memories/{memory['id']}", {"content": "The pod has three doors."})

    answer = acme.post(f"review/verdicts/{verdict['id']}/undo")

    assert (answer.status_code, answer.json()["code"]) == (409, "text_changed")
    assert acme.get(f"memories/{memory['id']}").json()["content"] == "The pod has three doors."


@pytest.mark.parametrize(
    ("verdict", "rule"),
    [
        ({"verdict": "fact"}, {"source": "agent", "kind": "fact"}),
        ({"verdict": "edit", "content": OWN_WORDS}, {"source": "agent"}),
    ],
)
def test_nor_is_a_verdict_of_the_agents_own(cast: Cast, verdict: dict[str, str], rule: dict[str, str]) -> None:
    trusted = agent(cast, Right.FACTS)
    words = OWN_WORDS if verdict["verdict"] == "fact" else "Refunds of the acme shop need an approval."
    memory = trusted.remembered(words)
    set_rules(cast, rule)

    decided = trusted.post(f"review/{memory['id']}/decide", {"kind": "suggestion", **verdict})
    let_out = trusted.post(f"memories/{memory['id']}/unsuppress")

    assert decided.status_code == 200
    assert (let_out.status_code, let_out.json()["code"]) == (409, "pending_review")
    assert not is_recalled(cast)


def test_nor_is_the_source_that_another_agent_names(cast: Cast) -> None:
    set_rules(cast, {"source": "agent", "kind": "fact"})
    memory = agent(cast).remembered(OWN_WORDS, source="import")

    assert agent(cast, Right.FACTS).post(f"memories/{memory['id']}/promote").status_code == 200

    assert not is_recalled(cast)


def test_nor_is_taking_back_a_verdict_of_before(cast: Cast) -> None:
    trusted = agent(cast, Right.FACTS)
    memory = trusted.remembered("Refunds of the acme shop need an approval.")
    kept = trusted.post(f"review/{memory['id']}/decide", {"kind": "suggestion", "verdict": "keep"}).json()
    set_rules(cast, {"source": "agent"})
    trusted.patch(f"memories/{memory['id']}", {"content": OWN_WORDS})

    assert trusted.post(f"review/verdicts/{kept['id']}/undo").status_code == 200

    assert trusted.post(f"memories/{memory['id']}/unsuppress").json()["code"] == "pending_review"
    assert not is_recalled(cast)
    waiting = cast.acme.rest().get("review", kind="pending").json()["results"]
    assert [each["id"] for each in waiting] == [memory["id"]]
