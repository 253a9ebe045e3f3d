"""One holder never has more than half of the database connections, however many of its requests run."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from django.db import OperationalError, connection

from core.db.connection_shares import Borrower, ConnectionShares, ShareTimeoutError, borrowing
from core.db.locks import try_lock
from core.errors import OverloadedError
from core.http.problems import as_product_error
from tests.cast import Cast, found_household
from tests.core.test_slow_clients import Web, locked
from tests.serving import as_serving_role, close_pool
from tests.web_process import web_process
from transfer.exports.services import EXPORT_LOCK
from workspaces.access.scope import workspace_scope


def has_room(shares: ConnectionShares, borrower: Borrower) -> bool:
    try:
        shares.take(borrower, timeout=0)
    except ShareTimeoutError:
        return False
    return True


@pytest.mark.parametrize(("size", "of_holder", "slow", "slow_of_holder"), [(12, 6, 6, 3), (2, 1, 1, 1), (1, 1, 1, 1)])
def test_a_holder_has_half_and_slow_calls_leave_half(size: int, of_holder: int, slow: int, slow_of_holder: int) -> None:
    shares = ConnectionShares(size)
    a = Borrower("a")
    slow_calls = [Borrower(holder, is_slow=True) for holder in ("a", "b", "c")]

    assert [has_room(shares, slow_calls[0]) for _ in range(slow_of_holder + 1)] == [True] * slow_of_holder + [False]
    taken = sum(has_room(shares, each) for each in slow_calls[1:] for _ in range(size))
    assert slow_of_holder + taken == slow, "Slow calls of all holders have half."
    assert [has_room(shares, a) for _ in range(of_holder)].count(True) == of_holder - slow_of_holder
    shares.give_back(slow_calls[0])
    assert has_room(shares, a)
    assert not has_room(shares, a)
    assert has_room(shares, Borrower("d")), "Another holder finds one all the same."


@pytest.mark.django_db(transaction=True)
def test_a_connection_counts_until_it_is_given_back() -> None:
    pool = {"min_size": 1, "max_size": 2, "timeout": 0.3}

    def ask(holder: str) -> bool:
        with as_serving_role(pool=pool), borrowing(Borrower(holder)), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return True

    try:
        with ThreadPoolExecutor(1) as other, as_serving_role(pool=pool), borrowing(Borrower("a")):
            connection.ensure_connection()
            with pytest.raises(OperationalError) as refused:
                other.submit(ask, "a").result()
            assert isinstance(as_product_error(refused.value), OverloadedError)
            assert other.submit(ask, "b").result()
            connection.close()
            assert other.submit(ask, "a").result()
    finally:
        close_pool(pool)


@pytest.fixture(scope="module")
def port(django_db_setup: None) -> Iterator[int]:
    with web_process(WEB_LOCK_SECONDS="20") as port:
        yield port


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_sixteen_exports_of_one_workspace_leave_connections_to_others(port: int, cast: Cast) -> None:
    """They wait for a lock, as a large one would for its rows."""
    acme, umbrella = Web(port, cast.acme), Web(port, cast.umbrella)
    for web in (acme, umbrella):
        with web.rest as rest:
            rest.get("settings", timeout=120).raise_for_status()

    def export(_: int) -> httpx.Response:
        with acme.rest as rest:
            return rest.get("export", timeout=60)

    with ThreadPoolExecutor(16) as clients:
        with locked("app.memories"), umbrella.rest as rest:
            exporting = [clients.submit(export, number) for number in range(16)]
            time.sleep(1)
            began = time.monotonic()
            assert rest.get("settings", timeout=10).status_code == 200
            assert time.monotonic() - began < 1
        answers = [each.result() for each in exporting]

    assert {answer.status_code for answer in answers} == {200, 409}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"export_running"}


def waiting_for_locks() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return int(cursor.fetchone()[0])


NODES = "\n".join(json.dumps({"type": "thing", "name": f"Crate {number}"}) for number in range(50))
CALLS = [
    ("ontology/nodes/bulk", {"content": NODES, "headers": {"Content-Type": "application/x-ndjson"}}),
    ("ontology/nodes", {"json": {"type": "thing", "name": "Crate"}}),
]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("call", CALLS, ids=["many lines", "one"])
def test_two_workspaces_leave_threads_and_connections_to_others(port: int, cast: Cast, call: Any) -> None:
    """One workspace is easily two holders: sessions and keys that are used for the first time count by network."""
    path, body = call
    busy = [Web(port, cast.acme), Web(port, cast.umbrella)]
    other = Web(port, found_household(cast.charlie, "Lighthouse"))
    for web in (*busy, other):
        with web.rest as rest:
            rest.get("settings", timeout=120).raise_for_status()

    def write(number: int) -> httpx.Response:
        with busy[number % 2].rest as rest:
            return rest.post(path, timeout=60, **body)

    with ThreadPoolExecutor(24) as clients:
        with locked("ontology.nodes"), other.rest as rest:
            writing = [clients.submit(write, number) for number in range(24)]
            deadline = time.monotonic() + 5
            while waiting_for_locks() < 12 and time.monotonic() < deadline:
                time.sleep(0.05)
            began = time.monotonic()
            assert rest.get("settings", timeout=10).status_code == 200
            assert time.monotonic() - began < 1
        answers = [each.result() for each in writing]

    assert {answer.status_code for answer in answers} <= {200, 201, 503}


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_request_names_one_credential(port: int, cast: Cast) -> None:
    with Web(port, cast.acme).rest as rest:
        given = rest.headers["Authorization"]
        for path in (str(rest.base_url.join("settings")), f"http://127.0.0.1:{port}/mcp"):
            twice = [("Authorization", "Bearer x"), ("Authorization", given)]
            answer = httpx.post(path, headers=twice, json={}, timeout=60)
            assert (answer.status_code, answer.json()["code"]) == (400, "repeated_credential")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_workspace_is_exported_once_at_a_time(port: int, cast: Cast) -> None:
    with Web(port, cast.acme).rest as acme, Web(port, cast.umbrella).rest as umbrella:
        with workspace_scope(cast.acme.caller):
            assert try_lock(EXPORT_LOCK, cast.acme.workspace.id)
            refused = acme.get("export", timeout=60)
            assert (refused.status_code, refused.json()["code"]) == (409, "export_running")
            assert umbrella.get("export", timeout=60).status_code == 200
        assert acme.get("export", timeout=60).status_code == 200


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_mcp_calls_of_one_workspace_leave_threads_to_others(port: int, cast: Cast) -> None:
    """More than the SDK has threads, each waiting for a lock."""
    acme, umbrella = Web(port, cast.acme), Web(port, cast.umbrella)
    with ThreadPoolExecutor(45) as clients:
        for web in (acme, umbrella):
            assert call_tool(web, "workspace_memory_status").status_code == 200
        with locked("app.memories"):
            calling = [clients.submit(call_tool, acme, "memory_list") for _ in range(45)]
            time.sleep(1.5)
            began = time.monotonic()
            assert "result" in call_tool(umbrella, "workspace_memory_status").json()
            assert time.monotonic() - began < 2
        assert all(each.result().status_code == 200 for each in calling)


def call_tool(web: Web, name: str) -> httpx.Response:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {}}}
    with web.rest as rest:
        return rest.post(
            f"http://127.0.0.1:{web.port}/mcp",
            json=call,
            headers={"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"},
            timeout=60,
        )
