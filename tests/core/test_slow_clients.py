"""Clients that send or read slowly, or too many at once: the others are answered all the same."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection

import httpx
import pytest
from django.db import connection, transaction

from tests.awaiting import comes_true
from tests.cast import Cast, Household
from tests.web_process import web_process

HALF_SENT = 50
DEADLINE = 4  # seconds
MAX_UNFINISHED = 55
MAX_CONCURRENT = 20
SHARE = MAX_CONCURRENT // 2  # of one workspace
MEBIBYTE = 1_048_576

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@dataclass(frozen=True)
class Web:
    """A running web process, and a caller of it."""

    port: int
    household: Household

    @property
    def rest(self) -> httpx.Client:
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}/v1/workspaces/{self.household.workspace.id}/",
            headers={"Authorization": f"Bearer {self.household.secret}"},
            timeout=10,
        )

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def is_alive_at_once(self) -> bool:
        """Whether the quickest of three probes takes less than a second; the machine may be busy with other things."""
        return any(self._seconds_to_probe() < 1 for _ in range(3))

    def _seconds_to_probe(self) -> float:
        started = time.monotonic()
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=5)) as probing:
            probing.request("GET", "/healthz")
            assert json.loads(probing.getresponse().read()) == {"status": "ok"}
        return time.monotonic() - started

    def path(self, route: str) -> str:
        return f"/v1/workspaces/{self.household.workspace.id}/{route}"

    def head(self, route: str, *headers: str) -> bytes:
        lines = [f"POST {route} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {self.household.secret}"]
        return "\r\n".join([*lines, "Content-Type: application/json", *headers, "", ""]).encode()


@pytest.fixture(scope="module")
def port(django_db_setup: None) -> Iterator[int]:
    """One process for all: it takes seconds to start."""
    with web_process(
        BODY_TIMEOUT_SECONDS=str(DEADLINE),
        MAX_UNFINISHED_BODIES_PER_ADDRESS=str(MAX_UNFINISHED),
        MAX_CONCURRENT_REQUESTS=str(MAX_CONCURRENT),
    ) as port:
        yield port


@pytest.fixture
def web(port: int, cast: Cast) -> Web:
    web = Web(port, cast.acme)
    with web.rest as rest:  # the first call waits for what the process still loads
        rest.get("memories", timeout=120).raise_for_status()
    return web


def answer_on(connected: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body that the server sends before it closes the connection."""
    received = b""
    while piece := connected.recv(65_536):
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split()[1]), dict(line.lower().split(": ", 1) for line in lines), body


@pytest.mark.parametrize("route", ["/oauth/token", "/v1/workspaces/x/chat", "/mcp"])
def test_half_sent_bodies_hold_up_nobody_and_end_with_408(web: Web, route: str) -> None:
    with ExitStack() as stack:
        half_sent = [stack.enter_context(closing(web.connected())) for _ in range(HALF_SENT)]
        for number, one in enumerate(half_sent):
            one.sendall(web.head(route, "Content-Length: 1000") + b"{" * (1 + number % 2))
        time.sleep(0.5)

        assert web.is_alive_at_once()
        with web.rest as rest:
            assert rest.get("memories").status_code == 200
            assert rest.post("memories", json={"content": "Bodies arrive whole."}).status_code == 201
        for one in half_sent:
            status, headers, body = answer_on(one)
            assert (status, headers["content-type"]) == (408, "application/problem+json")
            assert json.loads(body)["code"] == "body_timeout"


def test_bodies_in_chunks_without_an_end_hold_up_nobody(web: Web) -> None:
    with ExitStack() as stack:
        routes = (web.path("memories"), web.path("chat"), "/mcp")
        endless = [stack.enter_context(closing(web.connected())) for _ in range(30)]
        for number, one in enumerate(endless):
            one.sendall(web.head(routes[number % 3], "Transfer-Encoding: chunked") + b"1\r\n{\r\n")
        time.sleep(0.5)

        assert web.is_alive_at_once()
        with web.rest as rest:
            assert rest.get("memories").status_code == 200
        assert {answer_on(one)[0] for one in endless} == {408, 411}


def test_one_address_cannot_keep_more_bodies_unfinished_than_its_share(web: Web) -> None:
    with ExitStack() as stack:
        for _ in range(MAX_UNFINISHED):
            stack.enter_context(closing(web.connected())).sendall(web.head("/oauth/token", "Content-Length: 9") + b"x")
        time.sleep(0.5)
        with web.rest as rest:
            refused = rest.post("memories", json={"content": "One too many."})
            assert (refused.status_code, refused.json()["code"]) == (429, "too_many_unfinished_bodies")
            assert int(refused.headers["Retry-After"]) >= 1
            assert rest.get("memories").status_code == 200

            time.sleep(DEADLINE + 1)
            assert rest.post("memories", json={"content": "There is room again."}).status_code == 201


