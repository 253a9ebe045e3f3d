"""A chat turn while something behind it is down: answered, or failed in one sentence, soon, and told what is missing.

Every outage is real: the server is killed, or takes the call and keeps silent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings as configured
from django.test import Client

from config.schedules import HEARTBEAT
from core.stores import queue, redis
from core.stores.redis import ANSWER_SECONDS  # as the product has it: tests are more patient
from llm.embedding.services.backlog import EMBED_TASK
from llm.embedding.tasks import embed_workspace
from tests.awaiting import comes_true
from tests.cast import Answer, Cast, RestClient
from tests.flows.outages import without
from tests.flows.silence import DIMENSIONS, EmbeddingServer, silent_server
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, Reply, model_server, saying
from tests.serving import serving_environment
from workspaces.models import WorkerHeartbeat

pytestmark = [pytest.mark.alone, pytest.mark.django_db(transaction=True)]

# What a turn may take beside its model, whatever is down: half a second on a quiet machine, and without a limit ten.
SPARE_SECONDS = 8.0
MODEL_SECONDS = 0.2
WORKER_SECONDS = 180
QUESTION = {"conversation": "kitchen", "message": "When is the flour delivered?"}

Outage = Callable[[Any, EmbeddingServer], AbstractContextManager[None]]


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model that takes its time."""
    with model_server() as running:
        running.will(saying("On Tuesdays.", waits_seconds=MODEL_SECONDS))
        yield running


@pytest.fixture
def embedder(settings: Any) -> Iterator[EmbeddingServer]:
    """An embeddings endpoint, which the settings name."""
    server = EmbeddingServer()
    settings.EMBEDDER = _endpoint(server.port)
    yield server
    server.stop()


@pytest.fixture
def acme(cast: Cast, model: ModelServer, embedder: EmbeddingServer) -> RestClient:
    """REST as Acme's agent: a fact with its vector, and a model."""
    choose(cast.acme, model)
    rest = cast.acme.rest()
    rest.remembered("Flour is delivered on Tuesdays.", kind="fact")
    embed_workspace(str(rest.workspace_id))
    return rest


def _endpoint(port: int) -> dict[str, Any]:
    url = f"http://127.0.0.1:{port}/v1"
    return {**configured.EMBEDDER, "url": url, "model": "tiny", "dimensions": DIMENSIONS}


def _killed(name: str) -> Outage:
    return lambda settings, embedder: without(name, settings)


@contextmanager
def _silent_redis(settings: Any, embedder: EmbeddingServer) -> Iterator[None]:
    was = settings.REDIS_URL
    with silent_server() as port, patch.object(redis, "ANSWER_SECONDS", ANSWER_SECONDS):
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        try:
            yield
        finally:
            settings.REDIS_URL = was


@contextmanager
def _stopped_embedder(settings: Any, embedder: EmbeddingServer) -> Iterator[None]:
    embedder.stop()
    yield


@contextmanager
def _silent_embedder(settings: Any, embedder: EmbeddingServer) -> Iterator[None]:
    with silent_server() as port:
        settings.EMBEDDER = _endpoint(port)
        yield


def asked(rest: RestClient, *, own_seconds: float) -> Answer:
    """The answer to the question, which came within the spare time beside the model's own."""
    began = time.monotonic()
    answer = rest.post("chat", QUESTION)
    took = time.monotonic() - began
    assert took < own_seconds + SPARE_SECONDS, f"The turn took {took:.1f} s."
    return answer


def test_with_everything_up_nothing_is_left_out(acme: RestClient) -> None:
    turn = asked(acme, own_seconds=MODEL_SECONDS).json()

    assert (turn["message"]["content"], turn["left_out"]) == ("On Tuesdays.", [])


@pytest.mark.parametrize(
    ("outage", "left_out"),
    [
        (_killed("valkey"), []),
        (_silent_redis, []),
        (_killed("graph"), []),
        (_stopped_embedder, ["semantic"]),
        (_silent_embedder, ["semantic"]),
    ],
    ids=["redis killed", "redis silent", "graph killed", "embedder stopped", "embedder silent"],
)
def test_a_turn_is_answered_and_says_what_it_had_to_leave_out(
    acme: RestClient, embedder: EmbeddingServer, settings: Any, outage: Outage, left_out: list[str]
) -> None:
    with outage(settings, embedder):
        answer = asked(acme, own_seconds=MODEL_SECONDS)

    turn = answer.json()
    assert answer.status_code == 200, turn
    assert (turn["message"]["content"], turn["model"], turn["left_out"]) == ("On Tuesdays.", "tea-1", left_out)
    assert {layer["layer"]: layer["found"] for layer in turn["trace"]}["facts"] == 1


