"""Who sends many bytes or bodies keeps others out by neither, from however many networks they come."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from config.dispatcher import Dispatcher
from config.request_body import Limits, Message, Receive, RequestBodies, TooManyUnfinishedBodiesError
from core.errors import OverloadedError
from tests.awaiting import awaited

LIMITS = Limits(seconds=5, unfinished=3, unfinished_of_address=2, held=400_000)
MAX_BYTES = 200_000
END: Message = {"type": "http.request", "body": b"", "more_body": False}


def arriving(pieces: Iterable[bytes]) -> Receive:
    left = iter([*({"type": "http.request", "body": piece, "more_body": True} for piece in pieces), END])

    async def receive() -> Message:
        return next(left)

    return receive


async def stuck() -> Message:
    return await asyncio.Future()


async def received(bodies: RequestBodies, body: bytes, *, address: str, holder: str = "") -> bytes:
    pieces = [body[start : start + 30_000] for start in range(0, len(body), 30_000)]
    async with bodies.receive_body(arriving(pieces), address=address, max_bytes=MAX_BYTES, holder=holder) as file:
        return file.read()


@pytest.mark.parametrize("networks", [2, 4, 8])
def test_networks_that_hold_all_bytes_while_they_are_answered_keep_no_small_bodies_out(networks: int) -> None:
    async def run() -> None:
        bodies = RequestBodies(LIMITS)
        async with AsyncExitStack() as answered:
            for number in range(networks):
                part = arriving([b"x" * (LIMITS.held // networks)])
                sender = bodies.receive_body(part, address=f"2001:db8:1:{number}::1", max_bytes=MAX_BYTES)
                await answered.enter_async_context(sender)
            for number in range(20):
                body = b"x" * 20_000
                assert await received(bodies, body, address=f"198.51.100.{number}") == body
            for body in (b"x", b"x" * MAX_BYTES):  # they hold most
                with pytest.raises((OverloadedError, TooManyUnfinishedBodiesError)):
                    await received(bodies, body, address="2001:db8:1:1::2")
            with pytest.raises(OverloadedError):
                await received(bodies, b"x" * MAX_BYTES, address="198.51.100.1")
        assert len(await received(bodies, b"x" * MAX_BYTES, address="198.51.100.1")) == MAX_BYTES

    awaited(run())


def test_a_workspace_holds_half_of_the_bytes_from_whatever_networks() -> None:
    async def run() -> None:
        bodies = RequestBodies(LIMITS)
        half = arriving([b"x" * (LIMITS.held // 2)])
        async with bodies.receive_body(half, address="192.0.2.1", max_bytes=MAX_BYTES, holder="workspace a"):
            with pytest.raises(TooManyUnfinishedBodiesError):
                await received(bodies, b"x", address="192.0.2.2", holder="workspace a")
            assert await received(bodies, b"x", address="192.0.2.2", holder="workspace b") == b"x"
        assert await received(bodies, b"x", address="192.0.2.2", holder="workspace a") == b"x"

    awaited(run())


def test_a_workspace_that_fills_all_places_from_many_networks_makes_room() -> None:
    async def run() -> int:
        bodies = RequestBodies(Limits(seconds=5, unfinished=8, unfinished_of_address=2, held=300_000))
        sending = [asyncio.create_task(hold(bodies, number)) for number in range(8)]
        await asyncio.sleep(0)
        assert await received(bodies, b"x", address="198.51.100.1", holder="workspace b") == b"x"
        sending.append(asyncio.create_task(hold(bodies, 8)))
        await asyncio.sleep(0.05)
        with pytest.raises(OverloadedError):
            await asyncio.wait_for(hold(bodies, 9), 1)
        for task in sending:
            task.cancel()
        ended = await asyncio.gather(*sending, return_exceptions=True)
        return sum(isinstance(each, OverloadedError) for each in ended)

    async def hold(bodies: RequestBodies, number: int) -> None:
        address = f"2001:db8:1:{number}::1"
        async with bodies.receive_body(stuck, address=address, max_bytes=MAX_BYTES, holder="workspace a"):
            pass

    assert awaited(run()) == 1


def test_bytes_count_for_the_workspace_of_the_credential(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.TRUST_PROXY, settings.MAX_BULK_BYTES = True, 1_000
    monkeypatch.setattr("config.dispatcher.find_workspace", lambda given: given.removeprefix("Bearer of "))
    part: Message = {"type": "http.request", "body": b"x" * 30_000, "more_body": True}

    async def status(dispatcher: Dispatcher, *, address: str, workspace: str, last: Message | None) -> int | None:
        left, sent = iter([part]), list[Message]()

        async def receive() -> Message:
            return next(left, None) or last or await stuck()

        async def send(message: Message) -> None:
            sent.append(message)

        headers = [(b"x-forwarded-for", address.encode()), (b"authorization", f"Bearer of {workspace}".encode())]
        scope = {"type": "http", "method": "POST", "path": "/x", "headers": [*headers, (b"content-length", b"60000")]}
        await dispatcher({**scope, "client": ("127.0.0.1", 1), "scheme": "http"}, receive, send)
        return int(sent[0]["status"]) if sent else None

    async def run() -> list[int | None]:
        dispatcher = Dispatcher(mcp=_nothing)
        first = asyncio.create_task(status(dispatcher, address="2001:db8:1:1::1", workspace="a", last=None))
        await asyncio.sleep(0)
        leaves: Message = {"type": "http.disconnect"}
        found = [
            await status(dispatcher, address="2001:db8:1:2::1", workspace=workspace, last=leaves)
            for workspace in ("a", "b")
        ]
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        return found

    assert awaited(run()) == [429, None]


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """Stand in for the MCP endpoint, which is not asked."""
