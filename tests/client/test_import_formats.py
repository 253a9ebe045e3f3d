"""What exports of memory products become: whose a memory is, when it was made, what has no place and is reported."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from workspace_memory.importing import (
    graphiti,
    hindsight,
    letta,
    mcp_memory_service,
    mem0,
    memory_graph,
)
from workspace_memory.importing.items import EdgeItem, Item, MemoryItem, MessageItem, NodeItem, Skipped


def kept(items: Iterator[Item]) -> list[Item]:
    return [item for item in items if not isinstance(item, Skipped)]


def notes(items: Iterator[Item]) -> list[tuple[str, str]]:
    return [(item.code, item.why) for item in items if isinstance(item, Skipped)]


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, tzinfo=UTC)


# mem0


def test_mem0_keeps_users_apart_and_says_what_has_no_place() -> None:
    value = {
        "results": [
            {"id": "1", "memory": "Likes oat milk.", "user_id": "alice", "expiration_date": "2026-01-31", "hash": "x"},
            {"id": "2", "memory": "Likes oat milk.", "user_id": "bob", "agent_id": "barista", "run_id": "r-1"},
            {
                "id": "3",
                "memory": "Opens at 7.",
                "agent_id": "barista",
                "metadata": {"shop": 2, "open": True, "tree": {"a": 1}},
            },
        ]
    }

    items = list(mem0.memories(value, "x"))

    assert kept(iter(items)) == [
        MemoryItem("Likes oat milk.", ("mem0",), space="user:alice", expires_at=day(2, 1)),
        MemoryItem("Likes oat milk.", ("mem0", "agent:barista", "run:r-1"), space="user:bob"),
        MemoryItem("Opens at 7.", ("mem0", "shop:2", "open:true"), space="agent:barista"),
    ]
    assert notes(iter(items)) == [("metadata", "Not kept: tree.")]


def test_mem0s_relations_go_where_their_owner_is_certain() -> None:
    relations = [{"source": "alice", "relationship": "likes", "target": "tea"}, {"source": "alice"}]
    of_one = mem0.memories({"results": [{"memory": "Tea.", "user_id": "alice"}], "relations": relations}, "x")
    users = [{"memory": "Tea.", "user_id": name} for name in ("alice", "bob")]

    assert [item for item in of_one if not isinstance(item, MemoryItem)] == [
        NodeItem("mem0/alice", "entity", "alice", space="user:alice"),
        NodeItem("mem0/tea", "entity", "tea", space="user:alice"),
        EdgeItem("likes", "mem0/alice", "mem0/tea", space="user:alice"),
        Skipped("x.relations[1]", "no_relation", "It has no source, relationship or target."),
    ]
    assert notes(mem0.memories({"results": users, "relations": relations}, "x")) == [
        ("no_owner", "Relations of several users that name none: 2.")
    ]


# Graphiti and Zep


def test_a_graph_becomes_nodes_edges_and_facts_with_their_times() -> None:
    value = {
        "user_id": "alice",
        "nodes": [{"uuid": "n-1", "name": "Alice", "labels": ["Entity", "Person"], "summary": "A baker."}],
        "edges": [
            {
                "uuid": "e-1",
                "source_node_uuid": "n-1",
                "target_node_uuid": "n-2",
                "name": "WORKS_AT",
                "fact": "Alice works at Acme.",
                "created_at": "2026-01-03T00:00:00Z",
                "valid_at": "2026-01-01T00:00:00Z",
                "episodes": ["p-1"],
                "attributes": {"role": "baker"},
            },
            {
                "uuid": "e-2",
                "source_node_uuid": "n-1",
                "target_node_uuid": "n-3",
                "name": "LIVES_IN",
                "fact": "Alice lives in Ulm.",
                "valid_at": "2026-01-01T00:00:00Z",
                "invalid_at": "2026-02-01T00:00:00Z",
            },
        ],
        "episodes": [
            {"uuid": "p-1", "role": "user", "role_name": "Alice", "content": "I moved.", "thread_uuid": "t-1"},
            {"uuid": "p-2", "content": "Opening hours: 7 to 9.", "source": "text", "source_description": "website"},
        ],
    }

    items = list(graphiti.items(value, "x"))

    space = "user:alice"
    assert kept(iter(items)) == [
        NodeItem("graphiti/n-1", "person", "Alice", {"summary": "A baker."}, space),
        MemoryItem("Alice works at Acme.", ("graphiti", "works_at"), day(1, 3), space=space, valid_from=day(1, 1)),
        EdgeItem("works_at", "graphiti/n-1", "graphiti/n-2", {"role": "baker", "since": "2026-01-01"}, space),
        MemoryItem(
            "Alice lives in Ulm.", ("graphiti", "lives_in"), space=space, valid_from=day(1, 1), valid_to=day(2, 1)
        ),
        MessageItem("graphiti/t-1", "p-1", "user", "I moved.", name="Alice", space=space),
        MessageItem("graphiti/website", "p-2", "tool", "Opening hours: 7 to 9.", space=space),
    ]
    assert notes(iter(items)) == [
        (
            "ended_relation",
            "The relation lives_in ended on 2026-02-01; its fact is kept as a memory that is no longer valid.",
        )
    ]


@pytest.mark.parametrize(("group", "space"), [("acme", "group:acme"), ("", ""), ("_", "")])
def test_a_partition_of_a_graph_is_a_space(group: str, space: str) -> None:
    (item,) = graphiti.items({"uuid": "n-1", "name": "Alice", "group_id": group, "labels": ["Entity"]}, "x")

    assert item == NodeItem("graphiti/n-1", "entity", "Alice", space=space)


# Letta


def test_an_agent_file_becomes_its_blocks_and_what_was_said() -> None:
    packed = json.dumps({"type": "user_message", "message": "When is tea ordered?", "time": "now"})
    spoken = {"function": {"name": "send_message", "arguments": json.dumps({"message": "On Mondays."})}}
    messages = [
        {"id": "message-0", "role": "system", "content": [{"type": "text", "text": "You are Sam."}]},
        {"id": "message-1", "role": "user", "content": [{"type": "text", "text": packed}]},
        {"id": "message-2", "role": "user", "content": json.dumps({"type": "heartbeat", "reason": "x"})},
        {"id": "message-3", "role": "assistant", "content": [{"type": "text", "text": "Hm."}], "tool_calls": [spoken]},
        {"id": "message-4", "role": "assistant", "content": [], "tool_calls": [{"function": {"name": "search"}}]},
        {"id": "message-5", "role": "tool", "content": [{"type": "text", "text": "OK"}]},
    ]
    value = {
        "agents": [{"id": "agent-0", "name": "Sam", "block_ids": ["block-0"], "messages": messages}],
        "blocks": [{"id": "block-0", "label": "human", "value": "\nName: Alice\n", "metadata": {}}],
        "tools": [{"id": "tool-0"}],
    }

    items = list(letta.items(value, "x"))

    assert kept(iter(items)) == [
        MessageItem("letta/Sam", "message-1", "user", "When is tea ordered?"),
        MessageItem("letta/Sam", "message-3", "assistant", "On Mondays."),
        MemoryItem("human\n\nName: Alice", ("letta", "block:human", "agent:Sam")),
    ]
    assert [code for code, _ in notes(iter(items))] == [
        *("hidden", "no_message", "tool_or_thought", "tool_or_thought", "no_memory"),
    ]


def test_passages_of_archival_memory_are_memories() -> None:
    passage = {"id": "p", "text": "The oven is new.", "created_at": "2026-01-02T00:00:00Z", "tags": ["ovens"]}

    assert kept(letta.items({"agents": [], "passages": [passage]}, "x")) == [
        MemoryItem("The oven is new.", ("letta", "archival", "ovens"), day(1, 2))
    ]


# Hindsight, mcp-memory-service, the MCP reference memory server


def test_hindsight_keeps_kinds_dates_and_what_is_no_longer_valid() -> None:
    unit = {
        "text": "Alice moved to Ulm.",
        "fact_type": "world",
        "context": "small talk",
        "mentioned_at": "2026-01-03T00:00:00Z",
        "occurred_start": "2026-01-01T00:00:00Z",
        "entities": "Alice, Ulm",
        "tags": ["home"],
        "metadata": {"tree": [1]},
    }
    ended = {"text": "Alice lives in Köln.", "state": "invalidated", "invalidated_at": "2026-02-01T00:00:00Z"}
    gone = {"text": "Alice is a cat.", "state": "invalidated", "invalidation_reason": "a joke"}

    items = list(hindsight.memories({"items": [unit, ended, gone]}, "x"))

    assert kept(iter(items)) == [
        MemoryItem(
            "Alice moved to Ulm.",
            ("hindsight", "world", "on:2026-01-01", "home", "Alice", "Ulm", "context:small talk"),
            day(1, 3),
        ),
        MemoryItem("Alice lives in Köln.", ("hindsight",), valid_to=day(2, 1)),
    ]
    assert notes(iter(items)) == [("metadata", "Not kept: tree."), ("no_longer_valid", "It was invalidated: a joke")]


def test_mcp_memory_service_keeps_times_types_stores_and_metadata() -> None:
    memory = {
        "content": "Tea is ordered on Mondays.",
        "content_hash": "x",
        "tags": ["tea"],
        "created_at": day(1, 2).timestamp(),
        "updated_at": day(1, 3).timestamp(),
        "memory_type": "note",
        "metadata": {"source": "chat"},
        "store": "kitchen",
    }

    items = list(mcp_memory_service.memories({"export_metadata": {}, "memories": [memory]}, "x"))

    tags = ("mcp-memory-service", "type:note", "store:kitchen", "tea", "source:chat")
    assert items == [MemoryItem("Tea is ordered on Mondays.", tags, day(1, 2), day(1, 3))]


def test_the_memory_servers_graph_becomes_nodes_and_edges() -> None:
    long = "y" * 9_000
    entity = {"type": "entity", "name": "Alice", "entityType": "person", "observations": ["Drinks tea.", long, long]}
    relation = {"type": "relation", "from": "Alice", "to": "Acme", "relationType": "works_at"}

    assert [*memory_graph.items(entity, "x:1"), *memory_graph.items(relation, "x:2")] == [
        NodeItem("memory-graph/Alice", "person", "Alice", {"observations": ["Drinks tea.", long]}),
        MemoryItem(f"Alice: {long}", ("memory-graph", "person")),
        EdgeItem("works_at", "memory-graph/Alice", "memory-graph/Acme"),
    ]


Reader = Callable[[Any, str], Iterator[Item]]


@pytest.mark.parametrize("reader", [mem0.memories, mcp_memory_service.memories, hindsight.memories])
def test_names_of_metadata_are_shown_on_one_line(reader: Reader) -> None:
    value = {"memory": "Tea.", "content": "Tea.", "text": "Tea.", "metadata": {"a\nb\x1b[31m": {"c": 1}}}

    assert notes(reader(value, "x")) == [("metadata", "Not kept: a b [31m.")]
