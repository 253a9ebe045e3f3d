"""Long-term memory for LangGraph: a store whose items are memories of a workspace."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from workspace_memory.errors import ConflictError, ForbiddenError
from workspace_memory.integrations.langchain import with_recall
from workspace_memory.integrations.recalled_context import MAX_QUERY_CHARACTERS
from workspace_memory.integrations.store_items import (
    ALL,
    Namespace,
    StoreItem,
    contents_of,
    item_tag,
    matches,
    prefix_tag,
    read_item,
    tags_of,
)
from workspace_memory.models import StoredMemory
from workspace_memory.sync.client import Memory

__all__ = ["WorkspaceStore", "with_recall"]

MAX_FOUND = 200
# A read renews the time of an item once a tenth of it is gone, and not each time.
RENEWED_BELOW = 0.9


class WorkspaceStore(BaseStore):
    """A `BaseStore` in a workspace: each item is a memory that people see, correct and hide.

    With `user_at`, the label at that place of a namespace is your own key of an end user: `user_at=1` keeps
    `("memories", "mara")` in the memory of the user `mara`, where no other user's calls reach it.

    A search finds what agents may recall: not what was suppressed, and not what a newer memory replaced; `get` answers
    the latter. Raises ApiError for what the server refuses, such as credentials or more than 16,000 characters.
    """

    supports_ttl = True

    def __init__(
        self, memory: Memory | None = None, *, user_at: int | None = None, ttl: TTLConfig | None = None
    ) -> None:
        self.ttl_config = ttl
        self._memory = memory or Memory()
        self._user_at = user_at

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations: first what reads, then the last of the writes for each key."""
        given = list(ops)
        results = [self._read(op) for op in given]
        for put in {(op.namespace, op.key): op for op in given if isinstance(op, PutOp)}.values():
            self._put(put)
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Execute operations in a thread."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _read(self, op: Op) -> Result:
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return list(itertools.islice(self._search(op), op.offset, op.offset + op.limit))
        return self._namespaces(op) if isinstance(op, ListNamespacesOp) else None

    def _get(self, op: GetOp) -> Item | None:
        memory = self._client(op.namespace)
        for stored in self._find(memory, op.namespace, op.key):
            if (found := read_item(stored)) is not None and _is_visible(stored):
                self._renew(memory, stored, found, is_wanted=op.refresh_ttl)
                return Item(**_fields(stored, found))
        return None

    def _search(self, op: SearchOp) -> Iterator[SearchItem]:
        memory, tags = self._client(op.namespace_prefix), [prefix_tag(op.namespace_prefix)]
        candidates: Iterator[tuple[StoredMemory, float | None]]
        if op.query and op.query.strip():
            limit = MAX_FOUND if op.filter else min(op.offset + op.limit, MAX_FOUND)
            hits = memory.search(op.query[:MAX_QUERY_CHARACTERS], limit=max(limit, 1), tags=tags)
            candidates = ((hit.memory, hit.score) for hit in hits)
        else:
            listed = memory.memories.list(tags=tags)
            candidates = ((stored, None) for stored in listed if stored.superseded_at is None)
        for stored, score in candidates:
            found = read_item(stored)
            if found is None or not _is_visible(stored) or not matches(found.value, op.filter or {}):
                continue
            self._renew(memory, stored, found, is_wanted=op.refresh_ttl)
            yield SearchItem(**_fields(stored, found), score=score)

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        conditions = op.match_conditions or ()
        known = next((one.path for one in conditions if one.match_type == "prefix" and "*" not in one.path), ())
        listed = self._client(known).memories.list(tags=[prefix_tag(known)])
        items = (read_item(stored) for stored in listed if _is_visible(stored))
        found = {item.namespace for item in items if item is not None}
        fitting = {namespace for namespace in found if all(_fits(one, namespace) for one in conditions)}
        cut = {namespace[: op.max_depth] for namespace in fitting}
        return sorted(cut)[op.offset : op.offset + op.limit]

    def _put(self, op: PutOp) -> None:
        memory = self._client(op.namespace)
        stored = self._find(memory, op.namespace, op.key)
        current = next((one for one in stored if one.superseded_at is None), None) if op.value is not None else None
        for other in stored:
            if other is not current:
                memory.memories.forget(other.id)
        if op.value is None:
            return
        item = StoreItem(op.namespace, op.key, dict(op.value), op.ttl)
        for content in contents_of(item):
            if self._write(memory, item, content, current):
                return
        raise ConflictError(
            status=409, code="duplicate", title="Another memory says exactly this.", detail=f"Item {op.key!r} is kept."
        )

    def _write(self, memory: Memory, item: StoreItem, content: str, current: StoredMemory | None) -> bool:
        """Write an item under one of its texts; False where another memory has this text already."""
        tags, expires = tags_of(item, content), _expiry(item.ttl)
        if current is None:
            times = {"expires_at": expires} if expires else {}
            written = memory.write(content, tags=tags, **times)  # type: ignore[arg-type]  # a dict of one known field
            return set(tags) == set(written.tags)
        try:
            memory.memories.edit(current.id, content=content, tags=tags, expires_at=expires)
        except ConflictError:
            return False
        return True

    def _find(self, memory: Memory, namespace: Namespace, key: str) -> list[StoredMemory]:
        return list(memory.memories.list(tags=[ALL, item_tag(namespace, key)]))

    def _client(self, namespace: Namespace) -> Memory:
        """Return the client for a namespace or the beginning of one."""
        if self._user_at is None or len(namespace) <= self._user_at:
            return self._memory
        return self._memory.for_user(namespace[self._user_at], shared=False)

    def _renew(self, memory: Memory, stored: StoredMemory, item: StoreItem, *, is_wanted: bool) -> None:
        if not is_wanted or item.ttl is None or stored.expires_at is None:
            return
        if stored.expires_at - datetime.now(timezone.utc) < timedelta(minutes=item.ttl) * RENEWED_BELOW:
            try:
                memory.memories.edit(stored.id, expires_at=_expiry(item.ttl))
            except ForbiddenError:
                return  # people decide about it by now: a fact, or pinned


def _fields(stored: StoredMemory, item: StoreItem) -> dict[str, Any]:
    times = {"created_at": stored.created_at, "updated_at": stored.updated_at}
    return {"namespace": item.namespace, "key": item.key, "value": item.value, **times}


def _is_visible(stored: StoredMemory) -> bool:
    is_over = stored.expires_at is not None and stored.expires_at <= datetime.now(timezone.utc)
    return not stored.suppressed and not is_over


def _expiry(minutes: float | None) -> datetime | None:
    return None if minutes is None else datetime.now(timezone.utc) + timedelta(minutes=minutes)


def _fits(condition: MatchCondition, namespace: Namespace) -> bool:
    path = condition.path
    part = namespace[: len(path)] if condition.match_type == "prefix" else namespace[len(namespace) - len(path) :]
    return len(namespace) >= len(path) and all(label in ("*", own) for label, own in zip(path, part, strict=True))
