"""Running other products on the same texts, on the same machine, with our embedder."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from threading import Thread
from typing import Any

from bench.recall.dataset import DataSet, Said
from bench.recall.product import TIMED, data_id
from core.embedding import Embedder, Vector

LONGEST_SECONDS = 1_800
MAX_MESSAGES = 1_200  # that peers take in: as many conversations as have no more
ANSWERING_SECONDS = 240  # a peer that needs longer is measured on the questions that it has answered by then
DEPTH = 50  # hits that a peer is asked for; ten where its time is taken, as ours is


@dataclass(frozen=True, slots=True)
class Peer:
    """A product, the script that runs it, and the requirements that `pip install --no-deps -r` installs for it."""

    name: str
    script: Path
    requirements: Path


@dataclass(frozen=True, slots=True)
class PeerRun:
    """What a peer answered: rankings by question, times of its searches and, within them, of the questions' vectors,
    and how long it took everything in."""

    name: str
    ranked: dict[str, list[str]]
    milliseconds: list[float]
    vector_milliseconds: list[float]
    ingest_seconds: float


class PeerFailedError(Exception):
    """The peer could not be installed or run here; says why."""


_HERE = Path(__file__).parent / "peers"
PEERS = (
    Peer("mem0", _HERE / "mem0_peer.py", _HERE / "mem0.txt"),
    Peer("mcp-memory-service", _HERE / "mcp_memory_peer.py", _HERE / "mcp_memory.txt"),
)


def passages_of(data: DataSet, embedder: Embedder) -> dict[str, Vector]:
    """What peers are given to keep, and its vectors, made once for all of them."""
    texts = [_text(said) for said in data.texts]
    return dict(zip(texts, embedder.embed_passages(texts), strict=True))


def run_peer(
    peer: Peer,
    data: DataSet,
    *,
    embedder: Embedder,
    passages: Mapping[str, Vector],
    at_once: bool = False,
    depth: int = DEPTH,
) -> PeerRun:
    """Install the peer into an environment of its own, once, and run it; `at_once`, on all conversations as if they
    were one. It is asked for `depth` hits. Raises PeerFailedError."""
    python = _install(peer)
    with TemporaryDirectory() as home, _endpoint(embedder, passages) as (url, vector_times):
        asked, answered = Path(home, "request.json"), Path(home, "answer.json")
        bounds = {"depth": depth, "seconds": ANSWERING_SECONDS, "timed": TIMED}
        asked.write_text(json.dumps({"embedder": url, **bounds, **_request(data, at_once=at_once)}))
        _run([str(python), str(peer.script), str(asked), str(answered)])
        answer = json.loads(answered.read_text())
    name = f"{peer.name} {answer['version']}"
    return PeerRun(name, answer["ranked"], answer["milliseconds"], vector_times, answer["ingest_seconds"])


def _install(peer: Peer) -> Path:
    """The interpreter of an environment among the temporary files, which is thrown away with them."""
    pinned = hashlib.sha256(peer.requirements.read_bytes()).hexdigest()[:12]
    environment = Path(gettempdir(), f"bench-recall-{peer.name}-{pinned}")
    python = environment / "bin" / "python"
    if not (environment / "complete").exists():
        _run([sys.executable, "-m", "venv", "--clear", str(environment)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--no-deps", "-r", str(peer.requirements)])
        (environment / "complete").touch()
    return python


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST_SECONDS)
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["without a word"])[-1]
        raise PeerFailedError(f"{command[1]} ended with {error.returncode}: {last}") from error
    except subprocess.TimeoutExpired as error:
        raise PeerFailedError(f"not done after {LONGEST_SECONDS} s") from error


def _request(data: DataSet, *, at_once: bool) -> dict[str, Any]:
    held: dict[str, list[dict[str, str]]] = defaultdict(list)
    for talk in data.talks:
        messages = [{"id": data_id(talk, said.id), "text": _text(said)} for said in talk.messages]
        held["everything" if at_once else talk.id] += messages
    questions = [(asked, "everything" if at_once else talk.id) for talk, asked in data.mixed]
    return {
        "talks": [{"id": name, "messages": messages} for name, messages in held.items()],
        "questions": [{"id": asked.id, "talk": name, "text": asked.text} for asked, name in questions],
    }


def _text(said: Said) -> str:
    """Who said what when, as one text and on one line: peers know no speakers, and no times of their own."""
    return " ".join(f"[{said.session_time}] {said.speaker}: {said.text}".split())


@contextmanager
def _endpoint(embedder: Embedder, passages: Mapping[str, Vector]) -> Iterator[tuple[str, list[float]]]:
    """OpenAI's `/embeddings` on the loopback, answered by our embedder; questions are embedded when they are asked, and
    how many milliseconds each took grows into the list next to the address."""
    times: list[float] = []

    def vector_of(text: str) -> Vector:
        started = time.perf_counter()
        (vector,) = embedder.embed_passages([text])
        times.append((time.perf_counter() - started) * 1000)
        return vector

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
            texts = [given] if isinstance(given, str) else given
            vectors = [passages.get(text) or vector_of(text) for text in texts]
            items = [{"object": "embedding", "index": at, "embedding": vector} for at, vector in enumerate(vectors)]
            usage = {"prompt_tokens": 0, "total_tokens": 0}
            body = json.dumps({"object": "list", "model": embedder.model, "data": items, "usage": usage}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: a line for each of thousands of texts helps nobody."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", times
    finally:
        server.shutdown()
