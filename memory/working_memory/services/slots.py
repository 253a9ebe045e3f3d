"""Slots of agents: reading, writing, appending, searching and deleting one, in whatever tier it is."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db.models import Count, F, Max, Q, QuerySet, Sum
from pgvector.django import CosineDistance

from core.clock import utc_now
from core.db.search_vectors import quote_term
from core.embedding import QueryVector
from core.errors import InvalidError, NotFoundError
from core.score_fusion import Fused, fuse_arms
from core.text import query_terms
from llm.embedding.services.backlog import nudge_embedding
from llm.embedding.services.query_vectors import query_vector
from llm.models import WorkspaceEmbedding
from memory.models import MemorySlot, SlotItem, SlotTier
from memory.working_memory.services import volatile_slots
from memory.working_memory.slot_limits import (
    MAX_ITEMS,
    WORKING,
    SlotAddress,
    SlotLimits,
    SlotState,
    SlotTooLargeError,
    SlotWithoutItemsError,
    check_size,
    check_values,
    expiry,
    fitting,
    json_size,
    searchable_text,
    value_count,
)
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.quotas import claim_bytes
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space
from workspaces.http.idempotency import purge_responses

SESSION_SECONDS = 86_400
# A generated tsvector holds at most a megabyte; what stands further back in an item is not searched.
MAX_SEARCHED_CHARACTERS = 100_000
# What a row takes in addition to its value: small ones have their price as well.
BYTES_OF_A_ROW = 256


class SlotNotSearchableError(InvalidError):
    """The working tier is read by name only."""

    code = "slot_not_searchable"
    title = "Slots of the working tier cannot be searched."


@dataclass(frozen=True, slots=True)
class SlotHit:
    """An item that was found, and where each arm put it."""

    item: Any
    schema_version: int
    found: Fused


@dataclass(frozen=True, slots=True)
class SlotSearch:
    """Hits best first; `method` is keyword or hybrid."""

    hits: Sequence[SlotHit]
    method: str
    latency_ms: float


def read_slot(*, caller: Caller, address: SlotAddress) -> SlotState:
    """Return what a slot holds. Raises NotFoundError for an absent or expired one, MissingScopeError without `read`."""
    caller.require(Right.READ)
    if address.tier == WORKING:
        state = volatile_slots.read_slot(caller=caller, address=address)
    else:
        with workspace_scope(caller):
            slot = _live(caller, address, utc_now())
            state = None if slot is None else _state(address, slot)
    if state is None:
        raise NotFoundError()
    return state


def write_slot(*, caller: Caller, address: SlotAddress, value: Any, limits: SlotLimits) -> SlotState:
    """Replace what a slot holds; a list keeps its newest `max_items`. What is not said about limits is as by default.

    Raises MissingScopeError without `write`, SlotTooLargeError, QuotaExceededError.
    """
    caller.require(Right.WRITE)
    if address.tier == WORKING:
        return volatile_slots.write_slot(caller=caller, address=address, value=value, limits=limits)
    is_list = isinstance(value, list)
    if is_list:
        items = fitting(value, max_items=limits.max_items, max_size_mb=limits.max_size_mb)
    else:
        check_size(json_size(value), max_size_mb=limits.max_size_mb)
        items = [value]
    check_values(value_count(items) - 1)
    with workspace_scope(caller):
        slot = _lock_slot(caller, address)
        before = _footprint(slot)
        slot = _empty_slot(slot)
        _limit(slot, limits)
        slot.is_list = is_list
        _claim(caller, json_size(items) + BYTES_OF_A_ROW * len(items) - before)
        _add(slot, items, after=0)
        slot.save()
        return _state(address, slot)


def append_to_slot(*, caller: Caller, address: SlotAddress, item: Any, limits: SlotLimits) -> SlotState:
    """Add an item to a list, which may be absent. What is not said about limits stays as it was.

    Raises MissingScopeError without `write`, SlotWithoutItemsError, SlotTooLargeError, QuotaExceededError.
    """
    caller.require(Right.WRITE)
    if address.tier == WORKING:
        return volatile_slots.append_to_slot(caller=caller, address=address, item=item, limits=limits)
    with workspace_scope(caller):
        slot = _lock_slot(caller, address)
        before = _footprint(slot)
        if not slot.items.exists():
            slot.is_list = True
        if not slot.is_list:
            raise SlotWithoutItemsError()
        _limit(slot, limits)
        last = slot.items.aggregate(last=Max("position"))["last"] or 0
        _add(slot, [item], after=last)
        _trim(slot)
        _claim(caller, _footprint(slot) - before)
        slot.save()
        return _state(address, slot, with_value=False)


def search_slot(*, caller: Caller, address: SlotAddress, query: str, limit: int) -> SlotSearch:
    """Return the items of a slot that fit a query: by words, in the semantic tier also by meaning. An absent slot has
    none.

    Raises MissingScopeError without `read`, SlotNotSearchableError.
    """
    caller.require(Right.READ)
    if address.tier == WORKING:
        raise SlotNotSearchableError()
    started = time.perf_counter()
    # Outside of the transaction, so that a slow model holds no connection.
    vector = query_vector(query, caller=caller) if address.tier == SlotTier.SEMANTIC else None
    with workspace_scope(caller):
        slot = _live(caller, address, utc_now())
        found = _rank_items(slot, query, vector, limit) if slot else []
        rows = SlotItem.objects.filter(id__in=[hit.id for hit in found]).values_list("id", "value", "schema_version")
        items = {identity: (value, version) for identity, value, version in rows}
    hits = [SlotHit(*items[hit.id], hit) for hit in found]
    latency_ms = round((time.perf_counter() - started) * 1000, 2)
    return SlotSearch(hits, "hybrid" if vector else "keyword", latency_ms)


def delete_slot(*, caller: Caller, address: SlotAddress) -> None:
    """Delete a slot. Raises NotFoundError for an absent or expired one, MissingScopeError without `write`."""
    caller.require(Right.WRITE)
    if address.tier == WORKING:
        was_there = volatile_slots.delete_slot(caller=caller, address=address)
    else:
        with workspace_scope(caller):
            slot: MemorySlot | None = _rows(caller, address).first()
            was_there = slot is not None and not _is_expired(slot, utc_now())
            if slot is not None:
                _claim(caller, -_footprint(slot))
            _rows(caller, address).delete()
            purge_responses(caller=caller)
    if not was_there:
        raise NotFoundError()


def delete_conversation_slots(*, caller: Caller, names: Collection[str]) -> None:
    """Delete the slots of the written space whose scope names a conversation by one of these, in an open scope."""
    slots = MemorySlot.objects.in_written_space(caller).filter(scope__conversation__in=names)
    for slot in slots.select_for_update().order_by("pk"):
        _claim(caller, -_footprint(slot))
        slot.delete()


def delete_expired(*, caller: Caller) -> int:
    """Delete the workspace's slots whose time is over; return their number."""
    with workspace_scope(caller):
        over = MemorySlot.objects.of(caller).filter(expires_at__lte=utc_now())
        return int(over.delete()[1].get(MemorySlot._meta.label, 0))


