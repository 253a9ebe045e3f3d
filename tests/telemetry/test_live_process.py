"""Live events of a real web process: more viewers than threads, and a stop that waits for none of them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import httpx
import pytest

from config.dispatcher import THREADS
from telemetry.live.services.feeds import MAX_OF_WORKSPACE
from tests.awaiting import comes_true
from tests.cast import Cast
from tests.web_process import web_process

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
VIEWERS = 3 * THREADS


def _first_event(lines: Iterator[str]) -> dict[str, object]:
    for line in lines:
        if line.startswith("data: "):
            return dict(json.loads(line.removeprefix("data: ")))
    raise AssertionError("The stream ended without an event.")


def test_viewers_take_no_thread_and_the_process_stops_at_once(cast: Cast) -> None:
    household = cast.acme
    with ExitStack() as stack, web_process() as port:
        client = stack.enter_context(
            httpx.Client(
                base_url=f"http://127.0.0.1:{port}/v1/workspaces/{household.workspace.id}/",
                headers={"Authorization": f"Bearer {household.secret}"},
                timeout=60,
                limits=httpx.Limits(max_connections=None),
            )
        )
        client.get("memories").raise_for_status()
        accept = {"Accept": "text/event-stream"}
        streams = [
            stack.enter_context(client.stream("GET", "events?verb=write", headers=accept)) for _ in range(VIEWERS)
        ]
        assert {stream.status_code for stream in streams} == {200}
        assert streams[0].headers["content-type"] == "text/event-stream"

        started = time.monotonic()
        memory = client.post("memories", json={"content": "Streams are cheap."}).json()
        with ThreadPoolExecutor(VIEWERS) as pool:
            lines = [stream.iter_lines() for stream in streams]  # kept: the last one to go closes its stream
            seen = list(pool.map(_first_event, lines))
        assert [event["ids"] for event in seen] == [[memory["id"]]] * VIEWERS
        assert time.monotonic() - started < 10  # a busy machine; a quiet one takes half a second

        more = [
            stack.enter_context(client.stream("GET", "events", headers=accept))
            for _ in range(MAX_OF_WORKSPACE - VIEWERS + 1)
        ]
        refused = more[-1]
        assert (refused.status_code, json.loads(refused.read())["code"]) == (429, "too_many_streams")
        assert int(refused.headers["Retry-After"]) > 0
        assert client.get("memories").status_code == 200

        streams[0].close()
        assert comes_true(lambda: _opens(client), seconds=10)
        stopping = time.monotonic()
    assert time.monotonic() - stopping < 15


def _opens(client: httpx.Client) -> bool:
    with client.stream("GET", "events", headers={"Accept": "text/event-stream"}) as stream:
        return stream.status_code == 200
