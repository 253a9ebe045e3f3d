"""What a client may read without a tool call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.clock import utc_now
from memory.memories.schemas import MemoryResponse
from memory.memories.selectors import LEARNED, MemoryFilter, memories_matching
from memory.models import Kind
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

MAX_LISTED = 200


@dataclass(frozen=True, slots=True)
class Resource:
    """Something to read at an address; the docstring of `read` is what a client shows."""

    address: str
    title: str
    read: Callable[[Caller], Any]


def facts(caller: Caller) -> list[dict[str, Any]]:
    """The workspace's facts, newest first, at most 200: authoritative, whatever a conversation says."""
    return _list_memories(caller, MemoryFilter(kinds=[Kind.FACT]))


def list_pinned(caller: Caller) -> list[dict[str, Any]]:
    """The pinned memories and facts, newest first, at most 200: what people want to be seen first."""
    return _list_memories(caller, MemoryFilter(pinned=True))


RESOURCES = (
    Resource("memory://facts", "Facts", facts),
    Resource("memory://pinned", "Pinned memories", list_pinned),
)


def _list_memories(caller: Caller, narrow: MemoryFilter) -> list[dict[str, Any]]:
    caller.require(Right.READ)
    with workspace_scope(caller):
        found = memories_matching(caller, narrow).recallable(utc_now()).order_by(f"-{LEARNED}", "-pk")[:MAX_LISTED]
        return [MemoryResponse.of(memory).as_json() for memory in found]
