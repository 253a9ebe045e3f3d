"""Embedders keep the same promises, whichever the settings choose."""

from __future__ import annotations

import hashlib
import json
import math
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import UUID

import pytest
from django.test import override_settings

from core.embedding import (
    Embedder,
    EmbedderError,
    EmbedderMisconfiguredError,
    EmbedderOffError,
    EmbedderUnavailableError,
    EmbeddingFailedError,
    HttpEmbedder,
    OnnxEmbedder,
    Vector,
    build_embedder,
    default_embedder,
    embedder_unavailable,
    local,
)
from core.embedding.model_files import LocalModel, bundled_model
from core.embedding.query_cache import CachedQueries
from tests.awaiting import comes_true

SECRET_TEXT = "Alice keeps the spare key under the blue flowerpot"
SETTINGS = {"source": "bundled", "url": "", "model": "", "api_key": "", "dimensions": 384, "threads": 1}
ACME, UMBRELLA = UUID(int=1), UUID(int=2)


def cosine(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


# --- An endpoint on loopback that speaks OpenAI's format, and misbehaves when it is told to.


def vector_of(text: str) -> Vector:
    return [byte - 127.5 for byte in hashlib.sha256(text.encode()).digest()[:8]]


def answer_to(texts: Sequence[str]) -> dict[str, Any]:
    items = [{"object": "embedding", "index": index, "embedding": vector_of(text)} for index, text in enumerate(texts)]
    return {"object": "list", "data": items[::-1], "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@dataclass
class Reply:
    status: int = 200
    body: Callable[[list[str]], Any] = answer_to
    headers: dict[str, str] = field(default_factory=dict)
    delay_seconds: float = 0.0


@dataclass
class Endpoint:
    """What it will answer (the last reply again and again), and what it was asked."""

    url: str = ""
    replies: list[Reply] = field(default_factory=lambda: [Reply()])
    requests: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)
    is_closing: Event = field(default_factory=Event)

    def embedder(self, **options: Any) -> HttpEmbedder:
        return HttpEmbedder(**{"url": self.url, "model": "tiny", "dimensions": 8, "backoff_seconds": 0.0, **options})


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    state = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.requests.append({"path": self.path, **request})
            state.authorizations.append(self.headers["Authorization"])
            reply = state.replies.pop(0) if len(state.replies) > 1 else state.replies[0]
            state.is_closing.wait(reply.delay_seconds)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            with suppress(ConnectionError):  # whoever asked has not waited
                self.end_headers()
                self.wfile.write(json.dumps(reply.body(request["input"])).encode())

        def log_message(self, *_: object) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        state.url = f"http://127.0.0.1:{server.server_port}/v1"
        yield state
        state.is_closing.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def bundled() -> OnnxEmbedder:
    return OnnxEmbedder(bundled_model(), threads=2)


# --- The contract


@pytest.fixture(params=["bundled", "endpoint", "cached"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    if request.param == "endpoint":
        remote: Endpoint = request.getfixturevalue("endpoint")
        return remote.embedder(batch_size=2)
    local_one: OnnxEmbedder = request.getfixturevalue("bundled")
    return CachedQueries(local_one) if request.param == "cached" else local_one


UNUSUAL = ["", " ", "\x00", "a \ud800 lone surrogate", "😀", "你好", "tea " * 5_000, "x" * 200_000, "\n" * 10_000]


class TestEveryEmbedder:
    def test_makes_vectors_of_unit_length_and_of_the_promised_dimension(self, embedder: Embedder) -> None:
        for vector in [*embedder.embed_passages(["Alice likes tea", *UNUSUAL]), embedder.embed_query("tea?")]:
            assert len(vector) == embedder.dimensions
            assert math.hypot(*vector) == pytest.approx(1, abs=1e-5)
            assert all(type(value) is float for value in vector)

    def test_keeps_the_order_and_gives_a_text_the_same_vector_in_any_company(self, embedder: Embedder) -> None:
        texts = ["Alice likes tea", "Bob drives a very old red car to work, except on Fridays", "Alice likes tea", "no"]
        together = embedder.embed_passages(texts)
        assert together == [embedder.embed_passages([text])[0] for text in texts]
        assert together[0] == together[2] != together[1]

    def test_gives_a_query_the_same_vector_again(self, embedder: Embedder) -> None:
        assert embedder.embed_query("what does Alice drink?") == embedder.embed_query("what does Alice drink?")

    def test_has_nothing_to_say_about_nothing(self, embedder: Embedder) -> None:
        assert embedder.embed_passages([]) == []

    def test_is_named(self, embedder: Embedder) -> None:
        assert embedder.model


# --- The local model


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("What does Alice drink?", "Alice is fond of green tea.", "Alice parks behind the office."),
        ("When is the release?", "We ship version 2 on Friday.", "The cat sleeps on the sofa."),
        ("database errors", "Postgres refused the connection.", "Bob baked a cake."),
    ],
)
def test_meaning_brings_texts_together(bundled: OnnxEmbedder, question: str, near: str, far: str) -> None:
    query = bundled.embed_query(question)
    near_vector, far_vector = bundled.embed_passages([near, far])
    assert cosine(query, near_vector) > cosine(query, far_vector) + 0.05


def test_a_query_is_embedded_with_the_prefix_of_the_model(bundled: OnnxEmbedder) -> None:
    prefixed = "Represent this sentence for searching relevant passages: tea"
    assert bundled.embed_query("tea") == bundled.embed_passages([prefixed])[0]


def test_what_is_beyond_512_tokens_is_not_read(bundled: OnnxEmbedder) -> None:
    read, longer, shorter = bundled.embed_passages(["tea " * 510, "tea " * 510 + "coffee", "tea " * 500 + "coffee"])
    assert read == longer != shorter


def test_the_session_is_loaded_once_for_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[str] = []
    load = local._load

    def counted(source: LocalModel) -> local._Engine:
        loads.append(source.name)
        return load(source)

    monkeypatch.setattr(local, "_load", counted)
    fresh = OnnxEmbedder(bundled_model(), threads=2)
    assert loads == []
    with ThreadPoolExecutor(8) as pool:
        vectors = list(pool.map(fresh.embed_query, ["tea"] * 16))
    assert loads == ["bge-small-en-v1.5-int8"]
    assert all(vector == vectors[0] for vector in vectors)


@pytest.mark.heavy
def test_nothing_heavy_is_imported_before_it_is_needed_and_the_bundle_never() -> None:
    script = """
import sys
import core.embedding, core.text.tokens
heavy = {"numpy", "onnxruntime", "tokenizers", "bpe_openai", "compartment", "django"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
from core.embedding.model_files import bundled_model
core.embedding.OnnxEmbedder(bundled_model(), threads=1).embed_query("tea")
core.text.tokens.count_tokens("tea")
assert not {"compartment", "bpe_openai", "django"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True, cwd=Path(__file__).parents[2], timeout=60)


# --- A remote endpoint


def test_texts_travel_in_batches(endpoint: Endpoint) -> None:
    vectors = endpoint.embedder(batch_size=2).embed_passages(["a", "b", "c", "d", "e"])
    assert [request["input"] for request in endpoint.requests] == [["a", "b"], ["c", "d"], ["e"]]
    assert {(request["path"], request["model"]) for request in endpoint.requests} == {("/v1/embeddings", "tiny")}
    assert vectors == [endpoint.embedder().embed_query(text) for text in "abcde"]


def test_long_and_empty_texts_are_made_acceptable(endpoint: Endpoint) -> None:
    endpoint.embedder(max_tokens=2).embed_passages(["", "Alice likes green tea"])
    assert endpoint.requests[0]["input"] == [" ", "Alice likes"]


@pytest.mark.parametrize(("key", "header"), [("", None), ("a-key", "Bearer a-key")])
def test_the_key_travels_as_a_bearer_token(endpoint: Endpoint, key: str, header: str | None) -> None:
    endpoint.embedder(api_key=key).embed_query("tea")
    assert endpoint.authorizations == [header]


def echo(texts: list[str]) -> dict[str, Any]:
    return {"error": {"message": f"I do not like {texts}"}}


def one_vector(*values: float, index: int = 0) -> Callable[[list[str]], Any]:
    return lambda _: {"data": [{"index": index, "embedding": list(values)}]}


@pytest.mark.parametrize(
    ("reply", "error", "says", "attempts"),
    [
        (Reply(status=400, body=echo), EmbeddingFailedError, "400. Check EMBEDDER_MODEL", 1),
        (Reply(status=401, body=echo), EmbeddingFailedError, "401. Check EMBEDDER_API_KEY", 1),
        (Reply(status=404, body=echo), EmbeddingFailedError, "404. Check EMBEDDER_URL", 1),
        (Reply(status=307, headers={"Location": "http://127.0.0.1:9/"}), EmbeddingFailedError, "307", 1),
        (Reply(status=429, body=echo), EmbeddingFailedError, "429 again and again", 3),
        (Reply(status=503, body=echo, headers={"Retry-After": "0"}), EmbeddingFailedError, "503", 3),
        (Reply(status=503, headers={"Retry-After": "²"}), EmbeddingFailedError, "503", 3),
        (Reply(body=echo), EmbeddingFailedError, "OpenAI's format", 1),
        (Reply(body=lambda texts: {"data": [{"index": 0, "embedding": texts}]}), EmbeddingFailedError, "format", 1),
        (Reply(body=lambda _: {"data": []}), EmbeddingFailedError, "0 vectors for 1 texts", 1),
        (Reply(body=one_vector(*[1.0] * 8, index=1)), EmbeddingFailedError, "1 vectors for 1 texts", 1),
        (Reply(body=one_vector(*[0.0] * 8)), EmbeddingFailedError, "without a direction", 1),
        (Reply(body=one_vector(*[math.nan] * 8)), EmbeddingFailedError, "without a direction", 1),
        (Reply(body=one_vector(1.0, 2.0)), EmbedderMisconfiguredError, "EMBEDDER_DIMENSIONS=2", 1),
    ],
)
def test_a_bad_answer_is_an_error_that_says_what_to_do_and_never_what_was_sent(
    endpoint: Endpoint, reply: Reply, error: type[EmbedderError], says: str, attempts: int
) -> None:
    endpoint.replies = [reply]
    with pytest.raises(error, match=says) as raised:
        endpoint.embedder(retries=2).embed_query(SECRET_TEXT)
    assert len(endpoint.requests) == attempts
    assert "flowerpot" not in f"{raised.value!r} {raised.value.__cause__!r} {raised.value.__cause__}"


def test_a_moment_of_weakness_is_waited_out(endpoint: Endpoint) -> None:
    endpoint.replies = [Reply(status=503), Reply(status=429, headers={"Retry-After": "0"}), Reply()]
    assert len(endpoint.embedder(retries=2).embed_query("tea")) == 8
    assert len(endpoint.requests) == 3


def test_no_answer_in_time_is_an_error(endpoint: Endpoint) -> None:
    endpoint.replies = [Reply(delay_seconds=60)]
    with pytest.raises(EmbeddingFailedError, match="did not answer"):
        endpoint.embedder(timeout_seconds=0.05, retries=1).embed_query("tea")
    assert comes_true(lambda: len(endpoint.requests) == 2)


@pytest.mark.parametrize("replies", [[Reply(delay_seconds=60)], [Reply(status=503, headers={"Retry-After": "60"})]])
def test_a_query_waits_no_longer_than_its_deadline_whatever_the_endpoint_does(
    endpoint: Endpoint, replies: list[Reply]
) -> None:
    endpoint.replies = replies
    started = time.monotonic()
    with pytest.raises(EmbeddingFailedError):
        endpoint.embedder(query_seconds=0.1).embed_query("tea")
    assert time.monotonic() - started < 5  # an attempt may take ten, and so may a pause
    assert len(endpoint.requests) <= 1


def test_nobody_there_is_an_error() -> None:
    with pytest.raises(EmbeddingFailedError, match="EMBEDDER_URL"):
        HttpEmbedder(url="http://127.0.0.1:9", model="tiny", dimensions=8, backoff_seconds=0).embed_query("tea")


# --- Recent queries


@dataclass
class CountingEmbedder:
    """The bundled embedder, counting what it is asked."""

    inner: OnnxEmbedder
    asked: Counter[str] = field(default_factory=Counter)

    @property
    def model(self) -> str:
        return self.inner.model

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        self.asked.update(texts)
        return self.inner.embed_passages(texts)

    def embed_query(self, text: str, *, partition: UUID | None = None) -> Vector:
        self.asked[text] += 1
        return self.inner.embed_query(text)


def test_a_query_is_embedded_once_while_it_is_recent(bundled: OnnxEmbedder) -> None:
    counting = CountingEmbedder(bundled)
    cached = CachedQueries(counting, size=2)
    for text in ["tea", "tea", "coffee", "tea", "milk", "tea", "coffee"]:
        cached.embed_query(text, partition=ACME)
    assert counting.asked == {"tea": 1, "coffee": 2, "milk": 1}


def test_a_query_of_another_workspace_is_not_in_the_cache(bundled: OnnxEmbedder) -> None:
    counting = CountingEmbedder(bundled)
    cached = CachedQueries(counting)
    for workspace_id in (ACME, UMBRELLA, ACME, UMBRELLA, None, None):
        cached.embed_query("tea", partition=workspace_id)
    assert counting.asked == {"tea": 4}


def test_a_remembered_vector_cannot_be_spoilt_by_who_got_it(bundled: OnnxEmbedder) -> None:
    cached = CachedQueries(bundled)
    for _ in range(2):
        cached.embed_query("tea", partition=ACME).clear()
    assert cached.embed_query("tea", partition=ACME) == bundled.embed_query("tea")


def test_the_vector_of_a_query_is_not_given_to_a_passage(bundled: OnnxEmbedder) -> None:
    cached = CachedQueries(bundled)
    assert cached.embed_query("tea") != cached.embed_passages(["tea"])[0]


# --- What the settings choose


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"source": "none"}, EmbedderOffError, "switched off"),
        ({"source": "none", "url": "http://127.0.0.1:9"}, EmbedderOffError, "switched off"),
        ({"source": "/nowhere"}, EmbedderMisconfiguredError, '"bundled", "none" or EMBEDDER_URL'),
        ({"dimensions": 768}, EmbedderMisconfiguredError, "EMBEDDER_DIMENSIONS=384"),
        ({"url": "http://127.0.0.1:9"}, EmbedderMisconfiguredError, "EMBEDDER_MODEL"),
        ({"url": "ftp://127.0.0.1", "model": "m"}, EmbedderMisconfiguredError, "http"),
    ],
)
def test_settings_that_give_no_embedder_give_a_reason(
    changes: dict[str, object], error: type[EmbedderUnavailableError], says: str
) -> None:
    with override_settings(EMBEDDER=SETTINGS | changes):
        assert default_embedder() is None
        reason = embedder_unavailable()
    assert type(reason) is error
    assert says in reason.detail
    assert reason.code == error.code


def test_the_bundled_model_is_the_default_and_there_is_one_for_all_threads() -> None:
    with override_settings(EMBEDDER=SETTINGS), ThreadPoolExecutor(8) as pool:
        embedders = list(pool.map(lambda _: default_embedder(), range(16)))
        assert embedder_unavailable() is None
    assert embedders[0] is not None
    assert embedders[0].model == "bge-small-en-v1.5-int8"
    assert all(embedder is embedders[0] for embedder in embedders)


def test_a_url_chooses_the_endpoint(endpoint: Endpoint) -> None:
    chosen = build_embedder(SETTINGS | {"url": endpoint.url, "model": "tiny", "dimensions": 8, "api_key": "k"})
    assert chosen.model == "tiny@8"
    assert chosen.embed_query("tea") == endpoint.embedder().embed_query("tea")
