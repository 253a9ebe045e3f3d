"""Following events with the SDK and with `wsm watch`: in order, over connections that end."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cast import Cast, RestClient
from tests.client.test_cli import Terminal
from tests.client.wiring import IMPATIENT, URL, Script, async_memory_of, finished, memory_of
from workspace_memory import ForbiddenError, Memory, NoAnswerError
from workspace_memory.sse import EventDecoder
from workspace_memory.sync import live_events

WORKSPACE = "01a20b94-a7c8-756e-ba59-643d14dba477"
SAID = "Streams are cheap."


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_events, "PAUSE", 0.001)


def _event(place: str) -> str:
    data = {
        "id": place,
        "at": "2026-01-01T00:00:00Z",
        "verb": "write",
        "layer": "memories",
        "action": "POST memories",
        "door": "rest",
        "actor": {"kind": "api_key", "id": "k-1", "name": "clerk"},
        "type": "memory",
        "ids": [WORKSPACE],
        "count": 1,
        "outcome": "success",
        "error_code": None,
        "milliseconds": 12.5,
    }
    return f"id: {place}\ndata: {json.dumps(data)}\n\n"


def _stream(*places: str) -> httpx.Response:
    text = "retry: 2000\n\nid: 1-0\n: open\n\n" + "".join(map(_event, places)) + ": \n\n"
    return httpx.Response(200, headers={"Content-Type": "text/event-stream"}, text=text)


def _refusal(status: int, code: str) -> httpx.Response:
    problem = {"type": "about:blank", "title": code, "status": status, "detail": code, "code": code}
    return httpx.Response(status, headers={"Content-Type": "application/problem+json"}, json=problem)


def _scripted(*answers: Any) -> tuple[Memory, Script]:
    script = Script(*answers)
    return Memory(URL, "oxa_live_x", WORKSPACE, http=script, retries=IMPATIENT), script


def test_events_come_from_the_server(cast: Cast, acme: RestClient) -> None:
    memory = acme.remembered(SAID)
    acme.get("runs")

    client = memory_of(cast.acme)
    wrote, read = islice(client.events(after="0"), 2)
    assert (wrote.verb, wrote.ids, wrote.actor.name) == ("write", [memory["id"]], "Acme agent")
    assert (read.verb, read.layer) == ("read", "runs")
    assert next(client.events(after="0", verb="read")).layer == "runs"

    recent = client.recent_events(limit=1)
    assert [event.id for event in recent.results] == [read.id]
    assert client.recent_events(after=recent.last_event_id).results == []


def test_the_asynchronous_client_follows_as_well(cast: Cast, acme: RestClient) -> None:
    acme.remembered(SAID)

    async def follow() -> None:
        async for event in async_memory_of(cast.acme).events(after="0"):
            assert event.verb == "write"
            return

    finished(follow())


def test_events_of_a_user_come_to_its_client_alone(cast: Cast, acme: RestClient) -> None:
    acme.post("memories", {"content": SAID, "user": "42"})

    assert memory_of(cast.acme).recent_events().results == []
    assert len(memory_of(cast.acme).for_user("42").recent_events().results) == 1


def test_it_goes_on_behind_the_last_event_after_every_end() -> None:
    client, script = _scripted(
        _stream("2-0"), httpx.ReadError("gone"), _refusal(429, "too_many_streams"), _stream("3-0")
    )

    assert [event.id for event in islice(client.events(), 2)] == ["2-0", "3-0"]
    assert [request.headers.get("Last-Event-ID") for request in script.asked] == [None, "2-0", "2-0", "2-0"]
    assert {request.headers["Accept"] for request in script.asked} == {"text/event-stream"}


def test_a_connection_without_events_keeps_the_place_that_it_began_at() -> None:
    client, script = _scripted(_stream(), _stream("2-0"))
    next(client.events())
    assert script.asked[1].headers["Last-Event-ID"] == "1-0"


def test_it_gives_up_after_as_many_attempts_as_told() -> None:
    client, _ = _scripted(*[httpx.ConnectError("away")] * (IMPATIENT.most + 1))
    with pytest.raises(NoAnswerError):
        next(client.events())


def test_a_refusal_is_raised_at_once() -> None:
    client, script = _scripted(_refusal(403, "missing_scope"))
    with pytest.raises(ForbiddenError):
        next(client.events())
    assert len(script.asked) == 1


def test_an_event_of_several_lines_of_data_is_one() -> None:
    decoder = EventDecoder()
    assert [decoder.decode(line) for line in (": hi", "id: 7-0", 'data: {"a":', "data: 1}", "", "")] == [
        *([None] * 4),
        {"a": 1},
        None,
    ]
    assert decoder.last_id == "7-0"


def test_watch_prints_a_line_for_each_event(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)
    memory = acme.remembered(SAID)
    acme.get(f"memories/{WORKSPACE}")

    shown = terminal.run("watch", "--after", "0", "--layer", "memories", "--most", "2")

    assert shown.exit_code == 0, shown.output
    wrote, failed = shown.stdout.splitlines()
    assert "Acme agent" in wrote
    assert f"write   memories: POST memories 1 memory {memory['id']}" in wrote
    assert wrote.endswith(" ms")
    assert "not_found" in failed
    assert SAID not in shown.stdout

    (line,) = terminal.run("watch", "--after", "0", "--verb", "write", "--most", "1", "--json").stdout.splitlines()
    assert json.loads(line)["ids"] == [memory["id"]]


def test_watch_refuses_what_it_does_not_know(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert Terminal(monkeypatch, tmp_path).run("watch", "--verb", "chew").exit_code == 2
