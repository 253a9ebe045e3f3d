"""What waits by policy is in nothing that agents are given, until a person decides; facts of four eyes need two."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.clock import utc_now
from core.errors import ProductError
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind
from memory.memories.review.judgement import Judgement
from memory.memories.review.selectors import queue_entries
from memory.memories.review.services.decisions import decide_item, undo_verdict
from memory.memories.review.services.fact_requests import NeedsTwoPeopleError
from memory.memories.review.services.quarantine import PendingReviewError
from memory.memories.review.tasks import erase_rejected_memories
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import ForgottenBeforeError, NewMemory, edit_memory, remember
from memory.memories.transitions import Verb
from memory.models import ForgottenFingerprint, Kind, Memory, MemoryRevision, Source
from ontology.models import Node
from tests.cast import Cast
from tests.furnished import furnish
from tests.mcp_server.calls import called_all, ids_in
from tests.mcp_server.serving import house_served, in_session
from tests.rules.doors import Visitor, ids_of, rest_doors
from workspaces.access.callers import ActorKind, Caller
from workspaces.access.scope import workspace_scope
from workspaces.settings.review_policy import ReviewPolicy
from workspaces.settings.services import change_settings

pytestmark = pytest.mark.django_db

WORD = "quaxolotl"
TEXT = f"Acme orders tea on Mondays from the {WORD}."
# Doors that govern what is remembered, or hand all of it out: they show what waits, and that it does.
GOVERNING = {
    "api-memories",
    "api-memory",
    "api-review",
    "api-nodes",
    "api-node",
}
# Doors that are asked by POST and change nothing.
ASKED_BY_POST = {"search", "context", "ask", "prompt", "chat", "inject", "traverse", "paths", "impact", "query"}


def agent_of(cast: Cast) -> Caller:
    return replace(cast.acme.caller, kind=ActorKind.API_KEY, id="key-1", label="order-desk")


def person_of(cast: Cast) -> Caller:
    return replace(cast.acme.caller, id=str(cast.bob.pk), label="Bob")


def hold_all(cast: Cast, **policy: Any) -> None:
    change_settings(caller=cast.acme.caller, memory={"review": policy or {"rules": [{"source": "agent"}]}})


def held(cast: Cast, content: str = TEXT, **fields: Any) -> Memory:
    return remember(caller=agent_of(cast), new=NewMemory(content, **fields)).memory


def reread(cast: Cast, memory: Memory) -> Memory:
    return access_memory(cast.acme.caller, memory.pk, with_forgotten=True)


def decide(cast: Cast, memory: Memory, verdict: VerdictKind, *, by: Caller | None = None, **fields: Any) -> Any:
    item = ItemKey(ItemKind.PENDING, memory.pk)
    return decide_item(caller=by or cast.acme.caller, item=item, judgement=Judgement(verdict, **fields))


@pytest.mark.parametrize(
    ("rules", "memory", "expected"),
    [
        ([], ("agent", "memory", 0.1), False),
        ([{}], ("user", "fact", 1.0), True),
        ([{"source": "extraction"}], ("extraction", "memory", 0.9), True),
        ([{"source": "extraction"}], ("agent", "memory", 0.9), False),
        ([{"below_confidence": 0.7}], ("extraction", "memory", 0.69), True),
        ([{"below_confidence": 0.7}], ("extraction", "memory", 0.7), False),
        ([{"kind": "fact"}], ("agent", "memory", 0.1), False),
        ([{"kind": "fact"}], ("agent", "fact", 1.0), True),
        ([{"source": "agent", "needs_person": False}, {}], ("agent", "memory", 0.5), False),
        ([{"source": "agent", "needs_person": False}, {}], ("import", "memory", 0.5), True),
    ],
)
def test_the_first_rule_that_matches_decides(rules: Any, memory: tuple[str, str, float], expected: bool) -> None:
    source, kind, confidence = memory
    policy = ReviewPolicy.of({"rules": rules})
    assert policy.needs_person(source=source, kind=kind, confidence=confidence) is expected


def test_the_policy_is_a_setting(cast: Cast) -> None:
    acme = cast.acme.rest()
    wanted = {"rules": [{"source": "extraction", "below_confidence": 0.7}], "four_eyes": True}

    assert acme.get("settings").json()["memory"]["review"] == {"rules": [], "four_eyes": False}
    assert acme.put("settings", {"memory": {"review": wanted}}).status_code == 200
    assert acme.put("settings", {"memory": {"review": {"four_eyes": False}}}).status_code == 200
    found = acme.get("settings").json()["memory"]["review"]
    whole = {"source": "extraction", "kind": None, "below_confidence": 0.7, "needs_person": True}
    assert found == {"rules": [whole], "four_eyes": False}
    refused: list[dict[str, Any]] = [{"rules": [{}] * 21}, {"rules": [{"source": "x"}]}, {"x": 1}]
    for wrong in [*refused, {"rules": [{"below_confidence": 2}]}]:
        assert acme.put("settings", {"memory": {"review": wrong}}).status_code == 422


def reading_answers(cast: Cast) -> dict[str, str]:
    """What every REST door that reads answers, by its name."""
    ids, visitor = ids_of(cast.acme), Visitor(cast.acme.secret)
    doors = [
        door
        for door in rest_doors()
        if door.method == "GET" or (door.method == "POST" and ASKED_BY_POST & set(door.name.split("-")))
    ]
    answers = {}
    for door in doors:
        body = door.body(ids)
        for name in {"query", "question", "message", "text", "prompt"} & body.keys():
            body = {name: "When does Acme order tea, and from whom?"}
        answer = visitor.asks(door, ids, body)
        answers[door.name] = "" if answer.streaming else answer.content.decode(errors="replace")
    return answers


@pytest.mark.parametrize("is_held", [True, False])
def test_every_rest_door_that_reads(cast: Cast, is_held: bool) -> None:
    furnish(cast.acme)
    if is_held:
        hold_all(cast)
    held(cast)

    showing = {name for name, answer in reading_answers(cast).items() if WORD in answer}

    if is_held:
        assert showing - GOVERNING == set()
        assert {"api-memories", "api-review"} <= showing
    else:  # otherwise the test would prove nothing
        assert {"api-memory-search", "api-context", "api-ontology-search"} <= showing


@pytest.mark.django_db(transaction=True)
@pytest.mark.heavy
@pytest.mark.parametrize("is_held", [True, False])
def test_every_tool_that_reads(cast: Cast, is_held: bool) -> None:
    furnish(cast.acme)
    ids = ids_in(cast.acme)
    if is_held:
        hold_all(cast)
    memory = held(cast, f"{cast.acme.workspace.name} orders tea from the {WORD}.")

    with house_served() as house:
        answers = in_session(f"{house}/mcp", cast.acme.secret, lambda client: called_all(client, ids))

    showing = {name for name, answer in answers.items() if WORD in answer.model_dump_json()}
    assert memory.is_pending == is_held
    if is_held:
        assert showing == set()
    else:
        assert {"memory.list", "context.assemble"} <= showing


def test_an_export_says_that_it_waits(cast: Cast) -> None:
    hold_all(cast)
    memory = held(cast)

    lines = b"".join(cast.acme.rest().get("export").streaming_content).decode().splitlines()

    record = next(line for line in lines if str(memory.pk) in line and '"review"' in line)
    assert json.loads(record)["review"] == "pending"


def test_what_waits_replaces_nothing_until_it_is_let_out(cast: Cast) -> None:
    before = held(cast, "The bakery opens at 7.")
    hold_all(cast)
    memory = held(cast, "The bakery opens at 8.")
    assert not reread(cast, before).is_closed

    decide(cast, memory, VerdictKind.KEEP)

    assert reread(cast, before).superseded_by_id == memory.pk


@pytest.mark.parametrize("verb", [Verb.UNSUPPRESS, Verb.PROMOTE, Verb.PIN])
def test_no_key_lets_it_out(cast: Cast, verb: Verb) -> None:
    hold_all(cast)
    memory = held(cast)

    with pytest.raises(PendingReviewError):
        apply_transition(caller=agent_of(cast), memory_id=memory.pk, verb=verb)
    with pytest.raises(PendingReviewError):
        decide(cast, memory, VerdictKind.KEEP, by=agent_of(cast))
    assert held(cast).pk == memory.pk  # said again
    apply_transition(caller=agent_of(cast), memory_id=memory.pk, verb=Verb.FORGET)
    apply_transition(caller=agent_of(cast), memory_id=memory.pk, verb=Verb.RESTORE)
    edit_memory(caller=agent_of(cast), memory_id=memory.pk, changes={"content": f"{TEXT} Or so."})
    assert reread(cast, memory).is_suppressed
    assert reread(cast, memory).is_pending


def test_what_an_agent_rewrites_waits_again(cast: Cast) -> None:
    hold_all(cast)
    memory = held(cast)
    decide(cast, memory, VerdictKind.KEEP)
    assert not reread(cast, memory).is_suppressed

    edit_memory(caller=agent_of(cast), memory_id=memory.pk, changes={"content": f"{TEXT} Always."})

    assert reread(cast, memory).is_pending
    assert reread(cast, memory).is_suppressed


@pytest.mark.parametrize(
    "verdict", [VerdictKind.FACT, VerdictKind.KEEP, VerdictKind.EDIT, VerdictKind.SUPPRESS, VerdictKind.FORGET]
)
def test_each_verdict_is_undone_to_waiting(cast: Cast, verdict: VerdictKind) -> None:
    hold_all(cast)
    memory = held(cast)
    content = f"{TEXT} So it is." if verdict == VerdictKind.EDIT else None

    given = decide(cast, memory, verdict, content=content)
    now = reread(cast, memory)
    assert now.kind == (Kind.FACT if verdict == VerdictKind.FACT else Kind.MEMORY)
    assert now.is_suppressed == (verdict in {VerdictKind.SUPPRESS, VerdictKind.FORGET})
    undo_verdict(caller=cast.acme.caller, verdict_id=given.pk)

    now = reread(cast, memory)
    assert (now.is_pending, now.is_suppressed, now.kind, now.node.is_deleted) == (True, True, "memory", False)
    assert now.content == TEXT
    assert [entry.key.kind for entry in queue_entries(cast.acme.caller, limit=5)] == [ItemKind.PENDING]


def test_what_is_rejected_leaves_its_fingerprint_alone(cast: Cast) -> None:
    hold_all(cast, rules=[{"source": "extraction"}])
    memory = held(cast, source=Source.EXTRACTION)
    decide(cast, memory, VerdictKind.FORGET)
    erase_rejected_memories()
    assert reread(cast, memory).content == TEXT  # for as long as it can be undone

    with workspace_scope(cast.acme.caller):
        Node.objects.filter(pk=memory.pk).update(deleted_at=utc_now() - timedelta(hours=2))
    assert erase_rejected_memories() == 1

    with workspace_scope(cast.acme.caller):
        assert not Node.objects.filter(pk=memory.pk).exists()
        assert not MemoryRevision.objects.filter(memory_id=memory.pk).exists()
        assert ForgottenFingerprint.objects.count() == 1
    with pytest.raises(ForgottenBeforeError):
        held(cast, source=Source.EXTRACTION)


def test_what_is_forgotten_otherwise_stays_restorable(cast: Cast) -> None:
    memory = held(cast)
    apply_transition(caller=cast.acme.caller, memory_id=memory.pk, verb=Verb.FORGET)
    with workspace_scope(cast.acme.caller):
        Node.objects.filter(pk=memory.pk).update(deleted_at=utc_now() - timedelta(days=2))

    assert erase_rejected_memories() == 0


def test_a_fact_needs_two_people(cast: Cast) -> None:
    hold_all(cast, four_eyes=True)
    memory, alice, bob = held(cast), cast.acme.caller, person_of(cast)

    for _ in range(2):  # the same person twice is one
        apply_transition(caller=alice, memory_id=memory.pk, verb=Verb.PROMOTE)
        assert reread(cast, memory).kind == Kind.MEMORY
    assert queue_entries(alice, limit=5) == []
    assert [entry.key.id for entry in queue_entries(bob, limit=5)] == [memory.pk]
    item = ItemKey(ItemKind.SUGGESTION, memory.pk)
    assert decide_item(caller=bob, item=item, judgement=Judgement(VerdictKind.FACT)).verdict == "fact"
    assert reread(cast, memory).kind == Kind.FACT


def test_the_first_of_two_people_asks_in_review_too_and_takes_it_back(cast: Cast) -> None:
    hold_all(cast, four_eyes=True)
    memory, bob = held(cast), person_of(cast)
    item = ItemKey(ItemKind.SUGGESTION, memory.pk)

    asked = decide_item(caller=cast.acme.caller, item=item, judgement=Judgement(VerdictKind.FACT))
    undo_verdict(caller=cast.acme.caller, verdict_id=asked.pk)

    assert asked.verdict == "ask"
    assert decide_item(caller=bob, item=item, judgement=Judgement(VerdictKind.FACT)).verdict == "ask"


def test_asking_counts_for_the_text_that_was_read(cast: Cast) -> None:
    hold_all(cast, four_eyes=True)
    memory = held(cast)
    apply_transition(caller=cast.acme.caller, memory_id=memory.pk, verb=Verb.PROMOTE)
    edit_memory(caller=agent_of(cast), memory_id=memory.pk, changes={"content": f"{TEXT} Twice."})

    apply_transition(caller=person_of(cast), memory_id=memory.pk, verb=Verb.PROMOTE)

    assert reread(cast, memory).kind == Kind.MEMORY


@pytest.mark.parametrize("is_person", [True, False])
def test_a_fact_that_is_stated_waits_for_a_second_person(cast: Cast, is_person: bool) -> None:
    hold_all(cast, four_eyes=True)
    author = cast.acme.caller if is_person else agent_of(cast)

    memory = remember(caller=author, new=NewMemory(TEXT, kind=Kind.FACT)).memory

    assert memory.kind == Kind.MEMORY
    apply_transition(caller=person_of(cast), memory_id=memory.pk, verb=Verb.PROMOTE)
    assert reread(cast, memory).kind == (Kind.FACT if is_person else Kind.MEMORY)


def test_with_four_eyes_no_key_promotes_and_no_single_person_rewrites_a_fact(cast: Cast) -> None:
    memory = remember(caller=cast.acme.caller, new=NewMemory(TEXT, kind=Kind.FACT)).memory
    other = held(cast, "The yard is closed.")
    hold_all(cast, four_eyes=True)

    with pytest.raises(NeedsTwoPeopleError):
        apply_transition(caller=agent_of(cast), memory_id=other.pk, verb=Verb.PROMOTE)
    for caller in (agent_of(cast), cast.acme.caller):
        with pytest.raises(ProductError) as refused:
            edit_memory(caller=caller, memory_id=memory.pk, changes={"content": "Something else."})
        assert refused.value.code == "needs_two_people"


def test_without_a_policy_nothing_waits(cast: Cast) -> None:
    assert not held(cast).is_suppressed
    assert not held(cast, "Extracted.", source=Source.EXTRACTION, confidence=0.1).is_pending
