"""Slots of the working tier: in Redis next to the working set, kept alive by every reading.

A slot of the scope `conversation` belongs to that conversation's working set, is changed by calls that write into its
space, and goes with it; every other scope has a place of its own. All workspaces share the memory of Redis, so each has
at most `MAX_WORKING_SLOTS` slots of together `MAX_WORKING_BYTES`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings

from conversations.messages.selectors import access_conversation, access_own_conversation
from core.clock import utc_now
from core.stores import redis
from memory.working_memory.services.working_set import TTL_SECONDS
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
    inner_value_count,
    json_text,
)
from workspaces.access.callers import Caller
from workspaces.access.quotas import QuotaExceededError

CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class _StoredSlot:
    """A slot as it is stored: JSON of what is known of it on the first line, then its value, or each item, on a line.

    So an item is added to a text; the others are not read for it.
    """

    body: str = ""
    count: int | None = 0  # None for one value
    schema_version: int = 1
    ttl_seconds: int = TTL_SECONDS
    max_items: int | None = None
    max_size_mb: float | None = None
    updated_at: str = ""

    @classmethod
    def parse(cls, text: str | None) -> _StoredSlot | None:
        """Return the slot that a text holds; None where there is none, or the text is not a slot."""
        head, is_slot, body = (text or "").partition("\n")
        return cls(body=body, **json.loads(head)) if is_slot else None

    def render(self) -> str:
        names = ("count", "schema_version", "ttl_seconds", "max_items", "max_size_mb", "updated_at")
        return f"{json.dumps({name: getattr(self, name) for name in names})}\n{self.body}"

    @property
    def value(self) -> Any:
        is_list = self.count is not None
        return json.loads(f"[{self.body.replace(chr(10), ',')}]" if is_list else self.body)

    @property
    def size(self) -> int:
        """Bytes of the value as JSON: a list has two brackets, and as many commas as the body has ends of lines."""
        return len(self.body.encode()) + (0 if self.count is None else 2)


def read_slot(*, caller: Caller, address: SlotAddress) -> SlotState | None:
    """Return what the slot holds; it then stays for as long again. Raises RedisUnavailableError."""
    key, space_id = _key_for_reading(caller, address)
    stored = _StoredSlot.parse(redis.peek(key))
    if stored is None:
        return None
    redis.prolong_indexed(_indexes(caller.workspace_id, space_id), key, seconds=stored.ttl_seconds)
    return _state(address, stored, value=stored.value)


def write_slot(*, caller: Caller, address: SlotAddress, value: Any, limits: SlotLimits) -> SlotState:
    """Put a value into the slot. Raises SlotTooLargeError, QuotaExceededError, RedisUnavailableError."""
    key = _key_for_changes(caller, address)
    if isinstance(value, list):
        items = value if limits.max_items is None else value[-limits.max_items :]
        stored = _StoredSlot(body="\n".join(map(json_text, items)), count=len(items))
    else:
        items, stored = value, _StoredSlot(body=json_text(value), count=None)
    stored = _apply_limits(stored, limits)
    text = stored.render()
    _note_size(caller, key, text, stored.ttl_seconds)
    redis.put(key, text, seconds=stored.ttl_seconds)
    return _state(address, stored, value=items)


def append_to_slot(*, caller: Caller, address: SlotAddress, item: Any, limits: SlotLimits) -> SlotState:
    """Add an item to a list; the answer has no value.

    Raises SlotWithoutItemsError, SlotTooLargeError, QuotaExceededError, RedisUnavailableError.
    """
    key, line = _key_for_changes(caller, address), json_text(item)
    made: list[_StoredSlot] = []

    def longer(text: str | None) -> tuple[str, int]:
        known = _StoredSlot.parse(text) or _StoredSlot()
        if known.count is None:
            raise SlotWithoutItemsError()
        body = f"{known.body}\n{line}" if known.count else line
        made.append(_apply_limits(replace(known, body=body, count=known.count + 1), limits))
        rendered = made[-1].render()
        _note_size(caller, key, rendered, made[-1].ttl_seconds)
        return rendered, made[-1].ttl_seconds

    redis.replace(key, longer)
    return _state(address, made[-1])


def delete_slot(*, caller: Caller, address: SlotAddress) -> bool:
    """Delete the slot; return whether there was one. Raises RedisUnavailableError."""
    return redis.delete(_key_for_changes(caller, address))


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


def _apply_limits(stored: _StoredSlot, limits: SlotLimits) -> _StoredSlot:
    """Return the slot with what was said about it now or before, and a list with the newest items that it may keep."""
    made = replace(
        stored,
        schema_version=limits.schema_version or stored.schema_version,
        ttl_seconds=limits.ttl_seconds or stored.ttl_seconds,
        max_items=limits.max_items or stored.max_items,
        max_size_mb=limits.max_size_mb or stored.max_size_mb,
        updated_at=utc_now().isoformat(),
    )
    if made.count is not None and made.max_items and (surplus := made.count - made.max_items) > 0:
        made = replace(made, body=made.body.split("\n", surplus)[-1], count=made.max_items)
    if made.count is not None and made.count > MAX_ITEMS:
        raise SlotTooLargeError(f"A slot holds at most {MAX_ITEMS:,} items; give max_items to keep the newest.")
    most = min(made.max_size_mb or MAX_WORKING_MEGABYTES, MAX_WORKING_MEGABYTES)
    if made.size > most * BYTES_OF_A_MB:
        raise SlotTooLargeError(
            f"A slot of the working tier may hold {most:g} MB, and this would be {made.size / BYTES_OF_A_MB:.3g}."
        )
    check_values((1 if made.count is None else made.count) + inner_value_count(made.body))
    return made


def _note_size(caller: Caller, key: str, text: str, seconds: int) -> None:
    """Note what the slot will take. Raises QuotaExceededError where the workspace's slots would take too much.

    Callers at the same moment do not see each other's, and together may pass the limit by what they bring.
    """
    indexes, size = _indexes(caller.workspace_id, caller.reach.written), len(text.encode())
    for exact in (False, True):
        number, others = redis.sum_sizes(indexes[0], without=key, exact=exact)
        if number < settings.MAX_WORKING_SLOTS and others + size <= settings.MAX_WORKING_BYTES:
            redis.note_size(indexes, key, size=size, seconds=seconds)
            return
    raise QuotaExceededError(
        f"The slots of this workspace's working tier are at most {settings.MAX_WORKING_SLOTS:,} of together "
        f"{settings.MAX_WORKING_BYTES:,} bytes. Delete some, or use the session tier."
    )


def _state(address: SlotAddress, stored: _StoredSlot, *, value: Any = None) -> SlotState:
    return SlotState(
        address=address,
        value=value,
        count=stored.count,
        schema_version=stored.schema_version,
        ttl_seconds=stored.ttl_seconds,
        max_items=stored.max_items,
        max_size_mb=stored.max_size_mb,
        size_bytes=stored.size,
        expires_at=expiry(now=utc_now(), ttl_seconds=stored.ttl_seconds),
        updated_at=datetime.fromisoformat(stored.updated_at),
    )