def test_a_slow_but_steady_upload_is_taken(web: Web) -> None:
    """It takes more than twice the deadline, which moves with what arrives."""
    lines = json.dumps({"type": "note", "name": "n" * 60, "properties": {"text": "t" * 800}})
    body = "\n".join([lines] * 700).encode()
    with closing(web.connected()) as uploading:
        head = web.head(web.path("ontology/nodes/bulk"), f"Content-Length: {len(body)}", "Connection: close")
        uploading.sendall(head)
        step = len(body) // 20 + 1
        for start in range(0, len(body), step):
            uploading.sendall(body[start : start + step])
            time.sleep(DEADLINE / 9)

        status, _, answered = answer_on(uploading)

    assert status == 200, answered
    assert len(json.loads(answered)["results"]) == 700


def test_a_trickle_is_not_progress(web: Web) -> None:
    with closing(web.connected()) as trickling:
        trickling.sendall(web.head(web.path("memories"), f"Content-Length: {MEBIBYTE}"))
        started = time.monotonic()
        trickling.settimeout(0.2)
        answered = b""
        while not answered and time.monotonic() - started < 3 * DEADLINE:
            trickling.sendall(b" " * 100)
            try:
                answered = trickling.recv(65_536)
            except TimeoutError:
                continue

    assert answered.startswith(b"HTTP/1.1 408")
    assert DEADLINE - 1 < time.monotonic() - started < DEADLINE + 3


def test_clients_that_leave_with_half_a_body_cost_nothing_further(web: Web) -> None:
    for _ in range(2 * MAX_UNFINISHED):
        with closing(web.connected()) as leaving:
            leaving.sendall(web.head("/oauth/token", "Content-Length: 1000") + b"x")
            time.sleep(0.02)
    time.sleep(0.5)
    with web.rest as rest:
        assert rest.post("memories", json={"content": "There is room."}).status_code == 201


def test_a_body_over_the_limit_of_its_route_is_refused_before_it_is_sent(web: Web) -> None:
    for route, size, expected in (
        ("memories", 2 * MEBIBYTE, 413),
        ("chat", 2 * MEBIBYTE, 413),
        ("ontology/nodes/bulk", 17 * MEBIBYTE, 413),
        ("ontology/nodes/bulk", 2 * MEBIBYTE, 408),
    ):
        with closing(web.connected()) as sending:
            sending.sendall(web.head(web.path(route), f"Content-Length: {size}"))
            status, _, body = answer_on(sending)
        assert status == expected, route
        assert json.loads(body)["code"] == ("body_too_large" if expected == 413 else "body_timeout")


def test_too_many_at_once_are_refused_and_not_queued(web: Web) -> None:
    with ThreadPoolExecutor(40) as clients:

        def read(_: int) -> httpx.Response:
            with web.rest as rest:
                return rest.get("memories", timeout=60)

        with locked("app.memories"):
            reading = [clients.submit(read, number) for number in range(40)]
            assert comes_true(lambda: sum(one.done() for one in reading) == 40 - SHARE, seconds=15)
            assert web.is_alive_at_once()
            refused = [one.result() for one in reading if one.done()]
            for answer in refused:
                assert (answer.status_code, answer.json()["code"]) == (429, "too_many_at_once")
                assert answer.headers["Content-Type"] == "application/problem+json"
                assert int(answer.headers["Retry-After"]) >= 1
        answered = [one.result() for one in reading]

    assert sorted(answer.status_code for answer in answered) == [200] * SHARE + [429] * (40 - SHARE)


def test_a_workspace_that_takes_its_share_leaves_threads_and_places_to_others(web: Web, cast: Cast) -> None:
    umbrella = Web(web.port, cast.umbrella)
    with umbrella.rest as rest:
        rest.get("settings").raise_for_status()
    with ThreadPoolExecutor(14) as clients:

        def read(_: int) -> int:
            with web.rest as rest:
                return rest.get("memories", timeout=60).status_code

        with locked("app.memories"):
            reading = [clients.submit(read, number) for number in range(14)]
            time.sleep(1)
            with umbrella.rest as rest:
                assert rest.get("settings", timeout=4).status_code == 200
        assert sorted(one.result() for one in reading) == [200] * SHARE + [429] * (14 - SHARE)


def test_a_locked_table_does_not_make_the_process_look_dead(web: Web) -> None:
    with ThreadPoolExecutor(14) as clients:

        def read(_: int) -> int:
            with web.rest as rest:
                return rest.get("memories", timeout=60).status_code

        with locked("app.memories"):
            reading = [clients.submit(read, number) for number in range(SHARE)]
            time.sleep(1)
            assert web.is_alive_at_once()
        assert [one.result() for one in reading] == [200] * SHARE


def test_clients_that_do_not_read_their_answer_hold_no_thread(web: Web) -> None:
    """A file that is larger than what the kernel takes, asked for without a key."""
    with ExitStack() as stack:
        for _ in range(30):
            silent = stack.enter_context(closing(socket.socket()))
            silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            silent.connect(("127.0.0.1", web.port))
            silent.sendall(b"GET /static/unfold/css/styles.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8)
        with web.rest as rest:  # more than MAX_CONCURRENT come at once
            assert comes_true(lambda: rest.get("memories").is_success, seconds=20)
        assert web.is_alive_at_once()


@contextmanager
def locked(table: str) -> Iterator[None]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK {table} IN ACCESS EXCLUSIVE MODE")
        yield
