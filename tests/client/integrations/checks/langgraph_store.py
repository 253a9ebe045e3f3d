"""The store of LangGraph, compared with the one that LangGraph brings, and where it is more than that one."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from checks.households import outsider, wait_for
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.store.base import BaseStore, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from workspace_memory import InvalidError, Memory
from workspace_memory.integrations.langgraph import WorkspaceStore, with_recall

VALUES: list[tuple[tuple[str, ...], str, dict[str, Any]]] = [
    (("memories", "mara"), "diet", {"text": "Mara is allergic to nuts."}),
    (("memories", "mara"), "colour", {"text": "Mara likes the colour green.", "score": 3}),
    (("memories", "bob"), "diet", {"text": "Mara is allergic to nuts."}),  # the same text under another key
    (("memories", "bob", "work"), "shift", {"days": ["Mon", "Tue"], "hours": {"from": 6, "to": 14}, "score": 5}),
    (("odd labels, with commas", "ünïcode/slash"), "a key, too", {"text": "Plain."}),
    (("long", "n" * 90), "k" * 90, {"text": "Long names are kept."}),
    (("signs",), "ansi", {"text": "\x1b[31mred\x1b[0m and a zero width\u200bspace", "none": None}),
    (("signs",), "spaces", {"text": "  kept as they are \n"}),
    (("signs",), "json", {"text": '{"namespace": ["x"], "key": "y", "value": {}}'}),
]


def check_that_it_keeps_what_the_store_of_langgraph_keeps() -> None:
    ours, theirs = WorkspaceStore(), InMemoryStore()
    for store in (ours, theirs):
        for namespace, key, value in VALUES:
            store.put(namespace, key, value)
        store.put(("memories", "mara"), "colour", {"text": "Mara likes the colour blue.", "score": 4})
        store.put(("memories", "mara"), "gone", {"text": "This goes."})
        store.delete(("memories", "mara"), "gone")
        store.delete(("memories", "mara"), "never there")
    for namespace, key, _ in VALUES:
        assert _said(ours.get(namespace, key)) == _said(theirs.get(namespace, key)), (namespace, key)
    assert ours.get(("memories", "mara"), "gone") is None
    prefixes: list[tuple[str, ...]] = [
        (),
        ("memories",),
        ("memories", "bob"),
        ("signs",),
        ("memo",),
        ("long", "n" * 90),
    ]
    for prefix in prefixes:
        assert _listed(ours.search(prefix, limit=50)) == _listed(theirs.search(prefix, limit=50)), prefix
    wanted: list[dict[str, Any]] = [{"score": 4}, {"score": {"$eq": 5}}, {"hours": {"from": 6}}, {"score": {"$ne": 5}}]
    for filter_ in wanted:
        found, expected = (store.search(("memories",), filter=filter_, limit=50) for store in (ours, theirs))
        assert _listed(found) == _listed(expected), filter_
    narrow: list[dict[str, Any]] = [
        {},
        {"prefix": ("memories",)},
        {"suffix": ("work",)},
        {"prefix": ("*", "bob")},
        {"max_depth": 1},
        {"prefix": ("memories",), "limit": 1, "offset": 1},
    ]
    for options in narrow:
        assert ours.list_namespaces(**options) == theirs.list_namespaces(**options), options


def check_that_it_searches_by_meaning_and_pages() -> None:
    store = WorkspaceStore()
    hits = store.search(("memories", "mara"), query="What must Mara not eat?", limit=2)
    assert hits[0].key == "diet"
    assert hits[0].score is not None
    assert [hit.score for hit in hits] == sorted((hit.score or 0 for hit in hits), reverse=True)
    ordered = store.search(("memories",), filter={"score": {"$gt": 3, "$lte": 4}})  # what has no score is not in it
    assert [hit.key for hit in ordered] == ["colour"]
    everything = [(hit.namespace, hit.key) for hit in store.search((), limit=50)]
    pages = [store.search((), limit=2, offset=place) for place in range(0, len(everything), 2)]
    assert [(hit.namespace, hit.key) for page in pages for hit in page] == everything
    assert [hit.key for hit in store.search(("memories",), query="allergic", filter={"score": 4})] in ([], ["colour"])


def check_that_people_see_and_correct_items() -> None:
    store, memory = WorkspaceStore(), Memory()
    (stored,) = memory.memories.list(tags=["in:memories/mara", "key:diet"])
    assert stored.content == "Mara is allergic to nuts."
    memory.memories.edit(stored.id, content="Mara is allergic to walnuts.")
    found = store.get(("memories", "mara"), "diet")
    assert found is not None
    assert found.value == {"text": "Mara is allergic to walnuts."}
    memory.memories.suppress(stored.id)
    assert store.get(("memories", "mara"), "diet") is None
    assert "diet" not in [hit.key for hit in store.search(("memories", "mara"))]


def check_that_a_newer_item_replaces_an_older_one_in_searches_only() -> None:
    store = WorkspaceStore()
    store.put(("cities",), "first", {"text": "Tom lives in Paris."})
    store.put(("cities",), "second", {"text": "Tom lives in Rome."})
    assert [hit.key for hit in store.search(("cities",), query="Where does Tom live?")] == ["second"]
    first = store.get(("cities",), "first")
    assert first is not None
    assert first.value == {"text": "Tom lives in Paris."}
    store.put(("cities",), "first", {"text": "Tom was born in Lyon."})
    assert {hit.key for hit in store.search(("cities",))} == {"first", "second"}


def check_that_items_expire_and_reading_renews_them() -> None:
    store, memory = WorkspaceStore(), Memory()
    store.put(("times",), "short", {"text": "Gone in a moment."}, ttl=1 / 600)
    time.sleep(0.15)
    assert store.get(("times",), "short", refresh_ttl=False) is None
    assert store.search(("times",)) == []
    store.put(("times",), "renewed", {"text": "Read again and again."}, ttl=1 / 60)
    time.sleep(0.3)
    assert store.get(("times",), "renewed") is not None
    (stored,) = memory.memories.list(tags=["in:times", "key:renewed"])
    assert stored.expires_at is not None
    assert (stored.expires_at - stored.created_at).total_seconds() > 1.2


def check_that_each_user_has_a_memory_of_their_own() -> None:
    store, memory = WorkspaceStore(user_at=1), Memory()
    store.put(("private", "mara"), "diet", {"text": "Mara eats no fish."})
    assert store.search(("private", "mara"), query="fish")[0].value == {"text": "Mara eats no fish."}
    assert (
        memory.for_user("mara", shared=False).search("fish", mode="keyword")[0].memory.content == "Mara eats no fish."
    )
    assert memory.search("fish", mode="keyword").results == ()
    assert WorkspaceStore(memory.for_user("bob")).search((), query="fish") == []
    assert store.list_namespaces(prefix=("private", "mara")) == [("private", "mara")]


def check_that_an_outsider_sees_nothing() -> None:
    store = WorkspaceStore(outsider())
    assert store.search((), limit=50) == []
    assert store.search((), query="Mara") == []
    assert store.get(("memories", "mara"), "colour") is None
    assert store.list_namespaces() == []


def check_that_refusals_are_told() -> None:
    store = WorkspaceStore()
    with pytest.raises(InvalidError, match="credential"):
        store.put(("secrets",), "key", {"text": "password=hunter2-hunter2-hunter2"})


def check_that_it_is_awaited_and_batched() -> None:
    wait_for(_await_and_batch())


async def _await_and_batch() -> None:
    store = WorkspaceStore()
    await store.aput(("async",), "one", {"text": "Written in a thread."})
    found = await store.aget(("async",), "one")
    assert found is not None
    done = await store.abatch(
        [SearchOp(("async",)), PutOp(("async",), "two", {"n": 1}), PutOp(("async",), "two", {"n": 2})]
    )
    assert [hit.key for hit in done[0]] == ["one"]
    second = await store.aget(("async",), "two")
    assert second is not None
    assert second.value == {"n": 2}
    await asyncio.gather(*(store.aput(("async",), f"many-{n}", {"n": n}) for n in range(5)))
    assert len(await store.asearch(("async",), limit=50)) == 7


def check_that_recall_reaches_the_model_and_no_checkpoint() -> None:
    memory, given = Memory(), []

    def answer(state: MessagesState, *, store: BaseStore) -> dict[str, Any]:
        assert isinstance(store, WorkspaceStore)
        given.extend(with_recall(memory, state["messages"], token_budget=500))
        return {"messages": [AIMessage("Green or blue.")]}

    graph = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer")
    compiled = graph.compile(checkpointer=InMemorySaver(), store=WorkspaceStore())
    config: Any = {"configurable": {"thread_id": "1"}}
    compiled.invoke({"messages": [HumanMessage("Which colour does Mara like?")]}, config)

    assert isinstance(given[0], SystemMessage)
    assert "colour blue" in given[0].text
    kept = compiled.get_state(config).values["messages"]
    assert [message.type for message in kept] == ["human", "ai"]


def _said(item: Any) -> Any:
    return None if item is None else (item.namespace, item.key, item.value)


def _listed(items: Any) -> list[Any]:
    return sorted((item.namespace, item.key, repr(item.value)) for item in items)
