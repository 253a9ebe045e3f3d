"""Limits on the calls a minute of each key, app, person and operator, through every door, counted in Redis."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from core.errors import TooManyRequestsError
from core.stores import rate_limit, redis
from core.stores.rate_limit import RateLimit, Usage
from workspaces.access.callers import Caller
from workspaces.access.operators import Operator
from workspaces.http.authentication import who
from workspaces.models import User

log = logging.getLogger(__name__)

SECONDS = 60


@dataclass(frozen=True, slots=True)
class Rate:
    """What a caller may do and has done in this minute."""

    usage: Usage
    of: str = ""

    @property
    def is_exceeded(self) -> bool:
        return self.usage.is_exceeded

    @property
    def refusal(self) -> TooManyRequestsError:
        limit, wait = self.usage.limit.max_count, self.usage.seconds_left
        whose = f" of {self.of}" if self.of else ""
        detail = f"At most {limit:,} calls a minute{whose}. Wait {wait} seconds, then try again."
        return TooManyRequestsError(detail, retry_after=wait)

    @property
    def headers(self) -> dict[str, str]:
        limit = self.usage.limit.max_count
        return {
            "RateLimit-Limit": str(limit),
            "RateLimit-Remaining": str(max(limit - self.usage.number, 0)),
            "RateLimit-Reset": str(self.usage.seconds_left),
        }


class CallsPerMinute(BaseThrottle):
    """Counts a REST call; the headers of its answer tell the rate."""

    rate: Rate | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        actor = who(request)
        if isinstance(actor, Caller | User | Operator):
            workspace_id = actor.workspace_id if isinstance(actor, Caller) else None
            self.rate = count_call(str(actor.id), workspace_id=workspace_id)
            if self.rate and self.rate.is_exceeded:
                raise self.rate.refusal
        return True


class _Silence:
    """One line a minute; a line for every call would bury the others."""

    until = 0.0


def count_call(caller_id: str, *, workspace_id: UUID | None = None) -> Rate | None:
    """Count one call of a caller's `RATE_LIMIT_PER_MINUTE`, and of its workspace's `WORKSPACE_RATE_LIMIT_PER_MINUTE`.

    Return the caller's rate; the workspace's, where that alone is exceeded. None where nothing is counted of a caller:
    with a limit of 0, and without Redis, when everybody is let through and the log says so.
    """
    own = _count_in_minute(caller_id, settings.RATE_LIMIT_PER_MINUTE)
    if workspace_id is None or (own and own.is_exceeded):  # what is refused takes nothing from the others
        return own
    shared = _count_in_minute(str(workspace_id), settings.WORKSPACE_RATE_LIMIT_PER_MINUTE, of="this workspace together")
    return shared if shared and shared.is_exceeded else own


def _count_in_minute(subject: str, limit: int, *, of: str = "") -> Rate | None:
    if not limit:
        return None
    try:
        usage = rate_limit.count(RateLimit(redis.rate_key(subject), limit, SECONDS))
    except redis.RedisUnavailableError:
        if (now := time.time()) >= _Silence.until:
            _Silence.until = now + SECONDS
            log.warning("rate_unlimited because Redis does not answer")
        return None
    return Rate(usage, of)
