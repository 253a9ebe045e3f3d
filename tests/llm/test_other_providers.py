"""Anthropic and Google through the same router, over their own wire formats."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from llm.configuration.selectors import ResolvedModel
from llm.providers.errors import ModelCutOffError, ModelUnavailableError
from llm.router.services.completions import Completion, complete, stream
from tests.cast import Cast
from tests.llm.conftest import KEY, QUESTION, choose
from tests.llm.server import ModelServer, Reply, failing, saying

pytestmark = pytest.mark.django_db

ADDRESSES = {
    "anthropic": "/v1/messages",
    "google": "/v1beta/models/tea-1:generateContent",
}


class Order(BaseModel):
    """What is ordered."""

    cups: int


@pytest.fixture(params=list(ADDRESSES))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def model(cast: Cast, server: ModelServer, kind: str) -> ResolvedModel:
    return choose(cast.acme, server, kind=kind, base_url=server.root)


def test_answers(cast: Cast, server: ModelServer, model: ResolvedModel, kind: str) -> None:
    completion = complete(caller=cast.acme.caller, choice=model, **QUESTION)

    assert (completion.text, completion.input_tokens, completion.output_tokens) == ("Tea on Mondays.", 11, 7)
    assert server.seen[0].path == ADDRESSES[kind]
    assert any(KEY in value for value in server.seen[0].headers.values())


def test_streams(cast: Cast, model: ResolvedModel) -> None:
    *pieces, completion = stream(caller=cast.acme.caller, choice=model, **QUESTION)

    assert pieces == ["Tea ", "on ", "Mondays."]
    assert isinstance(completion, Completion)
    assert (completion.text, completion.output_tokens) == ("Tea on Mondays.", 7)


def test_a_stream_that_breaks_off_is_no_answer(cast: Cast, server: ModelServer, model: ResolvedModel) -> None:
    server.will(Reply(hangs_up_after=4 if "messages" in ADDRESSES[model.provider.kind] else 2))

    with pytest.raises(ModelCutOffError):
        list(stream(caller=cast.acme.caller, choice=model, **QUESTION))


def test_answers_in_a_form(cast: Cast, server: ModelServer, model: ResolvedModel) -> None:
    server.will(saying('{"cups": 3}'))

    assert complete(caller=cast.acme.caller, choice=model, schema=Order, **QUESTION).value == Order(cups=3)


@pytest.mark.parametrize(("status", "requests"), [(401, 1), (400, 1), (404, 1), (429, 3), (500, 3)])
def test_fails_like_the_others(
    cast: Cast, server: ModelServer, model: ResolvedModel, status: int, requests: int
) -> None:
    server.will(failing(status, headers=(("Retry-After", "0"),)))

    with pytest.raises(ModelUnavailableError, match=f"({status})"):
        complete(caller=cast.acme.caller, choice=model, **QUESTION)

    assert len(server.seen) == requests


def test_without_a_key_no_key_of_the_operator_is_used(
    cast: Cast, server: ModelServer, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY", "GEMINI_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "the-operators-own")
    model = choose(cast.acme, server, kind=kind, base_url=server.root, key="")

    complete(caller=cast.acme.caller, choice=model, **QUESTION)

    assert "the-operators-own" not in str(server.seen)
