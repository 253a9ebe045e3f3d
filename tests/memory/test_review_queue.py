"""The review queue: what waits, one verdict about each, what it does, and taking it back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.clock import utc_now
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind, parse_item
from memory.memories.review.judgement import Judgement
from memory.memories.review.selectors import queue_entries
from memory.memories.review.services.decisions import decide_item
from memory.memories.selectors import CONTRADICTS, access_memory
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import Kind, Memory, ReviewVerdict
from ontology.models import MergeCandidate, Node
from ontology.nodes_and_edges.services.edges import NewEdge, create_edges
from ontology.nodes_and_edges.services.node_editor import NodeDraft, add_node
from telemetry.models import Pattern
from tests.cast import Cast
from tests.pages import Visitor, text_of, toast_of
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.django_db

TEXT = "The Lindqvist café prefers the side entrance."
NEAR = "The Lindqvist café prefers deliveries through the side entrance."


def agent_of(cast: Cast) -> Caller:
    """An agent that may do all that a key may."""
    return replace(cast.acme.caller, kind=ActorKind.API_KEY, id="key-1", label="order-desk")


def suggest(cast: Cast, content: str = TEXT, **fields: Any) -> Memory:
    """A memory of an agent, which no person has decided about."""
    return remember(caller=agent_of(cast), new=NewMemory(content, **fields)).memory


def reread(cast: Cast, memory: Memory) -> Memory:
    return access_memory(cast.acme.caller, memory.pk, with_forgotten=True)


def waiting(cast: Cast) -> list[str]:
    return [str(entry.key) for entry in queue_entries(cast.acme.caller, limit=50)]


def decide(visitor: Visitor, item: str | list[str], verdict: str, **fields: Any) -> Any:
    return visitor.swap("review/decide", target="review", at="review", item=item, verdict=verdict, **fields)


def undo(visitor: Visitor, answer: Any) -> Any:
    """Press *Undo* in the toast of an answer."""
    return visitor.swap(toast_of(answer)["undo_url"], target="review", at="review")


def contradiction(cast: Cast) -> tuple[Memory, Memory, str]:
    older, newer = suggest(cast, "The bakery opens at 7."), suggest(cast, "The bakery may open at 8.")
    with workspace_scope(cast.acme.caller):
        create_edges(caller=cast.acme.caller, new=[NewEdge(CONTRADICTS, newer.pk, older.pk)])
    return newer, older, next(item for item in waiting(cast) if item.startswith("contradiction:"))


def pattern(cast: Cast) -> Pattern:
    with workspace_scope(cast.acme.caller):
        return Pattern.objects.create(
            workspace_id=cast.acme.workspace.id,
            action_type="tool_call",
            node_type="invoice",
            error_code="rate_limited",
            status="promoted",
            support=6,
            attempts=8,
            confidence=0.75,
            recommendation="Wait a minute.",
        )


def pair(cast: Cast) -> MergeCandidate:
    nodes = sorted(add_node(caller=cast.acme.caller, draft=NodeDraft("hotel", name)).id for name in ("Astoria", "Ast."))
    with workspace_scope(cast.acme.caller):
        return MergeCandidate.objects.create(  # type: ignore[no-any-return]
            workspace_id=cast.acme.workspace.id, first_id=nodes[0], second_id=nodes[1], score=0.9
        )


def test_what_agents_wrote_waits_and_what_people_wrote_does_not(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)
    alice.post("memory/remember", content="Alice says so herself.", kind="memory", tags="")

    assert waiting(cast) == [f"suggestion:{memory.pk}"]
    page = text_of(alice.get("review"))
    assert ("1 of 1" in page, TEXT in page, "Alice says so" in page) == (True, True, False)
    assert 'class="rail-count">1<' in text_of(alice.get("memory"))


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("fact", {"kind": "fact", "is_deleted": False, "is_suppressed": False}),
        ("keep", {"kind": "memory", "is_deleted": False, "is_suppressed": False}),
        ("suppress", {"kind": "memory", "is_deleted": False, "is_suppressed": True}),
        ("forget", {"kind": "memory", "is_deleted": True, "is_suppressed": False}),
    ],
)
def test_one_verdict_and_its_undoing(cast: Cast, alice: Visitor, verdict: str, expected: dict[str, Any]) -> None:
    memory, item = suggest(cast), ""
    item = f"suggestion:{memory.pk}"

    answer = decide(alice, item, verdict)

    assert answer.status_code == 200
    assert "Nothing to decide" in text_of(answer)
    now = reread(cast, memory)
    assert {
        "kind": now.kind,
        "is_deleted": now.node.is_deleted,
        "is_suppressed": now.is_suppressed,
    } == expected
    assert waiting(cast) == []
    assert TEXT in text_of(undo(alice, answer))
    now = reread(cast, memory)
    assert (now.kind, now.node.is_deleted, now.is_suppressed, waiting(cast)) == ("memory", False, False, [item])


def test_a_verdict_is_undone_once(cast: Cast, alice: Visitor) -> None:
    answer = decide(alice, f"suggestion:{suggest(cast).pk}", "keep")

    assert undo(alice, answer).status_code == 200
    assert undo(alice, answer).status_code == 409


def test_what_was_decided_comes_back_only_with_another_text(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)
    decide(alice, f"suggestion:{memory.pk}", "keep")

    edit_memory(caller=agent_of(cast), memory_id=memory.pk, changes={"tags": ["entrance"]})
    suggest(cast)  # said again
    assert waiting(cast) == []
    edit_memory(caller=agent_of(cast), memory_id=memory.pk, changes={"content": "They prefer the back door."})
    assert waiting(cast) == [f"suggestion:{memory.pk}"]


def test_a_verdict_says_who_when_and_for_which_text_and_keeps_none_of_it(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)
    decide(alice, f"suggestion:{memory.pk}", "keep")

    with workspace_scope(cast.acme.caller):
        verdict = ReviewVerdict.objects.of(cast.acme.caller).get()
    assert (verdict.decided_by, verdict.mark) == ("Alice", memory.live_fingerprint)
    assert "Lindqvist" not in str(verdict.before)


def test_words_are_mended_in_place(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast, "They prefer the side entrance.")

    answer = decide(alice, f"suggestion:{memory.pk}", "edit", content=TEXT)

    assert (reread(cast, memory).content, waiting(cast)) == (TEXT, [])
    undo(alice, answer)
    assert reread(cast, memory).content == "They prefer the side entrance."
    assert waiting(cast) == [f"suggestion:{memory.pk}"]


def test_a_text_that_changed_meanwhile_is_read_again(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)
    seen = re.search(r'name="seen" value="(\w{64})"', text_of(alice.get("review")))
    edit_memory(caller=agent_of(cast), memory_id=memory.pk, changes={"content": "They prefer the back door."})

    assert seen
    assert decide(alice, f"suggestion:{memory.pk}", "fact", seen=seen[1]).status_code == 409
    assert reread(cast, memory).kind == Kind.MEMORY


def test_merging_lets_the_nearest_stand_for_both(cast: Cast, alice: Visitor) -> None:
    near, memory = remember(caller=cast.acme.caller, new=NewMemory(NEAR, kind=Kind.FACT)).memory, suggest(cast)
    page = text_of(alice.get("review"))
    assert f'name="into" value="{near.pk}"' in page
    assert "<ins>deliveries through </ins>" in page

    answer = decide(alice, f"suggestion:{memory.pk}", "merge", into=near.pk)

    assert (reread(cast, memory).superseded_by_id, waiting(cast)) == (near.pk, [])
    address = alice.address(f"memory/{memory.pk}")
    page, card = text_of(alice.get(f"memory/{memory.pk}")), text_of(alice.get("card", of=address))
    assert f'Into <a href="{alice.address(f"memory/{near.pk}")}">' in page
    assert ("No longer true" in page, "Merged into another one" in card, "Expired" in card) == (False, True, False)
    undo(alice, answer)
    assert (reread(cast, memory).superseded_by_id, waiting(cast)) == (None, [f"suggestion:{memory.pk}"])


@pytest.mark.parametrize(("verdict", "closed"), [("newer", "older"), ("older", "newer"), ("both", "")])
def test_contradictions_are_decided(cast: Cast, alice: Visitor, verdict: str, closed: str) -> None:
    newer, older, item = contradiction(cast)
    page = text_of(alice.get("review"))
    assert "Contradiction" in page
    assert "<ins>" in page

    answer = decide(alice, item, verdict)

    found = {"newer": reread(cast, newer).is_closed, "older": reread(cast, older).is_closed}
    assert found == {"newer": closed == "newer", "older": closed == "older"}
    assert item not in waiting(cast)
    lately = text_of(alice.get("review")).partition("Decided lately")[2]
    assert newer.content in lately
    assert undo(alice, answer).status_code == 200
    assert item in waiting(cast)


def test_both_that_hold_do_not_contradict_each_other_again(cast: Cast, alice: Visitor) -> None:
    person = remember(caller=cast.acme.caller, new=NewMemory("The bakery opens at 7.", kind=Kind.FACT)).memory
    agent = cast.acme.rest(Right.READ, Right.WRITE)
    agent.remembered("The bakery opens at 8.")
    item = next(item for item in waiting(cast) if item.startswith("contradiction:"))
    decide(alice, item, "both")

    agent.remembered("The bakery opens at 8.")
    assert not any(item.startswith("contradiction:") for item in waiting(cast))
    assert not reread(cast, person).is_closed


def test_new_patterns_are_decided(cast: Cast, alice: Visitor) -> None:
    found = pattern(cast)
    item = f"pattern:{found.pk}"
    assert "Wait a minute." in text_of(alice.get("review"))

    answer = decide(alice, item, "suppress")
    with workspace_scope(cast.acme.caller):
        assert Pattern.objects.of(cast.acme.caller).get().is_suppressed
    undo(alice, answer)
    assert waiting(cast) == [item]
    decide(alice, item, "keep")
    assert waiting(cast) == []


def test_pairs_of_things_are_decided(cast: Cast, alice: Visitor) -> None:
    candidate = pair(cast)
    item = f"merge:{candidate.pk}"
    assert "Astoria" in text_of(alice.get("review"))

    for verdict in ("apart", "merge"):
        answer = decide(alice, item, verdict)
        assert waiting(cast) == []
        undo(alice, answer)
        assert waiting(cast) == [item]


def test_proposals_wait_again_after_undoing(cast: Cast, alice: Visitor) -> None:
    from tests.memory.test_review_page import offer, shared

    item = f"proposal:{offer(cast).pk}"
    for verdict in ("accept", "reject"):
        answer = decide(alice, item, verdict)
        assert waiting(cast) == []
        assert undo(alice, answer).status_code == 200
        assert waiting(cast) == [item]
    with workspace_scope(cast.acme.caller):
        assert Memory.objects.of(cast.acme.caller).live().count() == 0
    assert shared(cast) != []


def test_stale_memories_wait_until_somebody_keeps_them(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)
    with workspace_scope(cast.acme.caller):
        Memory.objects.filter(pk=memory.pk).update(touched_at=utc_now().replace(year=2020))
    assert waiting(cast) == [f"stale:{memory.pk}"]

    decide(alice, f"stale:{memory.pk}", "keep")

    assert waiting(cast) == []


def test_several_are_decided_at_once_and_undone_at_once(cast: Cast, alice: Visitor) -> None:
    memories = [suggest(cast, f"Shelf {number} holds flour.") for number in range(4)]
    items = [f"suggestion:{memory.pk}" for memory in memories[:3]]

    answer = decide(alice, items, "keep", bulk=1)

    assert toast_of(answer)["text"] == "3 decided: kept."
    assert waiting(cast) == [f"suggestion:{memories[3].pk}"]
    assert len(parse_qs(urlsplit(toast_of(answer)["undo_url"]).query)["verdict"]) == 3
    undo(alice, answer)
    assert len(waiting(cast)) == 4


def test_of_several_those_that_do_not_take_it_stay(cast: Cast, alice: Visitor) -> None:
    memory, found = suggest(cast), pattern(cast)

    answer = decide(alice, [f"suggestion:{memory.pk}", f"pattern:{found.pk}"], "forget", bulk=1)

    assert "1 decided: forgotten. 1 left as they are" in toast_of(answer)["text"]
    assert waiting(cast) == [f"pattern:{found.pk}"]


def test_the_place_goes_on_behind_what_was_decided(cast: Cast, alice: Visitor) -> None:
    memories = [suggest(cast, f"Shelf {number} holds flour.") for number in range(3)]
    newest, middle, _ = (f"suggestion:{memory.pk}" for memory in reversed(memories))

    skipped = alice.get("review", at=middle)
    assert "2 of 3" in text_of(skipped)
    answer = alice.post("review/decide", item=middle, verdict="keep", at=f"suggestion:{memories[0].pk}")

    page = text_of(alice.get(answer["Location"]))
    assert 'class="review-text">Shelf 0' in page
    assert ("2 of 2" in page, "1 decided" in page, 'class="rail-count">2<' in page) == (True, True, True)
    assert newest in waiting(cast)


def test_toasts_name_what_was_decided_and_undone(cast: Cast, alice: Visitor) -> None:
    memory, found = suggest(cast), pattern(cast)

    kept = decide(alice, f"suggestion:{memory.pk}", "keep")
    warned = decide(alice, f"pattern:{found.pk}", "keep")

    named = f"“{TEXT.rstrip('.')}”"
    assert toast_of(kept)["text"] == f"Kept {named}."
    assert toast_of(warned)["text"].startswith("Kept “tool_call/invoice/rate_limited: ")
    assert toast_of(undo(alice, kept))["text"] == f"Undone. {named} waits again."
    edited = decide(alice, f"suggestion:{memory.pk}", "edit", content="By the <b>front</b> door.")
    assert toast_of(edited)["text"] == "Edited: “By the <b>front</b> door”."


def test_the_card_says_which_verdicts_it_takes(cast: Cast, alice: Visitor) -> None:
    pattern(cast)
    assert 'data-takes="Its verdicts are Keep warning (z), Suppress (s)."' in text_of(alice.get("review"))


def test_without_script_verdicts_and_undoing_are_forms(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)

    answer = alice.post("review/decide", item=f"suggestion:{memory.pk}", verdict="keep")
    assert (answer.status_code, answer["Location"]) == (302, alice.address("review?done=1"))
    page = text_of(alice.get("review"))
    verdict = re.search(r'name="verdict" value="([0-9a-f-]{36})"', page)
    assert "Decided lately" in page
    assert verdict
    assert alice.post("review/undo", verdict=verdict[1]).status_code == 302
    assert waiting(cast) == [f"suggestion:{memory.pk}"]


def test_what_somebody_else_decided_is_said(cast: Cast, alice: Visitor) -> None:
    memory = suggest(cast)
    apply_transition(caller=cast.acme.caller, memory_id=memory.pk, verb=Verb.FORGET)

    answer = decide(alice, f"suggestion:{memory.pk}", "keep")

    assert (answer.status_code, "decided meanwhile" in toast_of(answer)["text"]) == (200, True)


def test_the_number_of_queries_does_not_follow_the_queue(cast: Cast, alice: Visitor) -> None:
    counts = []
    for number in (1, 8):
        for each in range(number):
            suggest(cast, f"Shelf {number}-{each} holds flour.")
        alice.get("review")
        with CaptureQueriesContext(
            connection,
        ) as captured:
            alice.get("review")
        counts.append(len(captured))

    assert counts[0] <= counts[1] <= counts[0] + 1


@pytest.mark.parametrize("text", ["", "suggestion", "suggestion:x", f"node:{'0' * 32}", "suggestion:1:2"])
def test_what_names_no_item(text: str) -> None:
    assert parse_item(text) is None


def test_a_verdict_of_another_kind_is_refused(cast: Cast, alice: Visitor) -> None:
    item = f"suggestion:{suggest(cast).pk}"

    assert decide(alice, item, "apart").status_code == 422
    assert decide(alice, item, "merge").status_code == 422
    assert decide(alice, item, "no such").status_code == 422
    assert alice.post("review/decide", verdict="keep").status_code == 422


def test_a_key_with_facts_decides_what_does_not_wait_by_policy(cast: Cast) -> None:
    memory = suggest(cast)
    item = ItemKey(ItemKind.SUGGESTION, memory.pk)

    decide_item(caller=agent_of(cast), item=item, judgement=Judgement(VerdictKind.KEEP))

    assert waiting(cast) == []
    with workspace_scope(cast.acme.caller):
        assert Node.objects.of(cast.acme.caller).get(pk=memory.pk).suppressed_at is None
