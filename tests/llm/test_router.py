"""Asking a model over the wire: what comes back, what is recorded, and how it may fail."""

from __future__ import annotations

import logging
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, NamedTuple

import pytest
from django.db import connections

from core.crypto import encrypt
from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel
from llm.models import ModelProvider, PromptRun
from llm.providers.errors import (
    ModelBrokenAnswerError,
    ModelCutOffError,
    ModelEmptyError,
    ModelError,
    ModelInsideTransactionError,
    ModelRefusedError,
    ModelUnavailableError,
)
from llm.providers.types import PromptMessage
from llm.router.services.completions import complete, stream
from tests.cast import Cast, Household, RestClient
from tests.llm.conftest import KEY, QUESTION, choose
from tests.llm.server import ModelServer, Reply, failing, saying
from tests.together import together
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.django_db


def runs(household: Household) -> list[PromptRun]:
    """The recorded calls, newest first."""
    with workspace_scope(household.caller):
        return list(PromptRun.objects.order_by("-id"))


def test_asks_with_the_workspaces_own_key_and_answers(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel
) -> None:
    talk = [
        PromptMessage("user", "When is tea?"),
        PromptMessage("assistant", "On Mondays."),
        PromptMessage("user", "And coffee?"),
    ]
    server.will(saying("On Fridays."))

    completion = complete(
        caller=cast.acme.caller, kind=CallKind.QA, system="Be brief.", messages=talk, choice=tea_model
    )

    assert (completion.text, completion.provider, completion.model) == ("On Fridays.", "Loopback", "tea-1")
    (seen,) = server.seen
    assert (seen.path, seen.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert seen.body["model"] == "tea-1"
    assert [(message["role"], message["content"]) for message in seen.body["messages"]] == [
        ("system", "Be brief."),
        ("user", "When is tea?"),
        ("assistant", "On Mondays."),
        ("user", "And coffee?"),
    ]


def test_counts_what_the_provider_reports_and_prices_it(cast: Cast, server: ModelServer) -> None:
    priced = choose(cast.acme, server, input_price=3)
    server.will(Reply(usage=(1_000, 500)))

    completion = complete(caller=cast.acme.caller, choice=priced, **QUESTION)

    assert (completion.input_tokens, completion.output_tokens) == (1_000, 500)
    assert completion.credits == Decimal("0.006")  # 1,000 x 3 and 500 x 6 for a million
    (run,) = runs(cast.acme)
    assert (run.kind, run.provider, run.model, run.status) == ("qa", "Loopback", "tea-1", "succeeded")
    assert (run.input_tokens, run.output_tokens, run.credits) == (1_000, 500, Decimal("0.006"))
    assert run.outcome == "stop, 15 characters"
    assert len(run.prompt_sha256) == 64
    assert run.latency_ms == completion.latency_ms


def test_counts_itself_where_the_provider_reports_nothing(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel
) -> None:
    server.will(Reply(usage=None))

    completion = complete(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert (completion.input_tokens, completion.output_tokens) == (7, 4)


def test_equal_prompts_have_equal_fingerprints(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    for question in ("When is tea?", "When is tea?", "When is coffee?"):
        asked = {**QUESTION, "messages": [PromptMessage("user", question)]}
        complete(caller=cast.acme.caller, choice=tea_model, **asked)

    third, second, first = (run.prompt_sha256 for run in runs(cast.acme))
    assert first == second != third


class Unusable(NamedTuple):
    """A reply, the error that it becomes, the status of its row, and how often it was asked for."""

    reply: Reply
    error: type[ModelError]
    status: str
    requests: int


UNUSABLE = [
    Unusable(Reply(pieces=()), ModelEmptyError, "empty", 1),
    Unusable(saying("  \n "), ModelEmptyError, "empty", 1),
    Unusable(Reply(calls_tool="buy_tea"), ModelEmptyError, "empty", 1),
    Unusable(Reply(refusal="I will not."), ModelRefusedError, "refused", 1),
    Unusable(Reply(finish="content_filter"), ModelRefusedError, "refused", 1),
    Unusable(Reply(finish="length"), ModelCutOffError, "cut_off", 1),
    Unusable(Reply(raw=b"<html>"), ModelBrokenAnswerError, "failed", 1),
    Unusable(Reply(raw=b""), ModelBrokenAnswerError, "failed", 1),
    Unusable(Reply(raw=b"[]"), ModelBrokenAnswerError, "failed", 1),
    Unusable(
        Reply(raw=b'{"id": "1", "object": "chat.completion", "choices": []}'), ModelBrokenAnswerError, "failed", 1
    ),
    Unusable(Reply(raw=b"", status=302, headers=(("Location", "/elsewhere"),)), ModelBrokenAnswerError, "failed", 1),
    Unusable(failing(400), ModelUnavailableError, "failed", 1),
    Unusable(failing(401), ModelUnavailableError, "failed", 1),
    Unusable(failing(402), ModelUnavailableError, "failed", 1),
    Unusable(failing(404), ModelUnavailableError, "failed", 1),
    Unusable(failing(429, headers=(("Retry-After", "0"),)), ModelUnavailableError, "failed", 3),
    Unusable(failing(500, headers=(("Retry-After", "0"),)), ModelUnavailableError, "failed", 3),
    Unusable(failing(503, headers=(("Retry-After", "0"),)), ModelUnavailableError, "failed", 3),
    Unusable(Reply(hangs_up_after=0), ModelUnavailableError, "failed", 3),
    Unusable(Reply(waits_seconds=30), ModelUnavailableError, "failed", 1),
]


@pytest.mark.parametrize("ask", [complete, lambda **asked: list(stream(**asked))], ids=["whole", "streamed"])
def test_an_answer_that_declines_in_words_is_not_recorded_as_a_success(
    cast: Cast, server: ModelServer, ask: Callable[..., object]
) -> None:
    model = choose(cast.acme, server)
    server.will(saying("I'm sorry, but I can't help with that."))

    ask(caller=cast.acme.caller, choice=model, **QUESTION)

    assert [run.status for run in runs(cast.acme)] == ["refused"]


@pytest.mark.parametrize("ask", [complete, lambda **asked: list(stream(**asked))], ids=["whole", "streamed"])
@pytest.mark.parametrize("case", UNUSABLE, ids=lambda case: f"{case.error.code}-{case.reply.status}")
def test_an_unusable_answer_is_one_clear_error_and_one_row(
    cast: Cast, server: ModelServer, ask: Callable[..., object], case: Unusable
) -> None:
    model = choose(cast.acme, server, timeout_seconds=1 if case.reply.waits_seconds else 30)
    server.will(case.reply)

    with pytest.raises(case.error) as raised:
        ask(caller=cast.acme.caller, choice=model, **QUESTION)

    (run,) = runs(cast.acme)
    assert (run.status, run.outcome, len(server.seen)) == (case.status, raised.value.detail, case.requests)
    assert raised.value.code.startswith("model_")
    assert "\n" not in raised.value.detail


@pytest.mark.parametrize("trouble", [failing(429), failing(502), Reply(hangs_up_after=0)])
def test_a_passing_trouble_is_tried_again(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel, trouble: Reply
) -> None:
    server.will(trouble, Reply())

    completion = complete(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert (completion.text, len(server.seen), len(runs(cast.acme))) == ("Tea on Mondays.", 2, 1)


def test_waits_no_longer_than_the_provider_may(cast: Cast, server: ModelServer) -> None:
    model = choose(cast.acme, server, timeout_seconds=1)
    server.will(failing(503, headers=(("Retry-After", "9"),)))

    with pytest.raises(ModelUnavailableError, match="within 1 seconds"):
        complete(caller=cast.acme.caller, choice=model, **QUESTION)

    assert 900 <= runs(cast.acme)[0].latency_ms < 9_000


def test_nobody_at_the_address(cast: Cast, server: ModelServer) -> None:
    model = choose(cast.acme, server, base_url="http://127.0.0.1:9/v1")

    with pytest.raises(ModelUnavailableError, match="Loopback could not be reached"):
        complete(caller=cast.acme.caller, choice=model, **QUESTION)


def test_a_key_of_another_secret_key_says_so(cast: Cast, tea_model: ResolvedModel, settings: Any) -> None:
    settings.SECRET_KEY = "another secret of this server, since somebody lost the first"

    with pytest.raises(ModelUnavailableError, match="The stored key of Loopback cannot be read"):
        complete(caller=cast.acme.caller, choice=tea_model, **QUESTION)


def test_a_key_that_was_copied_to_another_row_is_useless(cast: Cast, tea_model: ResolvedModel) -> None:
    with workspace_scope(cast.acme.caller):
        ModelProvider.objects.update(encrypted_key=encrypt(KEY, purpose="model provider of somebody else"))
        tea_model.provider.refresh_from_db()

    with pytest.raises(ModelUnavailableError, match="Enter it again"):
        complete(caller=cast.acme.caller, choice=tea_model, **QUESTION)


def test_a_model_is_never_called_inside_a_transaction(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel
) -> None:
    with workspace_scope(cast.acme.caller), pytest.raises(ModelInsideTransactionError):
        complete(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert server.seen == []
    assert runs(cast.acme) == []


@pytest.mark.django_db(transaction=True)
def test_holds_no_database_connection_while_it_waits(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    held: list[bool] = []
    asking = connections["default"]  # of this thread

    def look(_: object) -> Reply:
        held.append(asking.connection is not None)
        return Reply()

    server.chooses = look

    complete(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert held == [False]
    assert len(runs(cast.acme)) == 1


@pytest.mark.django_db(transaction=True)
def test_many_threads_ask_at_once(cast: Cast, server: ModelServer) -> None:
    model = choose(cast.acme, server, timeout_seconds=20)
    server.chooses = lambda seen: saying(seen.body["messages"][-1]["content"], waits_seconds=0.2)

    def ask(number: int) -> str:
        asked = {**QUESTION, "messages": [PromptMessage("user", f"Number {number}")]}
        return complete(caller=cast.acme.caller, choice=model, **asked).text

    answers = together([partial(ask, number) for number in range(12)])

    assert answers == [f"Number {number}" for number in range(12)]
    assert len(runs(cast.acme)) == 12


def test_cookies_of_a_provider_are_not_kept(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    raw = b'{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Tea."}}]}'  # noqa: E501
    server.will(Reply(raw=raw, headers=(("Set-Cookie", "session=of-acme; Path=/"),)))

    for _ in range(2):
        complete(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert [seen.headers.get("cookie") for seen in server.seen] == [None, None]


def test_lone_surrogates_reach_the_model_as_question_marks(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel
) -> None:
    complete(
        caller=cast.acme.caller, choice=tea_model, **{**QUESTION, "messages": [PromptMessage("user", "tea \ud800")]}
    )

    assert server.seen[0].body["messages"][-1]["content"] == "tea ?"


def test_what_some_provider_would_refuse_is_not_sent(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    window = [
        PromptMessage("assistant", "On Fridays."),
        PromptMessage("user", " \n"),
        PromptMessage("user", "And tea?"),
    ]

    complete(caller=cast.acme.caller, choice=tea_model, **{**QUESTION, "messages": window})

    assert [message["content"] for message in server.seen[0].body["messages"]] == ["Be brief.", "And tea?"]


def test_prompt_runs_are_listed_newest_first_and_to_their_workspace_only(
    cast: Cast, acme: RestClient, umbrella: RestClient, server: ModelServer, tea_model: ResolvedModel
) -> None:
    for reply in (Reply(), Reply(pieces=())):
        server.will(reply)
        list_errors(cast, tea_model)

    page = acme.get("prompt-runs", limit=1).json()

    assert [run["status"] for run in page["results"]] == ["empty"]
    assert set(page["results"][0]) == {
        "id", "kind", "provider", "model", "prompt_sha256", "status", "outcome",
        "input_tokens", "output_tokens", "credits", "latency_ms", "created_at",
    }  # fmt: skip
    assert page["next"]
    assert umbrella.get("prompt-runs").json()["results"] == []
    assert umbrella.get(f"/v1/workspaces/{cast.acme.workspace.id}/prompt-runs").status_code == 404


def list_errors(cast: Cast, model: ResolvedModel) -> None:
    """Ask, and do not mind."""
    try:
        complete(caller=cast.acme.caller, choice=model, **QUESTION)
    except ModelError as error:
        logging.getLogger(__name__).debug("%s", error.code)
