"""What a process holds of request bodies is bounded, and comes out as it went in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from io import BytesIO
from typing import Any

import pytest

from config.dispatcher import Dispatcher
from config.request_body import (
    MAX_BYTES_IN_MEMORY,
    BodyTimeoutError,
    Limits,
    Message,
    Receive,
    RequestBodies,
    TooManyUnfinishedBodiesError,
    replay_body,
)
from core.errors import OverloadedError
from core.http.body_parsers import BodyTooLargeError
from tests.awaiting import awaited
from workspaces.access.client_address import client_network

LIMITS = Limits(seconds=5, unfinished=3, unfinished_of_address=2, held=400_000)
MAX_BYTES = 200_000


def arriving(pieces: Iterable[bytes]) -> Receive:
    messages = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    left = iter([*messages, {"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> Message:
        return next(left)

    return receive


async def stuck() -> Message:
    return await asyncio.Future()


async def received(bodies: RequestBodies, body: bytes, *, address: str = "192.0.2.1") -> bytes:
    pieces = [body[start : start + 30_000] for start in range(0, len(body), 30_000)]
    async with bodies.receive_body(arriving(pieces), address=address, max_bytes=MAX_BYTES) as file:
        assert isinstance(file, BytesIO) == (len(body) <= MAX_BYTES_IN_MEMORY)
        return file.read()


@pytest.mark.parametrize("size", [0, 1, MAX_BYTES_IN_MEMORY, MAX_BYTES_IN_MEMORY + 1, MAX_BYTES])
def test_only_small_bodies_are_held_in_memory(size: int) -> None:
    body = bytes(number % 251 for number in range(size))

    assert awaited(received(RequestBodies(LIMITS), body)) == body


@pytest.mark.parametrize("size", [0, 10, MAX_BYTES_IN_MEMORY, 2 * MAX_BYTES_IN_MEMORY + 1])
def test_a_body_that_is_here_is_read_again_and_then_the_connection(size: int) -> None:
    async def run() -> tuple[bytes, Message]:
        async def leaving() -> Message:
            return {"type": "http.disconnect"}

        receive, pieces = replay_body(BytesIO(b"x" * size), leaving), []
        while (message := await receive()).get("more_body"):
            pieces.append(message["body"])
        return b"".join([*pieces, message["body"]]), await receive()

    assert awaited(run()) == (b"x" * size, {"type": "http.disconnect"})


def test_a_body_that_is_longer_than_announced_is_refused() -> None:
    with pytest.raises(BodyTooLargeError, match="200,000"):
        awaited(received(RequestBodies(LIMITS), b"x" * (MAX_BYTES + 1)))


def test_all_bodies_together_are_bounded_and_make_room_again() -> None:
    async def run() -> None:
        bodies = RequestBodies(LIMITS)
        for _ in range(3):
            async with (
                bodies.receive_body(arriving([b"x" * MAX_BYTES]), address="192.0.2.1", max_bytes=MAX_BYTES),
                bodies.receive_body(arriving([b"x" * MAX_BYTES]), address="192.0.2.2", max_bytes=MAX_BYTES),
            ):
                with pytest.raises(OverloadedError):
                    await received(bodies, b"x" * MAX_BYTES, address="192.0.2.3")

    awaited(run())


def test_a_full_disk_is_no_failure_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("config.request_body.TemporaryFile", full)

    with pytest.raises(OverloadedError):
        awaited(received(RequestBodies(LIMITS), b"x" * MAX_BYTES))


def test_unfinished_bodies_are_counted_for_each_address_and_for_all() -> None:
    async def run() -> None:
        bodies, sending = RequestBodies(LIMITS), []
        for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
            sending.append(asyncio.create_task(hold(bodies, address)))
            await asyncio.sleep(0)
            if len(sending) == 2:
                with pytest.raises(TooManyUnfinishedBodiesError):
                    await received(bodies, b"x")
                assert await received(bodies, b"x", address="192.0.2.9") == b"x"
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)
        assert await received(bodies, b"x") == b"x"

    async def hold(bodies: RequestBodies, address: str) -> None:
        async with bodies.receive_body(stuck, address=address, max_bytes=MAX_BYTES):
            pass

    awaited(run())


def test_slow_senders_who_fill_all_places_keep_no_others_out() -> None:
    limits = Limits(seconds=5, unfinished=512, unfinished_of_address=64, held=300_000)

    async def run() -> list[bytes | BaseException]:
        bodies = RequestBodies(limits)
        steady = asyncio.create_task(brings(bodies, "192.0.2.1", [b"x" * 500, b"x"]))
        slow = [asyncio.create_task(brings(bodies, f"198.51.100.{n % 8}", [b"x"])) for n in range(511)]
        await asyncio.sleep(0.05)
        for number in range(20):
            assert await received(bodies, b"whole", address=f"203.0.113.{number}") == b"whole"
        await asyncio.sleep(0.05)
        assert not steady.done()  # it has one place, they have many
        for task in (steady, *slow):
            task.cancel()
        return await asyncio.gather(*slow, return_exceptions=True)

    async def brings(bodies: RequestBodies, address: str, pieces: list[bytes]) -> bytes:
        left = iter(pieces)

        async def receive() -> Message:
            if (piece := next(left, None)) is None:
                return await stuck()
            return {"type": "http.request", "body": piece, "more_body": True}

        async with bodies.receive_body(receive, address=address, max_bytes=MAX_BYTES) as file:
            return file.read()

    ended = awaited(run())
    assert sum(isinstance(each, OverloadedError) for each in ended) == 1  # each whole body gives its place back
    assert sum(isinstance(each, asyncio.CancelledError) for each in ended) == 510


def test_who_has_as_many_places_as_anybody_gets_none_of_others() -> None:
    async def run() -> None:
        bodies = RequestBodies(Limits(seconds=5, unfinished=2, unfinished_of_address=2, held=300_000))
        sending = [asyncio.create_task(hold(bodies, address)) for address in ("192.0.2.1", "192.0.2.2")]
        await asyncio.sleep(0)
        with pytest.raises(OverloadedError):
            await received(bodies, b"x", address="192.0.2.1")
        assert not any(task.done() for task in sending)
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)

    async def hold(bodies: RequestBodies, address: str) -> None:
        async with bodies.receive_body(stuck, address=address, max_bytes=MAX_BYTES):
            pass

    awaited(run())


def test_large_unfinished_bodies_leave_memory_to_others() -> None:
    async def run() -> BaseException | None:
        bodies = RequestBodies(LIMITS)
        large = [asyncio.create_task(hold(bodies, address)) for address in ("192.0.2.1", "192.0.2.2")]
        while not all(large_size == 200_000 for large_size in sizes.values()) or len(sizes) < 2:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)  # the last piece is on the disk
        longer = b"x" * (MAX_BYTES_IN_MEMORY + 1)  # a small one takes no room of others
        assert await received(bodies, longer, address="203.0.113.1") == longer
        ended, _ = await asyncio.wait(large, return_when=asyncio.FIRST_COMPLETED, timeout=2)
        for task in large:
            task.cancel()
        await asyncio.gather(*large, return_exceptions=True)
        return next(iter(ended)).exception()

    sizes: dict[int, int] = {}

    async def hold(bodies: RequestBodies, address: str) -> None:
        number, left = len(sizes), iter([b"x" * 50_000] * 4)
        sizes[number] = 0

        async def receive() -> Message:
            if (piece := next(left, None)) is None:
                return await stuck()
            sizes[number] += len(piece)
            return {"type": "http.request", "body": piece, "more_body": True}

        async with bodies.receive_body(receive, address=address, max_bytes=MAX_BYTES):
            pass

    assert isinstance(awaited(run()), OverloadedError)


def test_an_address_holds_half_of_the_bytes_while_its_bodies_are_answered_as_well() -> None:
    async def run() -> None:
        bodies = RequestBodies(LIMITS)
        half = b"x" * (LIMITS.held // 2)
        async with bodies.receive_body(whole(half), address="192.0.2.1", max_bytes=MAX_BYTES):
            with pytest.raises(TooManyUnfinishedBodiesError):
                await received(bodies, b"x", address="192.0.2.1")
            assert len(await received(bodies, half, address="192.0.2.2")) == len(half)
        assert await received(bodies, b"x", address="192.0.2.1") == b"x"

    def whole(content: bytes) -> Receive:
        async def receive() -> Message:
            return {"type": "http.request", "body": content, "more_body": False}

        return receive

    awaited(run())


def test_a_body_that_comes_steadily_has_to_end_as_well() -> None:
    limits = Limits(seconds=0.1, unfinished=3, unfinished_of_address=2, held=10_000_000, whole_seconds=0.4)

    async def steadily() -> Message:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x" * limits.min_bytes, "more_body": True}

    async def run() -> float:
        loop = asyncio.get_running_loop()
        began_at = loop.time()
        with pytest.raises(BodyTimeoutError):
            async with RequestBodies(limits).receive_body(steadily, address="192.0.2.1", max_bytes=10_000_000):
                pass
        return loop.time() - began_at

    assert 0.3 < awaited(run()) < 2


def test_a_burst_of_whole_bodies_from_one_address_waits_for_its_turn() -> None:
    async def slowly() -> AsyncIterator[Message]:
        await asyncio.sleep(0.02)
        yield {"type": "http.request", "body": b"x", "more_body": True}
        await asyncio.sleep(0.02)
        yield {"type": "http.request", "body": b"y", "more_body": False}

    async def send(bodies: RequestBodies) -> bytes:
        async with bodies.receive_body(slowly().__anext__, address="192.0.2.1", max_bytes=MAX_BYTES) as file:
            return file.read()

    async def run() -> list[bytes]:
        bodies = RequestBodies(LIMITS)
        return await asyncio.gather(*(send(bodies) for _ in range(20)))

    assert awaited(run()) == [b"xy"] * 20


def test_bodies_that_wait_for_a_place_of_their_address_take_none_of_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("config.request_body.PLACE_SECONDS", 0.3)

    async def run() -> list[bytes | BaseException]:
        bodies = RequestBodies(LIMITS)
        flood = [asyncio.create_task(hold(bodies)) for _ in range(50)]
        await asyncio.sleep(0)
        assert await received(bodies, b"x", address="192.0.2.9") == b"x"
        while sum(task.done() for task in flood) < 50 - LIMITS.unfinished_of_address:
            await asyncio.sleep(0.01)
        for task in flood:
            task.cancel()
        ended = await asyncio.gather(*flood, return_exceptions=True)
        assert await received(bodies, b"x") == b"x"
        return list(ended)

    async def hold(bodies: RequestBodies) -> bytes:
        async with bodies.receive_body(stuck, address="192.0.2.1", max_bytes=MAX_BYTES) as file:
            return file.read()

    refused = [error for error in awaited(run()) if isinstance(error, TooManyUnfinishedBodiesError)]
    assert len(refused) == 50 - LIMITS.unfinished_of_address


def test_a_client_cannot_pass_for_many_by_a_header_before_that_of_the_proxy(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.TRUST_PROXY, settings.MAX_UNFINISHED_BODIES_PER_ADDRESS = True, 2
    monkeypatch.setattr("config.request_body.PLACE_SECONDS", 0.1)

    async def status(dispatcher: Dispatcher, *, pretended: str, receive: Receive) -> int:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        forwarded = [(b"x-forwarded-for", pretended.encode()), (b"x-forwarded-for", b"192.0.2.1")]
        headers = [(b"content-length", b"9"), *forwarded]
        scope = {"type": "http", "method": "POST", "path": "/x", "headers": headers, "client": ("127.0.0.1", 1)}
        await dispatcher({**scope, "scheme": "http"}, receive, send)
        return int(sent[0]["status"])

    async def run() -> int:
        dispatcher = Dispatcher(mcp=_nothing)
        sending = [
            asyncio.create_task(status(dispatcher, pretended=f"198.51.100.{number}", receive=stuck))
            for number in range(2)
        ]
        await asyncio.sleep(0)
        answered = await asyncio.wait_for(status(dispatcher, pretended="198.51.100.9", receive=_leaving()), 5)
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)
        return answered

    assert awaited(run()) == 429


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """Stand in for the MCP endpoint, which is not asked."""


def _leaving() -> Receive:
    """Send the beginning of a body, and leave."""
    messages: list[Message] = [{"type": "http.request", "body": b"x", "more_body": True}, {"type": "http.disconnect"}]
    left = iter(messages)

    async def receive() -> Message:
        return next(left)

    return receive


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("not:an:address", "not:an:address"),
        ("", ""),
    ],
)
def test_a_network_of_one_client_counts_as_one_address(address: str, network: str) -> None:
    assert client_network(address) == network
