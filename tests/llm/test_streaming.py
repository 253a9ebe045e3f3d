"""Answers in pieces: as they come, complete or not, and left early."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Any

import pytest

from llm.configuration.selectors import ResolvedModel
from llm.providers.errors import ModelCutOffError, ModelUnavailableError
from llm.router.services.completions import Completion, stream
from tests.cast import Cast
from tests.llm.conftest import QUESTION, choose
from tests.llm.server import ModelServer, Reply, failing
from tests.llm.test_router import runs

pytestmark = pytest.mark.django_db


def test_pieces_come_as_they_are_made(cast: Cast, server: ModelServer) -> None:
    model = choose(cast.acme, server, timeout_seconds=20)
    server.will(Reply(waits_between_seconds=30))

    with closing(stream(caller=cast.acme.caller, choice=model, **QUESTION)) as coming:
        assert next(coming) == "Tea "


def test_the_completion_comes_last(cast: Cast, tea_model: ResolvedModel) -> None:
    *pieces, completion = stream(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert pieces == ["Tea ", "on ", "Mondays."]
    assert isinstance(completion, Completion)
    assert (completion.text, completion.input_tokens, completion.output_tokens) == ("Tea on Mondays.", 11, 7)
    assert [(run.status, run.outcome) for run in runs(cast.acme)] == [("succeeded", "stop, 15 characters")]


def test_nothing_is_asked_before_the_first_step(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    stream(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert (server.seen, runs(cast.acme)) == ([], [])


@pytest.mark.parametrize("pieces", [1, 3])
def test_a_stream_that_breaks_off_is_no_answer(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel, pieces: int
) -> None:
    server.will(Reply(hangs_up_after=pieces), Reply())
    got: list[Any] = []

    with pytest.raises(ModelCutOffError):
        got.extend(_each(stream(caller=cast.acme.caller, choice=tea_model, **QUESTION), into=got))

    assert got == ["Tea ", "on ", "Mondays."][:pieces]
    assert len(server.seen) == 1  # what a reader has seen is not asked for again
    (run,) = runs(cast.acme)
    assert (run.status, run.output_tokens > 0) == ("cut_off", True)


def test_a_stream_that_falls_silent_is_cut_off(cast: Cast, server: ModelServer) -> None:
    model = choose(cast.acme, server, timeout_seconds=1)
    server.will(Reply(waits_between_seconds=60))
    began = time.perf_counter()

    with pytest.raises(ModelCutOffError):
        list(stream(caller=cast.acme.caller, choice=model, **QUESTION))

    assert time.perf_counter() - began < 20


def test_trouble_before_the_first_piece_is_tried_again(
    cast: Cast, server: ModelServer, tea_model: ResolvedModel
) -> None:
    server.will(failing(429), Reply(hangs_up_after=0), Reply())

    *pieces, completion = stream(caller=cast.acme.caller, choice=tea_model, **QUESTION)

    assert ("".join(map(str, pieces)), len(server.seen)) == ("Tea on Mondays.", 3)
    assert isinstance(completion, Completion)


def test_a_slow_stream_is_no_answer_before_its_first_piece(cast: Cast, server: ModelServer) -> None:
    model = choose(cast.acme, server, timeout_seconds=1)
    server.will(Reply(waits_seconds=30))

    with pytest.raises(ModelUnavailableError, match="within 1 seconds"):
        list(stream(caller=cast.acme.caller, choice=model, **QUESTION))


def test_leaving_early_ends_the_call_and_records_it(cast: Cast, server: ModelServer, tea_model: ResolvedModel) -> None:
    server.will(Reply(pieces=("Tea ",) * 200, waits_between_seconds=0.1))
    coming = stream(caller=cast.acme.caller, choice=tea_model, **QUESTION)
    next(coming)

    coming.close()

    (run,) = runs(cast.acme)
    assert (run.status, run.outcome) == ("cut_off", "the reader left before the end")
    assert 0 < run.output_tokens < 100


def _each(coming: Any, *, into: list[Any]) -> list[Any]:
    for piece in coming:
        into.append(piece)
    return []
