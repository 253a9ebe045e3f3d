"""Slots of the working tier: in Redis next to the working set, kept alive by every reading.

A slot of the scope `conversation` belongs to that conversation's working set and goes with it; every other scope has a
place of its own.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any
from uuid import UUID

from conversations.messages.selectors import access_conversation
from core.clock import utc_now
from core.stores import redis
from memory.working_memory.services.working_set import TTL_SECONDS
from memory.working_memory.slot_limits import (
    SlotAddress,
    SlotLimits,
    SlotState,
    SlotWithoutItemsError,
    check_size,
    expiry,
    fitting,
    json_size,
)
from workspaces.access.callers import Caller

CONVERSATION = "conversation"


def read_slot(*, caller: Caller, address: SlotAddress) -> SlotState | None:
    """Return what the slot holds; it then stays for as long again. Raises RedisUnavailableError."""
    key = _key(caller, address)
    stored = redis.peek(key)
    if stored is None:
        return None
    kept = json.loads(stored)
    redis.prolong(key, seconds=kept["ttl_seconds"])
    return _state(address, kept)


def write_slot(*, caller: Caller, address: SlotAddress, value: Any, limits: SlotLimits) -> SlotState:
    """Put a value into the slot. Raises SlotTooLargeError, RedisUnavailableError."""
    kept = _merge_stored(value, limits)
    redis.put(_key(caller, address), json.dumps(kept), seconds=kept["ttl_seconds"])
    return _state(address, kept)


def append_to_slot(*, caller: Caller, address: SlotAddress, item: Any, limits: SlotLimits) -> SlotState:
    """Add an item to a list. Raises SlotWithoutItemsError, SlotTooLargeError, RedisUnavailableError."""
    made: list[dict[str, Any]] = []

    def longer(stored: str | None) -> tuple[str, int]:
        known = json.loads(stored) if stored else {"value": []}
        if not isinstance(known["value"], list):
            raise SlotWithoutItemsError()
        made.append(_merge_stored([*known["value"], item], limits, known))
        return json.dumps(made[-1]), made[-1]["ttl_seconds"]

    redis.replace(_key(caller, address), longer)
    return _state(address, made[-1])


def delete_slot(*, caller: Caller, address: SlotAddress) -> bool:
    """Delete the slot; return whether there was one. Raises RedisUnavailableError."""
    return redis.delete(_key(caller, address))


def _key(caller: Caller, address: SlotAddress) -> str:
    return redis.working_prefix(caller.workspace_id, _place(caller, address)) + address.name


def _place(caller: Caller, address: SlotAddress) -> UUID:
    if address.scope.keys() == {CONVERSATION}:
        return access_conversation(caller, address.scope[CONVERSATION]).id
    return address.place(caller.workspace_id)


def _merge_stored(value: Any, limits: SlotLimits, known: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what is stored: the value, and what was said about it now or before."""
    before = known or {}
    max_items = limits.max_items or before.get("max_items")
    max_size_mb = limits.max_size_mb or before.get("max_size_mb")
    if isinstance(value, list):
        value = fitting(value, max_items=max_items, max_size_mb=max_size_mb)
    else:
        check_size(json_size(value), max_size_mb=max_size_mb)
    return {
        "value": value,
        "schema_version": limits.schema_version or before.get("schema_version", 1),
        "ttl_seconds": limits.ttl_seconds or before.get("ttl_seconds", TTL_SECONDS),
        "max_items": max_items,
        "max_size_mb": max_size_mb,
        "updated_at": utc_now().isoformat(),
    }


def _state(address: SlotAddress, kept: dict[str, Any]) -> SlotState:
    return SlotState(
        address=address,
        value=kept["value"],
        count=len(kept["value"]) if isinstance(kept["value"], list) else None,
        schema_version=kept["schema_version"],
        ttl_seconds=kept["ttl_seconds"],
        max_items=kept["max_items"],
        max_size_mb=kept["max_size_mb"],
        size_bytes=json_size(kept["value"]),
        expires_at=expiry(now=utc_now(), ttl_seconds=kept["ttl_seconds"]),
        updated_at=datetime.fromisoformat(kept["updated_at"]),
    )
