"""So many calls a minute for each key and each person, counted in Redis."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from core import redis
from workspaces.authentication import who
from workspaces.callers import Caller
from workspaces.models import User

log = logging.getLogger(__name__)

SECONDS = 60


@dataclass(frozen=True, slots=True)
class Rate:
    """What a caller may do and has done in this minute, of which `reset` seconds are left."""

    limit: int
    used: int
    reset: int

    @property
    def headers(self) -> dict[str, str]:
        left = max(self.limit - self.used, 0)
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(left),
            "RateLimit-Reset": str(self.reset),
        }


class CallsPerMinute(BaseThrottle):
    """`RATE_LIMIT_PER_MINUTE` calls; 0 counts nothing. Without Redis everybody is let through, and the log says so."""

    rate: Rate | None = None
    _silent_until = 0.0

    def allow_request(self, request: Request, view: APIView) -> bool:
        somebody, limit = who(request), settings.RATE_LIMIT_PER_MINUTE
        if not limit or not isinstance(somebody, Caller | User):
            return True
        now = time.time()
        minute = int(now) // SECONDS
        try:
            used = redis.count_up(redis.rate_key(str(somebody.id), minute), seconds=2 * SECONDS)
        except redis.RedisUnavailableError:
            self._say(now)
            return True
        self.rate = Rate(limit, used, SECONDS - int(now) % SECONDS)
        return used <= limit

    def wait(self) -> float | None:
        return self.rate.reset if self.rate else None

    @classmethod
    def _say(cls, now: float) -> None:
        """Once a minute; a line for every call would bury the others."""
        if now >= cls._silent_until:
            cls._silent_until = now + SECONDS
            log.warning("rate_unlimited because Redis does not answer")
