"""The only module that knows Redis or Valkey: one client, and every key name that the product uses."""

from __future__ import annotations

import logging
from functools import cache
from uuid import UUID

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

log = logging.getLogger(__name__)

ANSWER_SECONDS = 0.5


def nudge_key(task: str, workspace_id: UUID) -> str:
    return f"oxa:nudge:{workspace_id}:{task}"


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


def release(key: str) -> None:
    """Give a claim back; without Redis there is none."""
    try:
        client().delete(key)
    except (RedisError, ValueError):
        log.debug("redis_unavailable while releasing a claim")


def answers() -> bool:
    """Whether the server is there."""
    try:
        return bool(client().ping())
    except (RedisError, ValueError):
        return False
