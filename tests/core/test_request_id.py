"""The id of a request or task: in the answer, and on every line of the log that belongs to it."""

from __future__ import annotations

import asyncio
import io
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import httpx
import pytest

from config.dispatcher import Dispatcher
from config.log_redaction import LineFormatter
from core.clock import utc_now
from core.embedding import query_embedding
from core.log_context import label_task
from core.stores import queued_tasks, worker
from core.stores.queued_tasks import Delivery, QueuedTask
from tests.awaiting import awaited
from tests.cast import Cast
from tests.web_process import web_process

log = logging.getLogger("tests.request_id")

PATHS = ["/a-page", "/w/acme/chat", "/mcp"]


def wsgi(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """An application that logs before, while and after it streams."""
    log.warning("began %s", environ["PATH_INFO"])
    start_response("200 OK", [("Content-Type", "text/plain")])
    yield b"a"
    log.warning("streamed %s", environ["PATH_INFO"])
    yield b"b"


async def mcp(scope: Any, receive: Any, send: Any) -> None:
    log.warning("began %s", scope["path"])
    await asyncio.to_thread(log.warning, "streamed %s", scope["path"])
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ab"})


@pytest.fixture
def lines() -> Iterator[list[str]]:
    """The lines of the log, as the server writes them."""
    written: list[str] = []

    class Lines(logging.StreamHandler[io.StringIO]):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(self.format(record))

    handler = Lines(io.StringIO())
    handler.setFormatter(LineFormatter("%(levelname)s %(name)s %(message)s"))
    logging.getLogger().addHandler(handler)
    yield written
    logging.getLogger().removeHandler(handler)


def asked(*requests: tuple[str, str, dict[str, str]]) -> list[httpx.Response]:
    """The answers of one dispatcher to requests that are under way at the same time."""

    async def ask() -> list[httpx.Response]:
        with patch("config.dispatcher.django", wsgi):
            transport = httpx.ASGITransport(app=Dispatcher(mcp=mcp))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await asyncio.gather(
                *(client.request(method, path, headers=headers) for method, path, headers in requests)
            )

    return awaited(ask())


@pytest.mark.parametrize("path", [*PATHS, "/healthz"])
def test_every_answer_has_a_new_id_where_none_is_given(path: str) -> None:
    one, other = asked(("GET", path, {}), ("GET", path, {}))

    assert UUID(one.headers["x-request-id"]) != UUID(other.headers["x-request-id"])


@pytest.mark.parametrize("path", [*PATHS, "/healthz"])
@pytest.mark.parametrize("given", ["a", "Trace-7.b_9", "x" * 64])
def test_the_id_of_a_client_is_kept(path: str, given: str) -> None:
    (answer,) = asked(("GET", path, {"X-Request-ID": given}))

    assert answer.headers.get_list("x-request-id") == [given]


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a,b", "ä", 'a"b', "../a", "a;b=c", "a\tb"])
def test_an_id_that_could_forge_a_line_is_replaced(given: str) -> None:
    (answer,) = asked(("GET", "/a-page", {"X-Request-ID": given.encode()}))  # type: ignore[dict-item]  # bytes as sent

    assert UUID(answer.headers["x-request-id"])


def test_refusals_of_the_dispatcher_have_the_id() -> None:
    (refused,) = asked(("POST", "/v1/workspaces", {"X-Request-ID": "mine", "Content-Length": "99999999"}))

    assert (refused.status_code, refused.headers["x-request-id"]) == (413, "mine")


@pytest.mark.parametrize("path", PATHS)
def test_every_line_of_a_call_has_its_id(path: str, lines: list[str]) -> None:
    ids = [f"call-{number}" for number in range(8)]
    asked(*[("GET", path, {"X-Request-ID": one}) for one in ids])

    found = [line.rpartition("request_id=")[2] for line in lines if f" {path}" in line]
    assert sorted(found) == sorted([*ids, *ids])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_web_process_names_the_request_in_its_log(cast: Cast, tmp_path: Path) -> None:
    log_file = tmp_path / "web.log"
    headers = {"Authorization": f"Bearer {cast.acme.secret}", "X-Request-ID": "seen-by-the-client"}
    with log_file.open("wb") as written, web_process(log=written, REDIS_URL="redis://127.0.0.1:1/0") as port:
        address = f"http://127.0.0.1:{port}/v1/workspaces/{cast.acme.workspace.id}/memories"
        answer = httpx.get(address, headers=headers, timeout=30)

    assert (answer.status_code, answer.headers["x-request-id"]) == (200, "seen-by-the-client")
    (line,) = [line for line in log_file.read_text().splitlines() if "rate_unlimited" in line]
    assert line.endswith(" request_id=seen-by-the-client")


def test_lines_outside_of_calls_have_none(lines: list[str]) -> None:
    asked(("GET", "/a-page", {}))
    log.warning("afterwards")

    assert lines[-1] == "WARNING tests.request_id afterwards"


def test_the_id_ends_the_line_and_the_trace_follows(lines: list[str]) -> None:
    try:
        raise ValueError("secret")
    except ValueError as error:
        with label_task("t1"):
            log.error("went_wrong here", exc_info=error)

    first, *trace = lines[-1].splitlines()
    assert first == "ERROR tests.request_id went_wrong here task_id=t1"
    assert trace[-1] == "ValueError"


def test_the_thread_that_makes_a_vector_writes_for_its_request(lines: list[str]) -> None:
    with (
        label_task("of-the-caller"),
        patch.object(query_embedding, "query_vector", side_effect=lambda *_, **__: log.warning("embedding")),
    ):
        query_embedding.begin_query_vector("tea", partition=uuid4()).result(timeout=10)

    assert lines[-1].endswith("embedding task_id=of-the-caller")


def test_lines_of_a_task_have_its_id(lines: list[str]) -> None:
    task = QueuedTask(id="0f3a", path="a.task", args=())
    delivery = Delivery(1, utc_now(), task)
    with (
        patch.object(queued_tasks, "begin", return_value=delivery),
        patch.object(queued_tasks, "finish"),
        patch.object(worker, "listed_tasks", return_value={"a.task": lambda: log.warning("at work")}),
    ):
        worker.run_delivery(delivery)
    log.warning("afterwards")

    assert [re.sub(r"^\S+ \S+ ", "", line) for line in lines[-2:]] == ["at work task_id=0f3a", "afterwards"]
