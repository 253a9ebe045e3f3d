"""The ontology, chat, receipts, telemetry, keys, members, models and review in the SDK, against the product."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import workspace_memory
from tests.cast import Cast
from tests.client.wiring import URL, Here, async_memory_of, finished, memory_of, memory_with
from tests.rules.source import ROOT, python_files
from workspace_memory import ForbiddenError, Memory, NotFoundError, WorkspaceMemoryError
from workspaces.settings.services import set_memory_enabled


@pytest.fixture
def memory(cast: Cast) -> Memory:
    return memory_of(cast.acme)


def test_nodes_and_edges_live_and_hang_together(memory: Memory) -> None:
    ontology = memory.ontology
    ada = ontology.nodes.create("person", "Ada", properties={"role": "engineer"})
    acme = ontology.nodes.create("company", "Acme")
    edge = ontology.edges.create("works_at", ada.id, acme.id, properties={"since": 2020})

    assert ontology.nodes.edit(ada.id, properties={"role": None, "level": 3}).properties == {"level": 3}
    assert [one.name for one in ontology.nodes.list(type=["person"], q="ad")] == ["Ada"]
    assert [one.id for one in ontology.edges.list(node=acme.id)] == [edge.id]
    assert [(one.node.name, one.distance) for one in ontology.nodes.neighbours(ada.id).results] == [("Acme", 1)]
    assert ontology.nodes.impact(acme.id, depth=2).total == 1
    found = ontology.path(ada.id, acme.id).path
    assert found is not None
    assert found.length == 1
    assert {one.name for one in ontology.types()} >= {"person", "company", "works_at"}
    assert [one.action for one in ontology.nodes.history(ada.id)] == ["edit"]

    assert ontology.edges.edit(edge.id, properties={"since": 2021}).properties == {"since": 2021}
    assert ontology.edges.delete(edge.id).is_deleted
    assert not ontology.edges.restore(edge.id).is_deleted
    assert ontology.nodes.delete(acme.id).is_deleted
    assert ontology.nodes.get(acme.id).is_deleted
    assert not ontology.nodes.restore(acme.id).is_deleted
    assert ontology.edges.get(edge.id).source == ada.id


def test_many_nodes_and_edges_come_in_one_call(memory: Memory) -> None:
    nodes = memory.ontology.nodes.create_many([{"type": "tea", "name": f"Tea {n}"} for n in range(3)])
    refused = memory.ontology.nodes.create_many([{"type": "tea", "name": ""}])
    first, second, _ = (one.id for one in nodes)
    edges = memory.ontology.edges.create_many([{"type": "goes_with", "source": first, "target": second}])

    assert [one.status for one in [*nodes, *edges]] == ["created"] * 4
    assert (refused[0].status, refused[0].line) == ("refused", 1)
    assert memory.ontology.nodes.create_many([]) == []


def test_many_memories_come_in_one_call(memory: Memory) -> None:
    mara = memory.for_user("mara")
    came = mara.memories.remember_many(["Tea is green.", {"content": "Tea is hot.", "tags": ["tea"]}, ""])
    again = mara.memories.remember_many(["Tea is green."])

    assert [one.status for one in [*came, *again]] == ["created", "created", "refused", "existing"]
    assert again[0].id == came[0].id
    assert {one.source for one in mara.memories.list()} == {"import"}
    assert [one.content for one in mara.memories.list(tags=["tea"])] == ["Tea is hot."]
    assert (memory.memories.remember_many([]), list(memory.memories.list())) == ([], [])


def test_the_ontology_is_searched_asked_and_taught(memory: Memory) -> None:
    memory.write("Tea is ordered on Mondays.", kind="fact")
    taught = memory.ontology.prompt("Ada works at Acme.", intent="update")

    assert taught.update is not None
    assert {one.node.name for one in taught.update.nodes} == {"Ada", "Acme"}
    found = memory.ontology.search("tea", limit=3, mode="keyword", types=["fact"])
    assert (found.method, found[0].node.content) == ("keyword", "Tea is ordered on Mondays.")
    answer = memory.ontology.ask("When is tea ordered?")
    assert "Mondays" in answer.text
    assert answer.claims[0].citations[0].node_id == found[0].node.id


def test_nodes_are_merged_and_the_merge_is_undone(memory: Memory) -> None:
    nodes = memory.ontology.nodes
    kept, other = nodes.create("person", "Ada"), nodes.create("person", "Ada L.", properties={"born": 1815})

    merge = memory.ontology.merge(kept.id, other.id)
    assert (nodes.get(kept.id).properties["born"], nodes.get(other.id).is_deleted) == (1815, True)
    assert [one.id for one in memory.ontology.merges()] == [merge.id]
    assert memory.ontology.undo_merge(merge.id).undone_at is not None
    assert list(memory.ontology.merge_candidates()) == []


def test_a_connection_owns_what_came_through_it(memory: Memory) -> None:
    crm = memory.ontology.connections.create("crm", kind="crm")
    node = memory.ontology.nodes.create("person", "Ada", connection=crm.id)

    assert [one.name for one in memory.ontology.connections.list()] == ["crm"]
    assert memory.ontology.connections.delete(crm.id).is_deleted
    with pytest.raises(NotFoundError):
        memory.ontology.nodes.get(node.id)


def test_a_message_is_answered_whole_and_piece_by_piece(memory: Memory) -> None:
    memory.write("Tea is ordered on Mondays.", kind="fact")

    turn = memory.chat("c-1", "When is tea ordered?")
    events = list(memory.stream_chat("c-1", "When is tea ordered?", token_budget=500))

    assert "Mondays" in turn.message.content
    assert [events[0].name, events[-1].name] == ["trace", "done"]
    last = events[-1].turn
    assert last is not None
    assert "".join(event.text for event in events) == last.message.content
    assert len(memory.session("c-1").history.last()) == 4
    with pytest.raises(workspace_memory.InvalidError):
        list(memory.stream_chat("c-1", ""))


def test_a_context_is_explained_rerun_and_reproduced(memory: Memory) -> None:
    memory.settings.change({"memory": {"keep_contexts": True}})
    written = memory.write("Tea is ordered on Mondays.", kind="fact")
    context = memory.context("tea", conversation="s-1")
    assert context.receipt_id is not None

    receipt = memory.receipts.get(context.receipt_id)
    assert [one.id for one in memory.receipts.list(memory=written.id)] == [receipt.id]
    rerun = memory.receipts.rerun(receipt.id, without=[written.id], query="tea")
    assert rerun.removed == [written.id]
    assert memory.receipts.reproduce(receipt.id).is_identical


def test_patterns_sequences_and_metrics_are_there(cast: Cast, memory: Memory) -> None:
    set_memory_enabled(caller=cast.acme.caller, enabled=True)
    node = memory.ontology.nodes.create("person", "Ada")

    assert list(memory.patterns.list(status="promoted")) == []
    assert memory.patterns.evaluate().promoted == []
    assert memory.patterns.inject([node.id], session="s-1").patterns == []
    assert memory.patterns.suppress("tool_call/").changed == []
    assert list(memory.sequences.list(agent="clerk", outcome="failure")) == []
    made = memory.metrics.create("quick", "rate", success_condition="action_count < 10", window_days=7)
    assert memory.metrics.edit(made.id, name="quicker").name == "quicker"
    assert memory.metrics.try_out("slow", "average", measure="duration_ms").points
    assert memory.metrics.benchmark("quicker").metric == "quicker"
    memory.metrics.delete(made.id)
    assert {one.builtin for one in memory.metrics.list()} == {True}


def test_keys_members_and_models_are_governed(cast: Cast, memory: Memory) -> None:
    made = memory.keys.create("narrow", ["read"], spaces=["user:mara"])
    assert memory_with(made.secret).for_user("mara").search("tea").results == ()
    assert made.secret not in str([one.model_dump() for one in memory.keys.list()])
    assert memory.keys.revoke(made.id).revoked_at is not None

    assert memory.members.invite("dana@acme.example", role="viewer").status == "pending"
    memory.members.withdraw("dana@acme.example")
    memory.members.remove(str(cast.bob.id))
    assert [one.name for one in memory.members.list()] == ["Alice"]

    assert (list(memory.models.providers()), memory.models.choices()) == ([], [])
    assert memory.models.budget().spent == 0
    assert list(memory.models.prompt_runs()) == []


def test_the_review_queue_is_judged(memory: Memory) -> None:
    written = memory.for_user("mara").write("Tea is ordered on Mondays.")
    proposal = memory.for_user("mara").memories.propose(written.id)

    (item,) = memory.review.list(kind="proposal")
    assert (item.id, item.verdicts) == (proposal.id, ["accept", "edit", "reject"])
    assert memory.review.decide(item.id, kind=item.kind, verdict="accept").verdict == "accept"
    assert list(memory.review.list()) == []


def test_messages_are_recalled_and_consolidated(cast: Cast, memory: Memory) -> None:
    set_memory_enabled(caller=cast.acme.caller, enabled=True)
    session = memory.session("s-1")
    session.history.extend([{"role": "user", "content": f"Tea {n} is ordered."} for n in range(3)])

    assert "Tea" in session.recall("tea", limit=1)[0].message.content
    assert (session.consolidate(retain_last=1).turns, session.consolidate().finished) == (0, True)


def test_any_other_route_is_called_by_its_name(memory: Memory) -> None:
    assert memory.call("GET", "members", query={"limit": "1"})["results"]
    assert memory.for_user("mara").call("POST", "memories/search", {"query": "tea"})["results"] == []


def test_the_environment_names_the_memory(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WSM_KEY", raising=False)
    monkeypatch.setenv("WSM_URL", URL)
    with pytest.raises(WorkspaceMemoryError, match="WSM_KEY"):
        Memory.from_env()
    monkeypatch.setenv("WSM_KEY", cast.acme.secret)
    assert Memory.from_env(http=Here(), timeout=5).workspace().name == "Acme"


def test_lists_still_take_the_earlier_name_of_their_limit(memory: Memory) -> None:
    for number in range(3):
        memory.write(f"Tea {number}.")
    with pytest.warns(DeprecationWarning, match="`limit` now"):
        listed = memory.memories.list(most=2)  # type: ignore[call-arg]  # what programs of before say
    assert len(list(listed)) == 2
    with pytest.raises(TypeError, match="limit"):
        memory.memories.list(most=2, limit=3)  # type: ignore[call-arg]


def test_the_outsider_sees_nothing_and_a_reader_changes_nothing(cast: Cast, memory: Memory) -> None:
    node = memory.ontology.nodes.create("person", "Ada")
    receipt = memory.context("tea").receipt_id
    outsider = memory_of(cast.umbrella)

    assert list(outsider.ontology.nodes.list()) == []
    assert list(outsider.receipts.list()) == []
    for look in (
        lambda: outsider.ontology.nodes.get(node.id),
        lambda: outsider.ontology.nodes.neighbours(node.id),
        lambda: outsider.receipts.get(str(receipt)),
    ):
        with pytest.raises(NotFoundError):
            look()
    reader = memory_with(memory.keys.create("reader", ["read"]).secret)
    with pytest.raises(ForbiddenError):
        reader.ontology.nodes.create("person", "Bob")
    with pytest.raises(ForbiddenError):
        list(reader.keys.list())


def test_nodes_of_a_user_are_theirs(memory: Memory) -> None:
    memory.for_user("mara").ontology.nodes.create("person", "Ada")

    assert list(memory.ontology.nodes.list()) == list(memory.for_user("bob").ontology.nodes.list()) == []
    assert [one.name for one in memory.for_user("mara").ontology.nodes.list()] == ["Ada"]


def test_the_awaited_client_has_all_of_it(cast: Cast) -> None:
    async def work() -> None:
        async with async_memory_of(cast.acme) as memory:
            node = await memory.ontology.nodes.create("person", "Ada")
            assert [one.id async for one in memory.ontology.nodes.list(limit=1)] == [node.id]
            assert [event.name async for event in memory.stream_chat("c-1", "Who is Ada?")][-1] == "done"

    finished(work())


@pytest.mark.parametrize("path", python_files("client/workspace_memory"), ids=lambda path: path.stem)
def test_every_module_can_be_read_by_python_3_10(path: Path) -> None:
    ast.parse(path.read_text(), feature_version=(3, 10))


def test_what_is_exported_is_there_and_in_order() -> None:
    names = workspace_memory.__all__
    assert names == sorted(names)
    assert [name for name in names if not hasattr(workspace_memory, name)] == []
    assert {"Context", "Found", "Hit", "Kind", "StoredMemory"} < {*names}
    assert (ROOT / "client" / "workspace_memory" / "py.typed").exists()
