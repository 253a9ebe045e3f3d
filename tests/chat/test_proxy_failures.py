"""The proxy when something goes wrong: in OpenAI's form, in our words, and with nothing lost in silence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from chat.proxy.services.proxied_turn import ProxyRequest, begin_turn
from chat.services.turns import ConversationDeletedError
from tests.cast import Answer, Cast, RestClient
from tests.chat.proxy_program import QUESTION, Program, openai_error, said_in, today
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, Reply, failing, model_server, saying
from transfer.erasure.services.space_erasure import erase_space
from workspaces.access.spaces import NamedSpaces

SECRET = "Your prompt 'open sesame' is not what we take."


@pytest.fixture
def server(cast: Cast) -> Iterator[ModelServer]:
    """Acme's model provider, running."""
    with model_server() as running:
        choose(cast.acme, running)
        yield running


@pytest.fixture
def program(cast: Cast, server: ModelServer) -> Program:
    """A program with the key of Acme's agent."""
    return Program(cast.acme.secret)


# What the provider does; the status, the code and the kind of the error that the program gets.
FAILURES = [
    (Reply(hangs_up_after=0), 502, "model_unreachable", "server_error"),
    (failing(500, SECRET), 502, "model_unreachable", "server_error"),
    (failing(401, SECRET), 502, "model_unreachable", "server_error"),
    (failing(302, SECRET), 502, "model_unreachable", "server_error"),
    (failing(400, SECRET), 400, "model_request_rejected", "invalid_request_error"),
    (failing(429, SECRET), 429, "model_busy", "rate_limit_error"),
    (Reply(raw=b"<html>open sesame</html>"), 502, "model_broken_answer", "server_error"),
    (Reply(raw=b'{"choices": 1}'), 502, "model_broken_answer", "server_error"),
]


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: f"{failure[0].status}-{failure[2]}")
def test_a_provider_that_fails_is_an_error_of_openais_form(
    acme: RestClient, program: Program, server: ModelServer, failure: tuple[Reply, int, str, str], stream: bool
) -> None:
    reply, *expected = failure
    server.will(reply)

    answer = program.asks(stream=stream)

    error = openai_error(answer)
    assert [answer.status_code, error["code"], error["type"]] == expected
    assert b"sesame" not in answer.content
    assert said_in(acme, today()) == [("user", QUESTION)]
    assert [run["status"] for run in acme.get("runs").json()["results"]] == ["failed"]


def test_what_failed_is_asked_again_and_stored_once(acme: RestClient, program: Program, server: ModelServer) -> None:
    server.will(failing(503), saying("On Tuesdays."))

    assert [program.asks().status_code for _ in range(2)] == [502, 200]

    assert said_in(acme, today()) == [("user", QUESTION), ("assistant", "On Tuesdays.")]


def test_a_stream_that_breaks_off_ends_in_an_error_and_not_as_if_it_were_over(
    acme: RestClient, program: Program, server: ModelServer
) -> None:
    server.will(Reply(hangs_up_after=2))

    _, events = program.streams()

    assert [event["choices"][0]["delta"]["content"] for event in events[:2]] == ["Tea ", "on "]
    assert events[2]["error"]["code"] == "model_cut_off"
    assert len(events) == 3
    assert said_in(acme, today()) == [("user", QUESTION)]


def test_an_error_in_a_stream_is_not_passed_on_in_the_providers_words(program: Program, server: ModelServer) -> None:
    chunk = {"id": "c", "choices": [{"index": 0, "delta": {"content": "Tea "}, "finish_reason": None}]}
    said = f"data: {json.dumps(chunk)}\n\ndata: {json.dumps({'error': {'message': SECRET}})}\n\n"
    server.will(Reply(raw=f": waiting\n\n{said}".encode(), headers=(("Content-Type", "text/event-stream"),)))

    _, events = program.streams()

    assert events[0]["choices"] == chunk["choices"]
    assert (events[1]["error"]["code"], len(events)) == ("model_cut_off", 2)