@pytest.mark.slow
def test_without_the_worker_a_turn_is_answered_and_the_work_waits(acme: RestClient) -> None:
    with _worker() as process:
        _end_group(process)

        turn = asked(acme, own_seconds=MODEL_SECONDS).json()

    assert (turn["message"]["content"], turn["left_out"]) == ("On Tuesdays.", [])
    assert EMBED_TASK in queue.queued_paths(), "What wants a vector now waits for the next worker."


@pytest.mark.parametrize(
    ("reply", "own_seconds", "code"),
    [
        (None, 0.0, "model_unavailable"),
        (Reply(waits_seconds=30), 1.0, "model_unavailable"),
        (Reply(hangs_up_after=0), 0.0, "model_unavailable"),
        (saying(""), 0.0, "model_empty"),
        (Reply(refusal="No."), 0.0, "model_refused"),
    ],
    ids=["stopped", "silent", "hangs up", "empty", "refuses"],
)
def test_without_its_model_a_turn_quotes_what_is_remembered(
    cast: Cast, embedder: EmbeddingServer, reply: Reply | None, own_seconds: float, code: str
) -> None:
    rest = cast.acme.rest()
    fact = rest.remembered("Flour is delivered on Tuesdays.", kind="fact")
    with model_server() as server:
        choose(cast.acme, server, timeout_seconds=1 if code == "model_unavailable" else 30)
        if reply:
            server.will(reply)
            turn = asked(rest, own_seconds=own_seconds).json()
    if reply is None:  # the server has stopped by now
        turn = asked(rest, own_seconds=own_seconds).json()

    assert (turn["fallback"], turn["model"], turn["run"]["status"]) == (code, None, "succeeded")
    stored = rest.get("conversations/kitchen/messages").json()["results"]
    assert [message["content"] for message in stored] == [QUESTION["message"], turn["message"]["content"]]
    assert f"The model did not answer ({code}), so this is what" in stored[-1]["content"]
    assert f"[mem:{fact['id']}]" in stored[-1]["content"]
    assert rest.get(f"memories/{fact['id']}").json()["times_referenced"] == 1


def test_a_model_that_dies_in_the_middle_fails_the_turn_in_one_sentence_and_keeps_the_question(
    cast: Cast, embedder: EmbeddingServer
) -> None:
    rest = cast.acme.rest()
    fact = rest.remembered("Flour is delivered on Tuesdays.", kind="fact")
    with model_server() as server:
        choose(cast.acme, server)
        server.will(Reply(hangs_up_after=1))
        problem = asked(rest, own_seconds=0.0).json()

    assert (problem["code"], problem["run"]["status"]) == ("model_cut_off", "failed")
    assert problem["detail"].endswith(".")
    assert "\n" not in problem["detail"]
    stored = rest.get("conversations/kitchen/messages").json()["results"]
    assert [message["content"] for message in stored] == [QUESTION["message"]]
    assert rest.get(f"memories/{fact['id']}").json()["times_referenced"] == 0


@contextmanager
def _worker() -> Iterator[subprocess.Popen[bytes]]:
    """A worker in processes of its own, that has shown that it works."""
    WorkerHeartbeat.objects.all().delete()
    queue.enqueue(HEARTBEAT)
    process = subprocess.Popen(
        [sys.executable, "manage.py", "qcluster"], env=serving_environment(), cwd=configured.ROOT, process_group=0
    )
    try:
        assert comes_true(_has_a_worker, seconds=WORKER_SECONDS), "The worker did not come up."
        yield process
    finally:
        _end_group(process)


def _has_a_worker() -> bool:
    return bool(Client().get("/readyz").json()["checks"]["worker"]["state"] == "ok")


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the worker as a crash does, its children too."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
