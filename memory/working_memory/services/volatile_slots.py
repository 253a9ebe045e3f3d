"""Slots of the working tier: in Redis as part of the working set, as bare JSON, kept alive by every reading.

A slot of the scope `conversation` belongs to that conversation's working set, is changed by calls that write into its
space, and goes with it; every other scope has a place of its own. All workspaces share the memory of Redis, so each has
at most `MAX_WORKING_SLOTS` slots of together `MAX_WORKING_BYTES`.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from conversations.messages.selectors import access_conversation, access_own_conversation
from core.clock import utc_now
from core.stores import redis
from memory.working_memory.slot_limits import (
    BYTES_OF_A_MB,
    MAX_ITEMS,
    MAX_WORKING_MEGABYTES,
    SlotAddress,
    SlotLimits,
    SlotState,
    SlotTooLargeError,
    SlotWithoutItemsError,
    check_values,
    expiry,
    json_text,
)
from memory.working_memory.volatile_slot_format import NotJsonError, VolatileSlot
from workspaces.access.callers import Caller
from workspaces.access.quotas import QuotaExceededError

CONVERSATION = "conversation"


def read_slot(*, caller: Caller, address: SlotAddress) -> SlotState | None:
    """Return what the slot holds; it then stays for as long again. Raises RedisUnavailableError."""
    key, space_id = _key_for_reading(caller, address)
    text, info = redis.read_slot(key)
    if text is None:
        return None
    try:
        stored = VolatileSlot.parse(text, info)
    except NotJsonError:
        return None
    redis.prolong_slot(key, seconds=stored.info.ttl_seconds, indexes=_indexes(caller.workspace_id, space_id))
    return _state(address, stored, value=stored.value)


def write_slot(*, caller: Caller, address: SlotAddress, value: Any, limits: SlotLimits) -> SlotState:
    """Put a value into the slot. Raises SlotTooLargeError, QuotaExceededError, RedisUnavailableError."""
    key = _key_for_changes(caller, address)
    items = value[-limits.max_items :] if isinstance(value, list) and limits.max_items else value
    stored = _apply_limits(VolatileSlot.of(items, schema_version=limits.schema_version or 1), limits)
    info = stored.render_info()
    _note_size(caller, key, stored.text, info, stored.info.ttl_seconds)
    redis.put_slot(key, stored.text, info, seconds=stored.info.ttl_seconds)
    return _state(address, stored, value=items)


def append_to_slot(*, caller: Caller, address: SlotAddress, item: Any, limits: SlotLimits) -> SlotState:
    """Add an item to a list; the answer has no value.

    Raises SlotWithoutItemsError, also for what is not JSON, SlotTooLargeError, QuotaExceededError,
    RedisUnavailableError.
    """
    key, line = _key_for_changes(caller, address), json_text(item)
    made: list[VolatileSlot] = []

    def longer(text: str | None, info: str | None) -> tuple[str, str, int]:
        known = _parse_list(text, info)
        version = limits.schema_version or known.info.schema_version
        stored = _apply_limits(known.append(line, schema_version=version), limits)
        made.append(stored)
        about = stored.render_info()
        _note_size(caller, key, stored.text, about, stored.info.ttl_seconds)
        return stored.text, about, stored.info.ttl_seconds

    redis.replace_slot(key, longer)
    return _state(address, made[-1])


def _parse_list(text: str | None, info: str | None) -> VolatileSlot:
    """Return the list that a key holds, an empty one for an absent one. Raises SlotWithoutItemsError."""
    try:
        known = VolatileSlot.of([]) if text is None else VolatileSlot.parse(text, info)
    except NotJsonError as error:
        raise SlotWithoutItemsError() from error
    if known.info.count is None:
        raise SlotWithoutItemsError()
    return known


def delete_slot(*, caller: Caller, address: SlotAddress) -> bool:
    """Delete the slot; return whether there was one. Raises RedisUnavailableError."""
    return redis.delete_slot(_key_for_changes(caller, address))


def count_slots(*, workspace_id: UUID, space_id: UUID) -> int:
    """Return the number of slots of a space. Raises RedisUnavailableError."""
    return redis.count_indexed(redis.space_index_key(workspace_id, space_id))


def erase_slots(*, workspace_id: UUID, space_id: UUID) -> int:
    """Delete every slot of a space; return their number. Raises RedisUnavailableError."""
    sizes = redis.size_index_key(workspace_id)
    return redis.delete_indexed(redis.space_index_key(workspace_id, space_id), others=[sizes])


def _indexes(workspace_id: UUID, space_id: UUID) -> tuple[str, str]:
    """Return the index of all slots of the workspace, and that of the slots of the space."""
    return redis.size_index_key(workspace_id), redis.space_index_key(workspace_id, space_id)


def _key_for_reading(caller: Caller, address: SlotAddress) -> tuple[str, UUID]:
    """Return the key for reading, and the space that the slot belongs to."""
    if address.scope.keys() == {CONVERSATION}:
        conversation = access_conversation(caller, address.scope[CONVERSATION])
        return _key(caller, address, conversation.id), conversation.space_id
    space_id = caller.reach.written
    return _key(caller, address, address.place(caller.workspace_id, space_id)), space_id


def _key_for_changes(caller: Caller, address: SlotAddress) -> str:
    """Return the key for changes. Raises NotFoundError for a conversation of a space that is only read."""
    if address.scope.keys() == {CONVERSATION}:
        return _key(caller, address, access_own_conversation(caller, address.scope[CONVERSATION]).id)
    return _key(caller, address, address.place(caller.workspace_id, caller.reach.written))


def _key(caller: Caller, address: SlotAddress, place: UUID) -> str:
    return redis.working_prefix(caller.workspace_id, place) + address.name


def _apply_limits(stored: VolatileSlot, limits: SlotLimits) -> VolatileSlot:
    """Return the slot with what was said about it now or before, and a list with the newest items that it may keep."""
    info = replace(
        stored.info,
        ttl_seconds=limits.ttl_seconds or stored.info.ttl_seconds,
        max_items=limits.max_items or stored.info.max_items,
        max_size_mb=limits.max_size_mb or stored.info.max_size_mb,
        updated_at=utc_now().isoformat(),
    )
    made = replace(stored, info=info)
    if info.max_items:
        made = made.newest(info.max_items)
    if made.info.count is not None and made.info.count > MAX_ITEMS:
        raise SlotTooLargeError(f"A slot holds at most {MAX_ITEMS:,} items; give max_items to keep the newest.")
    most = min(info.max_size_mb or MAX_WORKING_MEGABYTES, MAX_WORKING_MEGABYTES)
    if made.size > most * BYTES_OF_A_MB:
        raise SlotTooLargeError(
            f"A slot of the working tier may hold {most:g} MB, and this would be {made.size / BYTES_OF_A_MB:.3g}."
        )
    check_values(made.value_count)
    return made


def _note_size(caller: Caller, key: str, text: str, info: str, seconds: int) -> None:
    """Note what the slot will take. Raises QuotaExceededError where the workspace's slots would take too much.

    Callers at the same moment do not see each other's, and together may pass the limit by what they bring.
    """
    indexes, size = _indexes(caller.workspace_id, caller.reach.written), len(text.encode()) + len(info)
    for exact in (False, True):
        number, others = redis.sum_sizes(indexes[0], without=key, exact=exact)
        if number < settings.MAX_WORKING_SLOTS and others + size <= settings.MAX_WORKING_BYTES:
            redis.note_size(indexes, key, size=size, seconds=seconds)
            return
    raise QuotaExceededError(
        f"The slots of this workspace's working tier are at most {settings.MAX_WORKING_SLOTS:,} of together "
        f"{settings.MAX_WORKING_BYTES:,} bytes. Delete some, or use the session tier."
    )


def _state(address: SlotAddress, stored: VolatileSlot, *, value: Any = None) -> SlotState:
    info = stored.info
    return SlotState(
        address=address,
        value=value,
        count=info.count,
        schema_version=info.schema_version,
        versions=stored.versions,
        ttl_seconds=info.ttl_seconds,
        max_items=info.max_items,
        max_size_mb=info.max_size_mb,
        size_bytes=stored.size,
        expires_at=expiry(now=utc_now(), ttl_seconds=info.ttl_seconds),
        updated_at=datetime.fromisoformat(info.updated_at) if info.updated_at else None,
    )