@pytest.mark.usefixtures("server")
def test_a_reader_who_leaves_ends_the_turn(cast: Cast, acme: RestClient) -> None:
    body = {"model": "default", "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
    lines = begin_turn(caller=cast.acme.caller, wanted=ProxyRequest(body)).stream()
    assert b"Tea " in next(lines)

    lines.close()

    assert said_in(acme, today()) == [("user", QUESTION)]
    assert [run["status"] for run in acme.get("runs").json()["results"]] == ["cancelled"]
    assert [run["status"] for run in acme.get("prompt-runs").json()["results"]] == ["cut_off"]


def test_a_reader_who_leaves_before_the_first_word_has_cost_the_prompt(
    cast: Cast, acme: RestClient, server: ModelServer
) -> None:
    server.will(Reply(raw=b": waiting\n\n", headers=(("Content-Type", "text/event-stream"),)))
    body = {"model": "default", "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
    lines = begin_turn(caller=cast.acme.caller, wanted=ProxyRequest(body)).stream()
    assert next(lines) == b": waiting\n"

    lines.close()

    [call] = acme.get("prompt-runs").json()["results"]
    assert (call["status"], call["input_tokens"] > 0, call["output_tokens"]) == ("cut_off", True, 0)


def test_a_conversation_that_is_deleted_meanwhile_is_an_error(
    cast: Cast, acme: RestClient, program: Program, server: ModelServer
) -> None:
    _, events = _streams_while(program, lambda: acme.delete(f"conversations/{today()}"))

    assert events[-1]["error"]["code"] == "conversation_deleted"
    assert "[DONE]" not in events


@pytest.mark.usefixtures("server")
def test_a_space_that_is_erased_meanwhile_is_the_same_error(cast: Cast) -> None:
    body = {"model": "default", "stream": True, "messages": [{"role": "user", "content": QUESTION}]}
    caller = cast.acme.caller.naming(NamedSpaces(user="ada"))
    lines = begin_turn(caller=caller, wanted=ProxyRequest(body)).stream()
    next(lines)
    erase_space(caller=cast.acme.caller, name="user:ada")

    with pytest.raises(ConversationDeletedError):
        list(lines)


def _streams_while(program: Program, act: Any) -> tuple[Answer, list[Any]]:
    """The events of a stream of which the first one has come when something happens."""
    answer = program.asks(stream=True)
    pieces = iter(answer.streaming_content)
    seen = [next(pieces)]
    act()
    lines = b"".join([*seen, *pieces]).decode().splitlines()
    data = [line.removeprefix("data: ") for line in lines if line.startswith("data: ")]
    return answer, [one if one == "[DONE]" else json.loads(one) for one in data]


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"model": "gpt-9"}, 422, "invalid"),
        ({"model": None}, 422, "invalid"),
        ({"messages": []}, 422, "invalid"),
        ({"messages": "Hello."}, 422, "invalid"),
        ({"stream": "yes"}, 422, "invalid"),
        ({"user": "x" * 201}, 422, "invalid"),
    ],
)
def test_what_cannot_be_passed_on_is_refused(
    program: Program, server: ModelServer, fields: dict[str, Any], status: int, code: str
) -> None:
    answer = program.asks(**fields)

    assert (answer.status_code, openai_error(answer)["code"]) == (status, code)
    assert openai_error(answer)["param"] == next(iter(fields))
    assert server.seen == []


def test_without_a_model_or_with_another_api_it_says_what_to_do(cast: Cast, umbrella: RestClient) -> None:
    program = Program(cast.umbrella.secret)
    none = program.asks()
    with model_server() as running:
        choose(cast.umbrella, running, kind="anthropic", base_url=running.root)
        other = program.asks()

        assert running.seen == []
    assert (none.status_code, openai_error(none)["param"]) == (422, "model")
    assert "Settings, Models" in none.json()["detail"]
    assert (other.status_code, other.json()["code"]) == (400, "model_request_rejected")
    assert "does not speak OpenAI's API" in other.json()["detail"]


def test_the_months_budget_counts(acme: RestClient, program: Program, server: ModelServer) -> None:
    acme.put("settings", {"models": {"monthly_budget": 0}})

    answer = program.asks()

    assert (answer.status_code, openai_error(answer)["type"]) == (402, "insufficient_quota")
    assert server.seen == []
