"""A streamed answer ends when its reader leaves, and not before."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from a2wsgi import WSGIMiddleware
from django.urls import URLPattern

from config.client_disconnect import Message, Scope, stop_when_disconnected, watch_disconnect
from config.thread_admission import BODY, DONE, release_when_answered
from config.url_table import addresses, find_view, is_waiting
from tests.awaiting import awaited
from tests.rules.doors import OUTWARD

SCOPE: Scope = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "path": "/chat",
    "query_string": b"",
    "headers": [],
    BODY: BytesIO(),
}
PIECES, WITHOUT_END = 20, 1_000_000
SOME_ID = "019a0000-0000-7000-8000-000000000000"


class SlowAnswer:
    """A WSGI application whose answer comes piece by piece."""

    def __init__(self, pieces: int) -> None:
        self.pieces = pieces
        self.given = 0
        self.is_closed = False

    def __call__(self, environ: dict[str, Any], start_response: Any) -> SlowAnswer:
        environ["wsgi.input"].read()
        start_response("200 OK", [])
        return self

    def __iter__(self) -> Iterator[bytes]:
        for _ in range(self.pieces):
            self.given += 1
            yield b"piece"
            time.sleep(0.02)

    def close(self) -> None:
        self.is_closed = True


async def _read(answer: SlowAnswer, *, leaves_after: int) -> None:
    """Read so many pieces, then close the connection, as a browser does that was told to stop."""
    gone = asyncio.Event()
    pieces: list[bytes] = []

    async def receive() -> Message:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        pieces.extend([message["body"]] if message.get("body") else [])
        if len(pieces) == leaves_after:
            gone.set()

    ended: list[None] = []
    scope = {**SCOPE, DONE: lambda: ended.append(None)}
    await watch_disconnect(
        WSGIMiddleware(release_when_answered(stop_when_disconnected(answer)), workers=1), scope, receive, send
    )
    assert ended == [None]


@pytest.mark.parametrize("leaves_after", [1, 5])
def test_a_reader_who_leaves_ends_the_answer(leaves_after: int) -> None:
    answer = SlowAnswer(WITHOUT_END)

    awaited(_read(answer, leaves_after=leaves_after))

    assert answer.given >= leaves_after
    assert answer.is_closed


def test_a_reader_who_stays_gets_all_of_it() -> None:
    answer = SlowAnswer(PIECES)

    awaited(_read(answer, leaves_after=PIECES + 1))

    assert answer.given == PIECES
    assert answer.is_closed


def test_no_door_that_asks_a_model_holds_up_the_others() -> None:
    asking = [find_view(pattern.callback) for _, pattern in addresses() if _asks_outside(pattern)]

    assert len(asking) == 7
    assert [view.__name__ for view in asking if not view.waits] == []


def _asks_outside(pattern: URLPattern) -> bool:
    return getattr(find_view(pattern.callback), "asks_model", False) or pattern.name in OUTWARD


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/w/acme/explain/ask", True),
        (f"/w/acme/explain/ask/{SOME_ID}/{SOME_ID}", True),
        ("/w/acme/chat", False),
        (f"/w/acme/conversations/{SOME_ID}/consolidate", True),
        (f"/w/acme/conversations/{SOME_ID}/end", False),
        (f"/w/acme/settings/models/providers/{SOME_ID}/test", True),
        ("/v1/workspaces/w/export", True),
        ("/v1/workspaces/w/import", True),
        ("/v1/workspaces/w/conversations/c-1/consolidate", True),
        ("/v1/workspaces/w/memories", False),
        ("/v1/workspaces/w/conversations/chat", False),
        ("/nowhere/chat", False),
    ],
)
def test_what_waits_is_what_its_view_says(path: str, expected: bool) -> None:
    assert is_waiting(path) == expected
