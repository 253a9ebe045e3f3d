"""Rate limits: told in headers, refused with a time, and never in the way when Redis is."""

from __future__ import annotations

from typing import Any

import pytest

from core.http.problems import CONTENT_TYPE
from core.stores import redis
from tests.cast import Cast, RestClient
from workspaces.http import rate_limit


def test_every_answer_tells_what_is_left(acme: RestClient, settings: Any) -> None:
    settings.RATE_LIMIT_PER_MINUTE = 10

    told = [acme.get(path).headers for path in ("runs", "/v1/workspaces", "memories/x")]

    assert [headers["RateLimit-Limit"] for headers in told] == ["10"] * 3
    left = [int(headers["RateLimit-Remaining"]) for headers in told]
    assert left in ([9, 8, 7], [9, 8, 9], [9, 9, 8])  # the minute may have turned
    assert all(1 <= int(headers["RateLimit-Reset"]) <= 60 for headers in told)


def test_beyond_the_limit_a_caller_waits_and_nobody_else_does(
    cast: Cast, acme: RestClient, umbrella: RestClient, settings: Any
) -> None:
    settings.RATE_LIMIT_PER_MINUTE = 2
    answers = [acme.get("runs") for _ in range(6)]  # over two minutes at most

    refused = next(answer for answer in answers if answer.status_code == 429)
    assert (refused["Content-Type"], refused.json()["code"]) == (CONTENT_TYPE, "too_many_requests")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert refused.json()["detail"] == (
        f"At most 2 calls a minute. Wait {refused['Retry-After']} seconds, then try again."
    )
    assert umbrella.get("runs").status_code == 200


def test_without_a_limit_nothing_is_counted(acme: RestClient, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMIT_PER_MINUTE = 0
    monkeypatch.setattr(redis, "increment_counter", None)

    assert "RateLimit-Limit" not in acme.get("runs").headers


def test_without_redis_everybody_is_let_through_and_the_log_says_so(
    acme: RestClient, settings: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    settings.RATE_LIMIT_PER_MINUTE, settings.REDIS_URL = 1, "redis://127.0.0.1:1/0"
    monkeypatch.setattr(rate_limit._Silence, "until", 0.0)

    assert [acme.get("runs").status_code for _ in range(3)] == [200] * 3
    assert [record.getMessage().split()[0] for record in caplog.records].count("rate_unlimited") == 1
