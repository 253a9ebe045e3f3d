"""What a provider's embeddings endpoint answers: vectors of the words of each text, and what real ones get wrong."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from tests.llm.server import ModelServer, Reply, Seen

Embeddings = list[list[float]]


@dataclass
class VectorEndpoint:
    """Answers `/embeddings` at a server; `dimensions` by the name of the model, `failure` in place of vectors."""

    server: ModelServer
    dimensions: dict[str, int] = field(default_factory=lambda: {"words-1": 256, "words-2": 512})
    failure: Reply | None = None
    changed: Callable[[Embeddings], Any] = lambda vectors: vectors
    pause_seconds: float = 0.0
    tokens_of_text: int = 10
    texts: list[str] = field(default_factory=list)
    lock: Any = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.server.chooses = self.reply_to

    def reply_to(self, seen: Seen) -> Reply:
        assert seen.path == "/v1/embeddings", seen.path
        if self.failure:
            return self.failure
        texts = seen.body["input"]
        with self.lock:
            self.texts += texts
        vectors = self.changed([self._vector(text, self.dimensions[seen.body["model"]]) for text in texts])
        items = [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]
        tokens = self.tokens_of_text * len(texts)
        answer = {"data": items, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}}
        return Reply(raw=json.dumps(answer).encode(), waits_seconds=self.pause_seconds)

    @staticmethod
    def _vector(text: str, dimensions: int) -> list[float]:
        vector = [0.01] * dimensions
        vector[0] = 3.0  # as real models do, find something in common in all texts
        for word in re.findall(r"\w+", text.lower()):
            vector[int.from_bytes(sha256(word.encode()).digest()[:4]) % dimensions] += 1.0
        return vector
