"""Streams of events in the event loop: they go on after their view, end with their client, and take no thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest

from config import live_streams
from config.live_streams import LiveStreams, parse_place
from telemetry.live.live_event import EventFilter, LiveActor, LiveEvent
from telemetry.live.schemas import encode_stored
from telemetry.live.services.feeds import FEED, OpenFeeds
from tests.awaiting import awaited

WORKSPACE = uuid4()
START = {"type": "http.response.start", "status": 200, "headers": []}


class Ring:
    """A ring of one workspace in memory."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, str]] = []
        self.reads = 0

    def add(self, *, space: str = "shared") -> str:
        event = LiveEvent(
            at="2026-01-01T00:00:00Z",
            verb="read",
            layer="memories",
            action="GET memories",
            door="rest",
            actor=LiveActor("api_key", "k"),
            spaces=(space,),
        )
        self.entries.append((f"{len(self.entries) + 1}-0", event.as_text()))
        return self.entries[-1][0]

    def read(self, after: Mapping[UUID, str], *, most: int) -> Mapping[UUID, list[tuple[str, str]]]:
        self.reads += 1
        return {
            key: [entry for entry in self.entries if parse_place(entry[0]) > parse_place(last)][:most]
            for key, last in after.items()
        }


class Browser:
    """A client: what it was sent, and a way to leave."""

    def __init__(self, feeds: OpenFeeds, *, space: str = "shared", last_id: str = "0-0") -> None:
        self.scope: dict[str, Any] = {}
        self.sent: list[dict[str, Any]] = []
        self.left = asyncio.Event()
        self.takes = asyncio.Event()
        self.takes.set()
        self._feeds, self._filter, self._last_id = feeds, EventFilter(frozenset({space}), False), last_id

    async def application(self, scope: Any, receive: Any, send: Any) -> None:
        scope[FEED] = self._feeds.open(WORKSPACE, self._filter, last_id=self._last_id, encode=encode_stored)
        await send(START)
        await send({"type": "http.response.body", "body": b"missed", "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        await self.takes.wait()
        self.sent.append(message)

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()

    @property
    def has_ended(self) -> bool:
        last = self.sent[-1] if self.sent else START
        return last["type"] == "http.response.body" and not last.get("more_body")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_streams, "SECONDS", 0.01)


async def _until(claim: Any) -> None:
    async with asyncio.timeout(5):
        while not claim():
            await asyncio.sleep(0.005)


def _answer(streams: LiveStreams, browser: Browser) -> asyncio.Task[None]:
    return asyncio.create_task(
        streams.answer(browser.application, browser.scope, browser.receive, browser.send)  # type: ignore[arg-type]
    )


def test_a_stream_goes_on_after_its_view_and_ends_with_its_client() -> None:
    async def run() -> None:
        ring, feeds = Ring(), OpenFeeds()
        streams, browser = LiveStreams(read=ring.read), Browser(feeds)
        answering = _answer(streams, browser)
        await _until(lambda: "missed" in browser.text)
        assert feeds.count(WORKSPACE) == 1

        first = ring.add()
        await _until(lambda: f"id: {first}\n" in browser.text)
        ring.add(space="user:42")
        third = ring.add()
        await _until(lambda: f"id: {third}\n" in browser.text)
        assert browser.text.count("data: ") == 2  # that of another space is not sent

        browser.left.set()
        await answering
        assert browser.has_ended
        assert feeds.count(WORKSPACE) == 0
        before = ring.reads
        await asyncio.sleep(0.1)
        assert ring.reads <= before + 1  # without viewers nothing is read

    awaited(run())


def test_many_viewers_are_read_for_in_one_exchange_and_each_gets_what_it_missed() -> None:
    async def run() -> None:
        ring, feeds = Ring(), OpenFeeds()
        streams = LiveStreams(read=ring.read)
        ids = [ring.add() for _ in range(5)]
        browsers = [Browser(feeds, last_id=place) for place in ("0-0", ids[1], ids[4])]
        answering = [_answer(streams, browser) for browser in browsers]
        last = ring.add()
        await _until(lambda: all(f"id: {last}\n" in browser.text for browser in browsers))
        assert [browser.text.count("data: ") for browser in browsers] == [6, 4, 1]
        for browser in browsers:
            browser.left.set()
        await asyncio.gather(*answering)

    awaited(run())


def test_a_client_that_takes_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_streams, "STALLED_SECONDS", 0.05)

    async def run() -> None:
        ring, feeds = Ring(), OpenFeeds()
        streams, browser = LiveStreams(read=ring.read), Browser(feeds)
        answering = _answer(streams, browser)
        await _until(lambda: "missed" in browser.text)
        browser.takes.clear()
        ring.add()
        await asyncio.wait_for(answering, 5)
        assert feeds.count(WORKSPACE) == 0

    awaited(run())


def test_a_client_that_is_far_behind_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_streams, "MAX_QUEUED", 2)

    async def run() -> None:
        ring, feeds = Ring(), OpenFeeds()
        streams, browser = LiveStreams(read=ring.read), Browser(feeds)
        answering = _answer(streams, browser)
        await _until(lambda: "missed" in browser.text)
        browser.takes.clear()
        for _ in range(8):
            ring.add()
            await asyncio.sleep(0.03)
        browser.takes.set()
        await asyncio.wait_for(answering, 5)
        assert browser.has_ended
        assert browser.text.count("data: ") < 8

    awaited(run())


def test_a_stream_ends_after_its_time_and_has_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_streams, "MAX_SECONDS", 0.2)
    monkeypatch.setattr(live_streams, "HEARTBEAT_SECONDS", 0.05)

    async def run() -> None:
        browser = Browser(OpenFeeds())
        await asyncio.wait_for(_answer(LiveStreams(read=Ring().read), browser), 5)
        assert browser.has_ended
        assert ": \n\n" in browser.text

    awaited(run())


def test_stopping_ends_every_stream() -> None:
    async def run() -> None:
        feeds = OpenFeeds()
        streams, browsers = LiveStreams(read=Ring().read), [Browser(feeds) for _ in range(3)]
        answering = [_answer(streams, browser) for browser in browsers]
        await _until(lambda: all("missed" in browser.text for browser in browsers))
        await asyncio.to_thread(streams.stop)
        await asyncio.wait_for(asyncio.gather(*answering), 5)
        assert feeds.count(WORKSPACE) == 0

    awaited(run())


def test_an_answer_without_a_feed_is_passed_on_as_it_is() -> None:
    async def run() -> None:
        browser = Browser(OpenFeeds())

        async def application(scope: Any, receive: Any, send: Any) -> None:
            await send(START)
            await send({"type": "http.response.body", "body": b"all"})

        await LiveStreams(read=Ring().read).answer(application, {}, browser.receive, browser.send)  # type: ignore[arg-type]
        assert browser.sent == [START, {"type": "http.response.body", "body": b"all"}]

    awaited(run())


def test_a_refusal_behind_a_feed_ends_and_gives_its_place_back() -> None:
    async def run() -> None:
        feeds = OpenFeeds()
        browser = Browser(feeds)

        async def application(scope: Any, receive: Any, send: Any) -> None:
            scope[FEED] = feeds.open(WORKSPACE, EventFilter(frozenset(), False), last_id="0-0", encode=encode_stored)
            await send({**START, "status": 500})
            await send({"type": "http.response.body", "body": b"no"})

        await LiveStreams(read=Ring().read).answer(application, browser.scope, browser.receive, browser.send)  # type: ignore[arg-type]
        assert browser.has_ended
        assert feeds.count(WORKSPACE) == 0

    awaited(run())
