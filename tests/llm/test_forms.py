"""Answers in a form, from providers that know a schema, that know JSON only, and that know neither."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, Field

from llm.configuration.selectors import ResolvedModel
from llm.providers.errors import ModelBrokenAnswerError, ModelEmptyError, ModelRefusedError, ModelUnavailableError
from llm.providers.validation import UnreadableAnswerError, looks_like_refusal, read_form
from llm.router.services.completions import complete
from tests.cast import Cast
from tests.llm.conftest import QUESTION
from tests.llm.server import ModelServer, Reply, Seen, failing, saying
from tests.llm.test_router import runs


class Order(BaseModel):
    """What is ordered when."""

    day: str
    cups: int = Field(ge=1)


GOOD = '{"day": "Monday", "cups": 3}'
FENCED = f"Here it is:\n```json\n{GOOD}\n```\nAnything else?"
BROKEN = '{"day": "Monday"'
UNFIT = '{"day": "Monday", "cups": 0}'


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (["json_schema"], 200),
        (["json_schema", "json_object"], 400),
        (["json_schema", "json_object"], 422),
        (["json_schema", "json_object"], 500),
        (["json_schema", "json_object", ""], 400),
    ],
)
def test_asks_in_the_strictest_form_that_the_provider_knows(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel, asked: list[str], status: int
) -> None:
    server.chooses = lambda seen: saying(FENCED) if seen.form == asked[-1] else failing(status)

    completion = complete(caller=cast.acme.caller, choice=tea_model, schema=Order, **QUESTION)

    assert completion.value == Order(day="Monday", cups=3)
    assert [seen.form for seen in server.seen] == asked
    assert [run.status for run in runs(cast.acme)] == ["succeeded"]


def test_a_strict_form_sends_the_schema(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    server.will(saying(GOOD))

    complete(caller=cast.acme.caller, choice=tea_model, schema=Order, **QUESTION)

    form = server.seen[0].body["response_format"]["json_schema"]
    assert (form["name"], form["strict"], sorted(form["schema"]["properties"])) == ("Order", True, ["cups", "day"])


@pytest.mark.parametrize("bad", [BROKEN, UNFIT, "No.", "[]", '{"day": {"x": 1}, "cups": "many"}'])
def test_a_broken_answer_is_repaired_once(cast: Cast, server: ModelServer, tea_model: ResolvedModel, bad: str) -> None:
    server.will(saying(bad), saying(bad), saying(bad), saying(GOOD))

    completion = complete(caller=cast.acme.caller, choice=tea_model, schema=Order, **QUESTION)

    assert completion.value == Order(day="Monday", cups=3)
    assert [seen.form for seen in server.seen] == ["json_schema", "json_object", "", ""]
    assert [message["role"] for message in server.seen[-1].body["messages"]] == ["system", "user", "assistant", "user"]
    (run,) = runs(cast.acme)
    assert (run.outcome, run.input_tokens) == ("stop, 28 characters, answer 4", 44)


def test_a_model_that_cannot_is_given_up(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    server.will(saying(UNFIT))

    with pytest.raises(ModelBrokenAnswerError) as raised:
        complete(caller=cast.acme.caller, choice=tea_model, schema=Order, **QUESTION)

    assert (raised.value.code, len(server.seen)) == ("model_broken_answer", 4)
    (run,) = runs(cast.acme)
    assert (run.status, run.output_tokens) == ("failed", 28)  # four answers were paid for


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(pieces=()), ModelEmptyError),
        (Reply(refusal="No."), ModelRefusedError),
        (failing(401), ModelUnavailableError),
        (failing(404), ModelUnavailableError),
    ],
)
def test_what_another_form_would_not_help_ends_at_once(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel, reply: Reply, error: type[Exception]
) -> None:
    server.will(reply)

    with pytest.raises(error):
        complete(caller=cast.acme.caller, choice=tea_model, schema=Order, **QUESTION)

    assert len(server.seen) == 1


def test_a_provider_that_is_down_is_not_taken_for_a_refused_form(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel
) -> None:
    def down_once(seen: Seen) -> Reply:
        return failing(503) if len(server.seen) == 1 else saying(GOOD)

    server.chooses = down_once

    complete(caller=cast.acme.caller, choice=tea_model, schema=Order, **QUESTION)

    assert [seen.form for seen in server.seen] == ["json_schema", "json_schema"]


@pytest.mark.parametrize("text", [GOOD, FENCED, f"  {GOOD} ", f"<think>day? cups?</think>{GOOD}"])
def test_reads_a_form_out_of_what_stands_around_it(text: str) -> None:
    assert read_form(text, Order) == Order(day="Monday", cups=3)


@pytest.mark.parametrize("text", ["", "{", "}{", BROKEN, UNFIT, "{" * 100_000 + "}" * 100_000, '{"day": "\ud800"}'])
def test_what_is_no_form_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableAnswerError):
        read_form(text, Order)


@pytest.mark.parametrize(
    ("text", "is_refusal"),
    [
        ("I'm sorry, but I can't help with that.", True),
        ("I’m sorry, I cannot summarise this conversation.", True),
        ("Sorry, but I can't assist with that request.", True),
        ("I cannot share personal information.", True),
        ("I can't help with that.", True),
        ("I am unable to provide a summary.", True),
        ("As an AI language model, I do not have opinions.", True),
        ("I apologize, but this goes against my guidelines.", True),
        ("The user was sorry that the tea had run out.", False),
        ("The user cannot come on Monday and asked for Friday.", False),
        ("As an AI team they plan a launch on Friday.", False),
        ("Sorry about the delay was the first thing that the user said, then tea was ordered.", False),
        ("I cannot come on Monday, the user wrote. " + "They then agreed on Friday. " * 20, False),
        ("", False),
    ],
)
def test_knows_a_polite_refusal(text: str, is_refusal: bool) -> None:
    assert looks_like_refusal(text) is is_refusal
