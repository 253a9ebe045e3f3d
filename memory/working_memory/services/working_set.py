"""The working set: a conversation's scratchpad, whose slots expire an hour after the last read.

A primitive that callers opt into. Its keys are `oxa:ws:<workspace_id>:<conversation_id>:<slot>`, its values bare JSON,
the same that REST reads and writes as slots of the working tier.
"""

from __future__ import annotations

import json
import logging
from typing import Any
from uuid import UUID

from core.stores import redis
from memory.working_memory.volatile_slot_format import TTL_SECONDS, NotJsonError, VolatileSlot

log = logging.getLogger(__name__)


class UnscopedSlotError(RuntimeError):
    """A slot was addressed without a workspace or a conversation: a programming error, refused before any command."""


def write_working(*, workspace_id: UUID, conversation_id: UUID, slot: str, value: Any) -> None:
    """Keep a JSON value in a slot for an hour from now.

    Raises RedisUnavailableError; TypeError and ValueError for a value that is not JSON.
    """
    key = _prefix(workspace_id, conversation_id) + slot
    redis.put_slot(key, json.dumps(value, allow_nan=False), None, seconds=TTL_SECONDS)


def read_working(*, workspace_id: UUID, conversation_id: UUID, slot: str) -> Any:
    """Return the value of a slot, which then stays for as long again: an hour, or what was said when it was written
    over REST. None for an absent or expired one, for what is not JSON, and without Redis."""
    key = _prefix(workspace_id, conversation_id) + slot
    try:
        text, info = redis.read_slot(key)
    except redis.RedisUnavailableError:
        log.warning("working_set_unavailable a slot of conversation %s could not be read", conversation_id)
        return None
    if text is None:
        return None
    try:
        stored = VolatileSlot.parse(text, info)
    except NotJsonError:
        return None
    redis.prolong_slot(key, seconds=stored.info.ttl_seconds)
    return stored.value


def clear_working(*, workspace_id: UUID, conversation_id: UUID) -> int:
    """Wipe every slot of one conversation in a single pass; return their number. Raises RedisUnavailableError."""
    prefix = _prefix(workspace_id, conversation_id)
    return redis.delete_all(prefix, others=[redis.slot_info_key(workspace_id, conversation_id)])


def try_clear_working(*, workspace_id: UUID, conversation_id: UUID) -> None:
    """Wipe every slot of one conversation as far as Redis answers; else the slots expire by themselves."""
    try:
        clear_working(workspace_id=workspace_id, conversation_id=conversation_id)
    except redis.RedisUnavailableError:
        log.warning("working_set_unavailable the slots of conversation %s expire by themselves", conversation_id)


def _prefix(workspace_id: UUID, conversation_id: UUID) -> str:
    # Ids and nothing else: a text could hold a colon and reach into another conversation.
    if not isinstance(workspace_id, UUID) or not isinstance(conversation_id, UUID):
        raise UnscopedSlotError("A slot belongs to the id of a workspace and the id of a conversation.")
    return redis.working_prefix(workspace_id, conversation_id)
