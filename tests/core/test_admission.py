"""One client or workspace has at most half of what runs at the same time, so that another is served."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest

from config import dispatcher
from config.thread_admission import BODY, DONE, ThreadGroup, release_when_answered
from core.clock import utc_now
from core.errors import OverloadedError
from core.http.admission import Admission, TooManyAtOnceError
from tests.awaiting import awaited
from tests.cast import Cast
from workspaces.access.client_address import caller_address, client_network
from workspaces.access.credential_cache import remember_credential
from workspaces.access.scope import workspace_scope
from workspaces.models import ApiKey


def test_one_holder_gets_half_and_another_is_served() -> None:
    admission = Admission(4)
    for _ in range(2):
        admission.admit("a")

    with pytest.raises(TooManyAtOnceError) as refused:
        admission.admit("a")
    assert refused.value.retry_after >= 1
    admission.admit("b")
    admission.release("a")
    admission.admit("a")
    admission.admit("b")
    with pytest.raises(OverloadedError):
        admission.admit("c")


def test_the_only_place_may_be_taken() -> None:
    admission = Admission(1)

    for _ in range(2):
        with admission.hold_place("a"), pytest.raises(OverloadedError):
            admission.admit("b")


def test_more_requests_of_a_holder_wait_for_a_thread_and_those_of_another_do_not() -> None:
    async def run() -> None:
        group = ThreadGroup(max_requests=8, threads=4)
        scopes: list[dict[str, Any]] = [{} for _ in range(4)]
        entering = [asyncio.create_task(group.enter(scope, "a")) for scope in scopes]
        await asyncio.sleep(0)
        assert [DONE in scope for scope in scopes] == [True, True, False, False]

        with pytest.raises(TooManyAtOnceError):
            await group.enter({}, "a")
        await asyncio.wait_for(group.enter({}, "b"), 5)

        scopes[0][DONE]()
        await asyncio.wait_for(entering[2], 5)
        assert not entering[3].done()
        entering[3].cancel()
        await asyncio.gather(entering[3], return_exceptions=True)
        scopes[1][DONE]()
        await asyncio.wait_for(group.enter({}, "a"), 5)

    awaited(run())


def test_two_holders_leave_a_quarter_of_the_threads_to_others() -> None:
    async def run() -> None:
        group = ThreadGroup(max_requests=100, threads=12)
        scopes: dict[str, list[dict[str, Any]]] = {holder: [{} for _ in range(20)] for holder in ("a", "b")}
        entering = [asyncio.create_task(group.enter(each, holder)) for holder in scopes for each in scopes[holder]]
        await asyncio.sleep(0)
        assert {holder: sum(DONE in each for each in scopes[holder]) for holder in scopes} == {"a": 6, "b": 3}

        for holder in ("c", "d", "e"):
            await asyncio.wait_for(group.enter({}, holder), 5)
        assert sum(DONE in each for holder in scopes for each in scopes[holder]) == 9
        for task in entering:
            task.cancel()
        await asyncio.gather(*entering, return_exceptions=True)

    awaited(run())


def test_a_turn_that_is_given_to_one_who_leaves_is_not_lost() -> None:
    async def run() -> None:
        group = ThreadGroup(max_requests=8, threads=2)
        first: dict[str, Any] = {}
        await group.enter(first, "a")
        waiting = asyncio.create_task(group.enter({}, "a"))
        await asyncio.sleep(0)

        first[DONE]()
        await asyncio.sleep(0)  # the turn is given, and its task has not run yet
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)

        await asyncio.wait_for(group.enter({}, "a"), 5)

    awaited(run())


def test_a_request_ends_its_turn_when_its_answer_is_made() -> None:
    ended: list[bytes] = []
    scope = {BODY: BytesIO(), DONE: lambda: ended.append(b"")}

    def application(environ: Any, start_response: Any) -> Iterator[bytes]:
        yield from (b"1", b"2")

    pieces = release_when_answered(application)({"asgi.scope": scope}, None)

    assert (next(pieces), ended) == (b"1", [])
    assert (list(pieces), ended) == ([b"2"], [b""])


def test_requests_count_for_the_workspace_of_a_valid_key_and_else_for_the_network() -> None:
    secrets, workspace = [f"oxa_live_{uuid4().hex}" for _ in range(3)], uuid4()
    for secret in secrets[:2]:
        remember_credential(secret, workspace)

    def holder(secret: str | None, peer: str) -> str:
        headers = [] if secret is None else [(b"authorization", f"Bearer {secret}".encode())]
        return dispatcher._holder({"headers": headers, "client": (peer, 1)})

    assert holder(secrets[0], "192.0.2.1") == holder(secrets[1], "192.0.2.2"), "Keys of one workspace share."
    invented = [holder(secrets[2], "2001:db8::1"), holder("x", "2001:db8::2"), holder(None, "2001:db8::3")]
    assert set(invented) == {"network 2001:db8::/64"}, "An invented key is no holder of its own."


@pytest.mark.django_db
def test_a_key_that_is_refused_counts_for_its_workspace_no_more(cast: Cast) -> None:
    acme = cast.acme.rest()

    def holder() -> str:
        headers = [(b"authorization", f"Bearer {acme.secret}".encode())]
        return dispatcher._holder({"headers": headers, "client": ("192.0.2.1", 1)})

    assert acme.get("memories").status_code == 200
    assert holder() == f"workspace {acme.workspace_id}"
    with workspace_scope(cast.acme.caller):
        ApiKey.objects.update(revoked_at=utc_now())

    assert acme.get("memories").status_code == 401
    assert holder() == "network 192.0.2.1"


@pytest.mark.parametrize(
    "forwarded",
    ["203.0.113.9", "203.0.113.9:55", "::ffff:203.0.113.9", "[::ffff:203.0.113.9]:5", "198.51.100.1, 203.0.113.9"],
)
def test_an_address_is_one_client_however_a_proxy_writes_it(settings: Any, forwarded: str) -> None:
    settings.TRUST_PROXY = True

    assert caller_address(peer="127.0.0.1", forwarded=forwarded) == "203.0.113.9"


@pytest.mark.parametrize("forwarded", ["junk", "unknown", "[", "1.2.3", "x" * 100, "203.0.113.9, ", ""])
def test_what_is_not_an_address_is_the_proxys(settings: Any, forwarded: str) -> None:
    settings.TRUST_PROXY = True

    assert caller_address(peer="127.0.0.1", forwarded=forwarded) == "127.0.0.1"


def test_an_ipv6_client_is_its_network(settings: Any) -> None:
    settings.TRUST_PROXY = True
    written = ["2001:db8::1", "[2001:db8::1]:5", "2001:DB8:0:0::2", "2001:db8::3%eth0"]

    addresses = [caller_address(peer="::1", forwarded=each) for each in written]

    assert addresses[:2] == ["2001:db8::1"] * 2
    assert {client_network(each) for each in addresses} == {"2001:db8::/64"}