def _rows(caller: Caller, address: SlotAddress) -> Any:
    mine = MemorySlot.objects.in_written_space(caller)
    return mine.filter(tier=address.tier, name=address.name, scope_key=address.scope_key)


def _live(caller: Caller, address: SlotAddress, now: datetime) -> MemorySlot | None:
    known = MemorySlot.objects.prefer_written_space(caller)
    slot: MemorySlot | None = known.filter(tier=address.tier, name=address.name, scope_key=address.scope_key).first()
    return None if slot is None or _is_expired(slot, now) else slot


def _is_expired(slot: MemorySlot, now: datetime) -> bool:
    return slot.expires_at is not None and slot.expires_at <= now


def _lock_slot(caller: Caller, address: SlotAddress) -> MemorySlot:
    """Return the slot's row, made where there is none, with nothing in it where its time is over; others wait for
    us."""
    new = MemorySlot(
        workspace_id=caller.workspace_id,
        tier=address.tier,
        name=address.name,
        scope=dict(address.scope),
        scope_key=address.scope_key,
        ttl_seconds=SESSION_SECONDS if address.tier == SlotTier.SESSION else None,
    )
    enter_space(caller)
    MemorySlot.objects.bulk_create([new], ignore_conflicts=True)
    slot: MemorySlot = _rows(caller, address).select_for_update().get()
    return _empty_slot(slot) if _is_expired(slot, utc_now()) else slot


def _empty_slot(slot: MemorySlot) -> MemorySlot:
    slot.items.all().delete()
    slot.is_list, slot.size_bytes, slot.schema_version = False, 0, 1
    slot.ttl_seconds = SESSION_SECONDS if slot.tier == SlotTier.SESSION else None
    slot.max_items = slot.max_size_mb = None
    return slot


def _limit(slot: MemorySlot, limits: SlotLimits) -> None:
    """Take over what was said, and count the time from now."""
    for name in ("ttl_seconds", "max_items", "max_size_mb", "schema_version"):
        if (said := getattr(limits, name)) is not None:
            setattr(slot, name, said)
    slot.updated_at = utc_now()
    slot.expires_at = expiry(now=slot.updated_at, ttl_seconds=slot.ttl_seconds)


