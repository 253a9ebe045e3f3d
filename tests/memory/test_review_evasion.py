"""Ways around the review that may be tried: naming another source, rewriting, two steps for one, undoing too late,
swapping words under the hand of who decides, having more deleted than was rejected."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from core.clock import utc_now
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind
from memory.memories.review.judgement import Judgement
from memory.memories.review.services.decisions import decide_item, undo_verdict
from memory.memories.review.services.rejection import erase_rejected
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import apply_transition, purge_stale
from memory.memories.services.memory_writer import NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import Kind, Memory, MemoryRevision, Source
from ontology.models import MergeCandidate, Node
from ontology.nodes_and_edges.services.node_editor import NodeDraft, add_node
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope

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


def expire_undo(cast: Cast, memory_id: str) -> int:
    """Let the time pass in which a rejection can be taken back; return the number that is then erased."""
    with workspace_scope(cast.acme.caller):
        Node.objects.filter(pk=memory_id, is_deleted=True).update(deleted_at=utc_now() - timedelta(hours=2))
    return erase_rejected(workspace_id=cast.acme.workspace.id)


def test_rewriting_and_forgetting_deletes_nothing_of_a_person_for_good(cast: Cast) -> None:
    set_rules(cast, {"source": "agent"})
    own = remember(caller=cast.acme.caller, new=NewMemory("Refunds need an approval.", source=Source.USER)).memory
    agent(cast).patch(f"memories/{own.pk}", {"content": OWN_WORDS})

    assert agent(cast).delete(f"memories/{own.pk}").status_code == 200

    assert expire_undo(cast, str(own.pk)) == 0
    assert edit_back(cast, str(own.pk)) == "Refunds need an approval."


def test_nor_does_a_person_who_rejects_what_an_agent_made_of_it(cast: Cast, alice: Visitor) -> None:
    set_rules(cast, {"source": "agent"})
    own = remember(caller=cast.acme.caller, new=NewMemory("Refunds need an approval.", source=Source.USER)).memory
    agent(cast).patch(f"memories/{own.pk}", {"content": OWN_WORDS})

    answer = alice.swap("review/decide", target="review", at="review", item=f"pending:{own.pk}", verdict="forget")

    assert toast_of(answer)["text"] == f"Forgot “{OWN_WORDS.rstrip('.')}”."
    assert expire_undo(cast, str(own.pk)) == 0
    assert edit_back(cast, str(own.pk)) == "Refunds need an approval."


def edit_back(cast: Cast, memory_id: str) -> str:
    """Restore a memory, which waits again, and return what it said at first."""
    restored = apply_transition(caller=cast.acme.caller, memory_id=UUID(memory_id), verb=Verb.RESTORE)
    assert restored.is_pending
    with workspace_scope(cast.acme.caller):
        first = MemoryRevision.objects.filter(memory=restored, action="edit").order_by("id").first()
        assert first is not None
        return str(first.before["content"])


@pytest.mark.parametrize("by", ["agent", "purge"])
def test_what_waits_is_rejected_by_a_decision_alone(cast: Cast, by: str) -> None:
    set_rules(cast, {"source": "agent"})
    memory = agent(cast).remembered(OWN_WORDS)
    if by == "agent":
        agent(cast).delete(f"memories/{memory['id']}")
    else:
        with workspace_scope(cast.acme.caller):
            Memory.objects.filter(pk=memory["id"]).update(touched_at=utc_now().replace(year=2020))
        purge_stale(caller=cast.acme.caller)

    assert expire_undo(cast, memory["id"]) == 0
    assert apply_transition(caller=cast.acme.caller, memory_id=UUID(memory["id"]), verb=Verb.RESTORE).is_pending


def test_of_several_those_whose_words_were_swapped_meanwhile_stay(cast: Cast, alice: Visitor) -> None:
    memories = [agent(cast).remembered(text) for text in ("Refunds need an approval.", "The oven is hot.")]
    shown = re.findall(r'type="checkbox" name="item" value="([^"]*)"', text_of(alice.get("review")))
    agent(cast).patch(f"memories/{memories[0]['id']}", {"content": OWN_WORDS})

    answer = alice.swap("review/decide", target="review", at="review", item=shown, verdict="fact", bulk=1)

    assert toast_of(answer)["text"].startswith("1 decided: made a fact. 1 left as they are: What it says has changed")
    kinds = [cast.acme.rest().get(f"memories/{each['id']}").json()["kind"] for each in memories]
    assert kinds == ["memory", "fact"]


def test_a_contradiction_whose_words_were_swapped_meanwhile_is_read_again(cast: Cast, alice: Visitor) -> None:
    own = remember(caller=cast.acme.caller, new=NewMemory("The bakery opens at 7.", kind=Kind.FACT)).memory
    other = agent(cast).remembered("The bakery opens at 8.")
    item, seen = shown_item(alice)
    agent(cast).patch(f"memories/{other['id']}", {"content": "The bakery opens at 9."})

    answer = alice.post("review/decide", item=item, verdict="newer", seen=seen)

    assert answer.status_code == 409
    assert not access_memory(cast.acme.caller, own.pk).is_closed
    assert alice.post("review/decide", item=shown_item(alice)[0], verdict="newer").status_code == 302
    assert access_memory(cast.acme.caller, own.pk).is_closed


def test_nor_are_two_things_merged_that_were_changed_meanwhile(cast: Cast, alice: Visitor) -> None:
    first, second = (add_node(caller=cast.acme.caller, draft=NodeDraft("hotel", name)).id for name in ("Ast.", "Astor"))
    with workspace_scope(cast.acme.caller):
        MergeCandidate.objects.create(workspace_id=cast.acme.workspace.id, first_id=first, second_id=second, score=0.9)
    item, seen = shown_item(alice)
    agent(cast).patch(f"ontology/nodes/{second}", {"name": "Another hotel"})

    assert alice.post("review/decide", item=item, verdict="merge", seen=seen).status_code == 409
    assert alice.post("review/decide", item=item, verdict="merge", seen=shown_item(alice)[1]).status_code == 302


def shown_item(alice: Visitor) -> tuple[str, str]:
    """Return the item that Review stands at, and what stands for what it shows."""
    form = re.search(
        r'name="item" value="((?:contradiction|merge):[^"]*)"><input type="hidden" name="seen" value="([^"]+)"',
        text_of(alice.get("review")),
    )
    assert form
    return form[1], form[2]


def test_an_agent_neither_takes_a_contradiction_away_nor_makes_one_up(cast: Cast) -> None:
    own = remember(caller=cast.acme.caller, new=NewMemory("The bakery opens at 7.", kind=Kind.FACT)).memory
    other = agent(cast).remembered("The bakery opens at 8.")
    (item,) = cast.acme.rest().get("review", kind="contradiction").json()["results"]
    drawn = {"type": "contradicts", "source": str(own.pk), "target": other["id"]}

    tried = [
        agent(cast).delete(f"ontology/edges/{item['id']}"),
        agent(cast).patch(f"ontology/edges/{item['id']}", {"type": "resembles"}),
        agent(cast).post("ontology/edges", drawn),
        agent(cast).raw("POST", "ontology/edges/bulk", json.dumps(drawn), content_type="application/x-ndjson"),
    ]

    assert [(answer.status_code, answer.json()["code"]) for answer in tried] == [(403, "missing_scope")] * 4
    assert [each["id"] for each in cast.acme.rest().get("review", kind="contradiction").json()["results"]] == [
        item["id"]
    ]
    assert agent(cast).post("ontology/edges", {**drawn, "type": "resembles"}).status_code == 201
    assert agent(cast, Right.FACTS).delete(f"ontology/edges/{item['id']}").status_code == 200


@pytest.mark.parametrize("author", ["agent", "person"])
def test_nor_is_what_agents_read_before_an_agent_made_a_fact_of_it(cast: Cast, alice: Visitor, author: str) -> None:
    set_rules(cast, {"kind": "fact"})
    if author == "agent":
        memory_id = agent(cast).remembered(OWN_WORDS)["id"]
    else:
        memory_id = str(remember(caller=cast.acme.caller, new=NewMemory(OWN_WORDS, source=Source.USER)).memory.pk)
    assert is_recalled(cast)
    assert agent(cast, Right.FACTS).post(f"memories/{memory_id}/promote").status_code == 200

    answer = alice.swap("review/decide", target="review", at="review", item=f"pending:{memory_id}", verdict="forget")

    assert toast_of(answer)["text"] == f"Forgot “{OWN_WORDS.rstrip('.')}”."
    assert expire_undo(cast, memory_id) == 0
    assert apply_transition(caller=cast.acme.caller, memory_id=UUID(memory_id), verb=Verb.RESTORE).is_pending


def test_nor_is_a_verdict_that_a_person_takes_back(cast: Cast) -> None:
    set_rules(cast, {"source": "agent"})
    own = remember(caller=cast.acme.caller, new=NewMemory("Refunds need an approval.", source=Source.USER)).memory
    item = ItemKey(ItemKind.SUGGESTION, own.pk)
    verdict = decide_item(caller=cast.acme.caller, item=item, judgement=Judgement(VerdictKind.SUPPRESS))
    assert agent(cast).patch(f"memories/{own.pk}", {"content": OWN_WORDS}).status_code == 200

    undo_verdict(caller=cast.acme.caller, verdict_id=verdict.pk)

    assert not is_recalled(cast)
    assert access_memory(cast.acme.caller, own.pk).is_pending
