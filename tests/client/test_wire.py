"""What both clients send, when they ask again, and what they make of answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.client.wiring import IMPATIENT, URL, Script
from workspace_memory import (
    ApiError,
    ConflictError,
    ForbiddenError,
    InvalidError,
    Memory,
    NoAnswerError,
    NotFoundError,
    RateLimitedError,
    Retries,
    ServerError,
    TooLargeError,
    UnauthenticatedError,
    UnexpectedAnswerError,
    WorkspaceMemoryError,
    WorkspaceNotNamedError,
)
from workspace_memory.wire import quoted

RUN = {"id": "r", "agent": "a", "conversation": None, "status": "running"}
RUN |= {"started_at": "2026-01-01T00:00:00Z", "finished_at": None}


def told(status: int, **more: object) -> httpx.Response:
    return httpx.Response(status, json={"title": "No.", "detail": "Because.", "code": "why", "status": status, **more})


def memory(script: Script, **options: object) -> Memory:
    return Memory(URL, "oxa_live_x", "ws-1", http=script, **{"retries": IMPATIENT, **options})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "failure",
    [
        *(told(429), told(500), told(503), told(409, code="idempotency_in_progress")),
        *(httpx.ConnectError("no"), httpx.ReadTimeout("no"), httpx.DecodingError("no")),
    ],
)
def test_what_may_go_better_next_time_is_asked_again_as_the_same_request(failure: httpx.Response | Exception) -> None:
    script = Script(failure, httpx.Response(201, json=RUN))

    assert memory(script).runs.start("clerk").id == "r"

    keys = {request.headers["Idempotency-Key"] for request in script.asked}
    assert (len(script.asked), len(keys)) == (2, 1)


def test_two_calls_have_two_idempotency_keys_and_reading_has_none() -> None:
    script = Script(*[httpx.Response(200, json=RUN) for _ in range(3)])
    client = memory(script)
    client.runs.start("clerk")
    client.runs.start("clerk")
    client.runs.get("r")

    first, second, reading = script.asked
    assert first.headers["Idempotency-Key"] != second.headers["Idempotency-Key"]
    assert "Idempotency-Key" not in reading.headers


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, ApiError),
        (401, UnauthenticatedError),
        (403, ForbiddenError),
        (404, NotFoundError),
        (409, ConflictError),
        (413, TooLargeError),
        (422, InvalidError),
    ],
)
def test_a_refusal_is_raised_at_once_with_what_the_server_said(status: int, kind: type[ApiError]) -> None:
    script = Script(told(status, errors=[{"field": "agent", "code": "blank", "detail": "Say something."}]))

    with pytest.raises(kind) as caught:
        memory(script).runs.start("")

    error = caught.value
    assert (error.status, error.code, error.detail, str(error)) == (status, "why", "Because.", "Because. [why]")
    assert [(one.field, one.code) for one in error.problems] == [("agent", "blank")]
    assert len(script.asked) == 1


@pytest.mark.parametrize(("status", "kind"), [(429, RateLimitedError), (502, ServerError)])
def test_after_the_last_retry_the_refusal_is_raised(status: int, kind: type[ApiError]) -> None:
    script = Script(*[told(status) for _ in range(3)])

    with pytest.raises(kind):
        memory(script).runs.get("r")

    assert len(script.asked) == 3


@pytest.mark.parametrize("lost", [httpx.ReadTimeout("no"), told(502)])
def test_what_a_lost_deletion_deleted_is_deleted(lost: httpx.Response | Exception) -> None:
    memory(Script(lost, told(404))).session("chat-1").delete()


@pytest.mark.parametrize("first", [(), (told(429),)])
def test_what_was_never_there_cannot_be_deleted(first: tuple[httpx.Response, ...]) -> None:
    with pytest.raises(NotFoundError):
        memory(Script(*first, told(404))).session("chat-1").delete()


def test_an_export_is_written_over_a_file_and_nothing_else(tmp_path: Path) -> None:
    device, script = tmp_path / "device", Script()
    os.mkfifo(device)

    with pytest.raises(FileExistsError, match="Only a file is written over"):
        memory(script).transfers.export(device)

    assert device.is_fifo()
    assert script.asked == []


def test_without_an_answer_the_error_names_the_server_and_never_the_key() -> None:
    with pytest.raises(NoAnswerError, match=r"127\.0\.0\.1 does not answer") as caught:
        memory(Script(*[httpx.ConnectError("refused") for _ in range(3)])).runs.get("r")

    assert "oxa_live" not in repr(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, text="<html>"),
        httpx.Response(302, headers={"Location": "/"}),
        httpx.Response(200, json={"id": 5}),
        httpx.Response(200, json=[]),
    ],
)
def test_an_answer_of_something_else_is_told_apart(answer: httpx.Response) -> None:
    with pytest.raises(UnexpectedAnswerError):
        memory(Script(answer)).runs.get("r")


@pytest.mark.parametrize("answer", [{}, [], None, 5, {"results": 5}, {"results": [{}]}])
@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.search("tea"),
        lambda client: client.conversations.search("tea"),
        lambda client: client.session("s").history.last(),
        lambda client: client.session("s").history.extend([]),
        lambda client: client.settings.enable_memory(),
        lambda client: client.readiness(),
        lambda client: client.workspace(),
        lambda client: client.transfers.import_items([]),
    ],
)
def test_no_answer_is_taken_for_what_it_is_not(ask: Callable[[Memory], Any], answer: Any) -> None:
    with pytest.raises(UnexpectedAnswerError):
        ask(memory(Script(httpx.Response(200, json=answer))))


@pytest.mark.parametrize("errors", [5, {}, [5], None])
def test_a_refusal_with_problems_of_another_shape_is_a_refusal(errors: Any) -> None:
    with pytest.raises(InvalidError, match="Because"):
        memory(Script(told(422, errors=errors))).runs.get("r")


def test_pauses_double_up_to_a_limit_and_obey_the_server() -> None:
    retries = Retries(most=9, first_pause=1, longest_pause=4)
    lost, busy = NoAnswerError("lost"), httpx.Response(429, headers={"Retry-After": "7"})

    assert [retries.pause(asked=n, outcome=lost, jitter=1) for n in (1, 2, 3, 4)] == [1, 2, 4, 4]
    assert retries.pause(asked=1, outcome=lost, jitter=0) == 0.5
    assert retries.pause(asked=1, outcome=busy, jitter=1) == 7
    assert retries.pause(asked=10, outcome=lost, jitter=1) is None
    assert retries.pause(asked=1, outcome=httpx.Response(409), jitter=1) is None


@pytest.mark.parametrize(
    ("url", "key", "named"),
    [("", "k", "WSM_URL"), ("workspace.test", "k", "http://"), (URL, "", "WSM_KEY"), (URL, "k\n", "WSM_KEY")]
    + [(url, "k", "WSM_URL") for url in ("http://[::1", "http://x:port", "http://☃.test", "http://me:secret@x")],
)
def test_an_address_or_key_that_cannot_be_is_refused_before_anything_is_sent(url: str, key: str, named: str) -> None:
    with pytest.raises(WorkspaceMemoryError, match=named):
        Memory(url, key)


def test_what_is_not_given_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"WSM_URL": URL, "WSM_KEY": "oxa_live_e", "WSM_WORKSPACE": "ws-7"}.items():
        monkeypatch.setenv(name, value)
    script = Script(httpx.Response(200, json=RUN))

    Memory(http=script).runs.get("r")

    assert str(script.asked[0].url) == f"{URL}/v1/workspaces/ws-7/runs/r"
    assert script.asked[0].headers["Authorization"] == "Bearer oxa_live_e"


def test_a_workspace_that_the_key_does_not_open_is_told() -> None:
    found = [{"id": "ws-2", "name": "Acme", "slug": "acme"}]
    with pytest.raises(WorkspaceNotNamedError, match="does not open the workspace ws-1"):
        memory(Script(httpx.Response(200, json={"results": found}))).workspace()


def test_a_name_that_is_no_text_is_refused() -> None:
    with pytest.raises(WorkspaceMemoryError, match="not text"):
        memory(Script()).session("\udcff")


@pytest.mark.parametrize("workspaces", [[], ["a", "b"]])
def test_a_workspace_is_guessed_only_where_there_is_one(workspaces: list[str]) -> None:
    found = [{"id": name, "name": name, "slug": name} for name in workspaces]
    with pytest.raises(WorkspaceNotNamedError, match=str(len(workspaces))):
        Memory(URL, "k", http=Script(httpx.Response(200, json={"results": found}))).runs.get("r")


def test_the_host_in_a_link_is_not_followed() -> None:
    pages = [{"results": [RUN], "next": "http://elsewhere.test/x?cursor=c%3D&limit=200"}, {"results": [RUN]}]
    script = Script(*[httpx.Response(200, json=page) for page in pages])

    assert len(list(memory(script).runs.list())) == 2

    assert str(script.asked[1].url) == f"{URL}/v1/workspaces/ws-1/runs?cursor=c%3D&limit=200"


@pytest.mark.parametrize("name", ["..", "a/../b", "a b?c#d", "ä/1"])
def test_no_name_leads_to_another_address(name: str) -> None:
    script = Script(httpx.Response(200, json=RUN))

    memory(script).runs.get(name)

    assert script.asked[0].url.raw_path.decode() == f"/v1/workspaces/ws-1/runs/{quoted(name)}"
    assert not {"/", "?", "#", "."} & set(quoted(name))