def _add(slot: MemorySlot, items: Sequence[Any], *, after: int) -> None:
    SlotItem.objects.bulk_create(
        SlotItem(
            workspace_id=slot.workspace_id,
            slot=slot,
            position=position,
            value=item,
            schema_version=slot.schema_version,
            size_bytes=json_size(item),
            value_count=value_count(item),
            text=searchable_text(item)[:MAX_SEARCHED_CHARACTERS],
        )
        for position, item in enumerate(items, start=after + 1)
    )
    slot.size_bytes = _size(slot)
    if slot.tier == SlotTier.SEMANTIC:
        nudge_embedding(slot.workspace_id)


def _trim(slot: MemorySlot) -> None:
    """Let the oldest items go, then see whether the rest is within bounds. Raises SlotTooLargeError."""
    count = slot.items.count()
    if slot.max_items is not None and count > slot.max_items:
        oldest = slot.items.order_by("position").values("id")[: count - slot.max_items]
        SlotItem.objects.filter(id__in=list(oldest.values_list("id", flat=True))).delete()
        slot.size_bytes = _size(slot)
    elif count > MAX_ITEMS:
        raise SlotTooLargeError(f"A slot holds at most {MAX_ITEMS:,} items; give max_items to keep the newest.")
    check_size(slot.size_bytes, max_size_mb=slot.max_size_mb)
    check_values(int(slot.items.aggregate(total=Sum("value_count"))["total"] or 0))


def _size(slot: MemorySlot) -> int:
    """Bytes of the whole value as JSON: of a list, its brackets and commas as well."""
    sizes = slot.items.aggregate(total=Sum("size_bytes"), count=Count("id"))
    total, count = int(sizes["total"] or 0), int(sizes["count"])
    return total + max(count, 1) + 1 if slot.is_list else total


def _footprint(slot: MemorySlot) -> int:
    """Bytes that a slot counts for."""
    return slot.size_bytes + BYTES_OF_A_ROW * slot.items.count()


def _claim(caller: Caller, added: int) -> None:
    """Add to what the slots of a workspace in PostgreSQL count for. Raises QuotaExceededError."""

    def count() -> int:
        everywhere = maintenance_caller(caller.workspace_id, "quotas")  # the limit is one for all spaces together
        with workspace_scope(everywhere):
            slots = MemorySlot.objects.of(everywhere).aggregate(size=Sum("size_bytes"), rows=Count("id"))
            items = SlotItem.objects.of(everywhere).count()
        return int(slots["size"] or 0) + BYTES_OF_A_ROW * (int(slots["rows"]) + items)

    claim_bytes(caller=caller, setting="MAX_SLOT_BYTES", added=added, count=count)


def _state(address: SlotAddress, slot: MemorySlot, *, with_value: bool = True) -> SlotState:
    rows = list(slot.items.order_by("position").values_list("value", "schema_version")) if with_value else []
    values = [value for value, _ in rows]
    return SlotState(
        address=address,
        value=values if slot.is_list else values[0],
        count=slot.items.count() if slot.is_list else None,
        schema_version=slot.schema_version,
        versions=[version for _, version in rows] if slot.is_list else None,
        ttl_seconds=slot.ttl_seconds,
        max_items=slot.max_items,
        max_size_mb=slot.max_size_mb,
        size_bytes=slot.size_bytes,
        expires_at=slot.expires_at,
        updated_at=slot.updated_at,
    )


def _rank_items(slot: MemorySlot, query: str, vector: QueryVector | None, limit: int) -> list[Fused]:
    arms = {"keyword": _by_words(slot, query)}
    waiting: set[UUID] = set()
    if vector is not None:
        distance = CosineDistance("vector", list(vector.values))
        compared: QuerySet[Any] = slot.items.filter(model=vector.model).annotate(row_id=F("id"))
        if vector.is_of_workspace:
            compared = WorkspaceEmbedding.objects.filter(
                workspace_id=slot.workspace_id, row_id__in=slot.items.values("id"), model=vector.model
            )
        has_vector = Q(id__in=compared.values("row_id")) if vector.is_of_workspace else Q(model=vector.model)
        waiting = set(slot.items.exclude(has_vector).values_list("id", flat=True))
        nearest = compared.annotate(distance=distance).order_by("distance").values_list("row_id", "distance")[:limit]
        arms["semantic"] = [(identity, 1 - away) for identity, away in nearest]
    return fuse_arms(arms, limit=limit, waiting=waiting)


def _by_words(slot: MemorySlot, query: str) -> list[tuple[Any, float]]:
    terms = query_terms(query)
    if not terms:
        return []
    asked = SearchQuery(" | ".join(map(quote_term, terms)), search_type="raw", config="english")
    hits = slot.items.filter(words=asked).annotate(rank=SearchRank(F("words"), asked))
    return [(identity, float(rank)) for identity, rank in hits.order_by("-rank", "-id").values_list("id", "rank")]
