"""The only module that knows Redis or Valkey: one client, and every key name that the product uses."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from uuid import UUID

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from core.errors import UnavailableError

log = logging.getLogger(__name__)

ANSWER_SECONDS = 0.5
SCANNED_AT_ONCE = 1_000

# What SCAN's MATCH would take for a pattern.
_GLOB = re.compile(r"[\\*?\[\]^]")


class RedisUnavailableError(UnavailableError):
    """Redis does not answer; what it holds expires anyway, and everything else works without it."""

    code = "redis_unavailable"
    title = "The working set cannot be reached just now. Nothing was changed; try again."


def nudge_key(task: str, workspace_id: UUID) -> str:
    return f"oxa:nudge:{workspace_id}:{task}"


def consolidation_key(workspace_id: UUID, conversation_id: UUID) -> str:
    return f"oxa:consolidation:{workspace_id}:{conversation_id}"


def extraction_key(workspace_id: UUID, conversation_id: UUID) -> str:
    return f"oxa:extraction:{workspace_id}:{conversation_id}"


def working_prefix(workspace_id: UUID, conversation_id: UUID) -> str:
    """How the keys of a conversation's working set begin; the slot's name follows."""
    return f"oxa:ws:{workspace_id}:{conversation_id}:"


@cache
def client() -> Redis:
    """The process's client; it connects when first used and reconnects by itself."""
    return Redis.from_url(
        settings.REDIS_URL,
        socket_connect_timeout=ANSWER_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        retry=Retry(NoBackoff(), 1),
        decode_responses=True,
    )


def claim(key: str, *, seconds: int) -> bool:
    """Take a short claim that nobody else holds. Without Redis everybody gets it: more work, never less."""
    try:
        return bool(client().set(key, "1", nx=True, ex=seconds))
    except (RedisError, ValueError):
        return True


def prolong(key: str, *, seconds: int) -> None:
    """Hold a claim for so long from now; one that ran out meanwhile is not taken again."""
    try:
        client().expire(key, seconds)
    except (RedisError, ValueError):
        log.debug("redis_unavailable while prolonging a claim")


def release(key: str) -> None:
    """Give a claim back; without Redis there is none."""
    try:
        client().delete(key)
    except (RedisError, ValueError):
        log.debug("redis_unavailable while releasing a claim")


def put(key: str, value: str, *, seconds: int) -> None:
    """Keep a value for so long. Raises RedisUnavailableError."""
    with _unavailability_told():
        client().set(key, value, ex=seconds)


def get(key: str, *, seconds: int) -> str | None:
    """A value, kept for so long from now on; None for an absent one. Raises RedisUnavailableError."""
    with _unavailability_told():
        value = client().getex(key, ex=seconds)
        return None if value is None else str(value)


def delete_all(prefix: str) -> int:
    """Delete every key that begins like this, in one pass; answer how many. Raises RedisUnavailableError."""
    with _unavailability_told():
        pattern = _GLOB.sub(r"\\\g<0>", prefix) + "*"
        return sum(client().delete(key) for key in client().scan_iter(match=pattern, count=SCANNED_AT_ONCE))


@contextmanager
def _unavailability_told() -> Iterator[None]:
    try:
        yield
    except (RedisError, ValueError) as error:
        raise RedisUnavailableError() from error


def answers() -> bool:
    """Whether the server is there."""
    try:
        return bool(client().ping())
    except (RedisError, ValueError):
        return False
