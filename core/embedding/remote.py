"""Any endpoint that speaks OpenAI's `/embeddings`."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from uuid import UUID

import httpx
from pydantic import BaseModel, ConfigDict, ValidationError

from core.embedding.errors import EmbedderMisconfiguredError, EmbeddingFailedError
from core.embedding.port import Vector
from core.text import encodable
from core.text.tokens import trim_to_tokens
from core.thread_timeouts import DeadlineError, run_with_timeout

_BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
_LONGEST_PAUSE_SECONDS = 10.0
_SHORTEST_SECONDS = 0.01

_ADVICE = {
    401: "Check EMBEDDER_API_KEY.",
    403: "Check EMBEDDER_API_KEY.",
    404: "Check EMBEDDER_URL and EMBEDDER_MODEL.",
}
_OTHER_ADVICE = "Check EMBEDDER_MODEL and what the endpoint logged."


class _WorthARetryError(EmbeddingFailedError):
    """No answer, or one that says "later"; the last of them is what the caller sees."""

    def __init__(self, detail: str, *, retry_after: str = "") -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class _Item(BaseModel):
    index: int
    embedding: list[float]


class _Answer(BaseModel):
    # An endpoint may echo what it was sent, and the echo must not reach a log.
    model_config = ConfigDict(hide_input_in_errors=True)

    data: list[_Item]


class HttpEmbedder:
    """Sends texts in batches, tries again where that can help, and believes no answer unchecked."""

    def __init__(
        self,
        *,
        url: str,
        model: str,
        dimensions: int,
        api_key: str = "",
        timeout_seconds: float = 10.0,
        query_seconds: float = 1.0,
        retries: int = 2,
        backoff_seconds: float = 0.25,
        batch_size: int = 64,
        max_tokens: int = 8_000,
    ) -> None:
        """`url` is the base, for example `https://api.openai.com/v1`; `retries` are made after the first attempt.

        Each attempt may take `timeout_seconds`. A query, for which a caller waits, may take `query_seconds` in all.
        """
        if not url.startswith(("http://", "https://")) or not model:
            raise EmbedderMisconfiguredError("EMBEDDER_URL needs an http(s) address, and EMBEDDER_MODEL a name.")
        self._name = model
        self._dimensions = dimensions
        self._retries = retries
        self._backoff_seconds = backoff_seconds
        self._batch_size = batch_size
        self._max_tokens = max_tokens
        self._timeout_seconds = timeout_seconds
        self._query_seconds = query_seconds
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._client = httpx.Client(base_url=url, headers=headers)

    @property
    def model(self) -> str:
        return f"{self._name}@{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        starts = range(0, len(texts), self._batch_size)
        batches = (texts[start : start + self._batch_size] for start in starts)
        return [vector for batch in batches for vector in self._embed_batch(batch, until=math.inf)]

    def embed_query(self, text: str, *, partition: UUID | None = None) -> Vector:
        until = time.monotonic() + self._query_seconds
        try:
            # In a thread, since a timeout of the client starts over with every byte that drips in.
            return run_with_timeout(
                self._query_seconds, lambda: self._embed_batch([text], until=until)[0], pool="embedding"
            )
        except DeadlineError as error:
            message = f"The embeddings endpoint did not answer within {self._query_seconds:g} s. Check EMBEDDER_URL."
            raise EmbeddingFailedError(message) from error

    def _embed_batch(self, texts: Sequence[str], *, until: float) -> list[Vector]:
        # Endpoints refuse the whole batch for one text that is too long, or empty.
        prepared = [trim_to_tokens(encodable(text), limit=self._max_tokens) or " " for text in texts]
        response = self._post_with_retries({"model": self._name, "input": prepared}, until=until)
        try:
            items = sorted(_Answer.model_validate_json(response.content).data, key=lambda item: item.index)
        except ValidationError as error:
            raise EmbeddingFailedError("The embeddings endpoint did not answer in OpenAI's format.") from error
        if [item.index for item in items] != list(range(len(texts))):
            raise EmbeddingFailedError(f"The embeddings endpoint returned {len(items)} vectors for {len(texts)} texts.")
        return [self._validate(item.embedding) for item in items]

    def _post_with_retries(self, body: dict[str, object], *, until: float) -> httpx.Response:
        for attempt in range(self._retries):
            try:
                return self._post(body, until=until)
            except _WorthARetryError as failure:
                pause = self._pause(attempt=attempt, retry_after=failure.retry_after)
                if time.monotonic() + pause >= until:
                    raise
            time.sleep(pause)
        return self._post(body, until=until)

    def _post(self, body: dict[str, object], *, until: float) -> httpx.Response:
        seconds = min(self._timeout_seconds, max(until - time.monotonic(), _SHORTEST_SECONDS))
        try:
            response = self._client.post("embeddings", json=body, timeout=seconds)
        except httpx.RequestError as error:
            raise _WorthARetryError("The embeddings endpoint did not answer. Check EMBEDDER_URL.") from error
        status = response.status_code
        if status in _BUSY:
            message = f"The embeddings endpoint answered {status} again and again. Try later."
            raise _WorthARetryError(message, retry_after=response.headers.get("retry-after", ""))
        if not response.is_success:
            raise EmbeddingFailedError(
                f"The embeddings endpoint answered {status}. {_ADVICE.get(status, _OTHER_ADVICE)}"
            )
        return response

    def _pause(self, *, attempt: int, retry_after: str) -> float:
        """Seconds: what the endpoint asks for, else doubling, with jitter so that processes do not return together."""
        jittered = self._backoff_seconds * 2.0**attempt * random.uniform(0.5, 1.5)  # noqa: S311  # nothing secret
        return min(float(retry_after) if retry_after.isdecimal() else jittered, _LONGEST_PAUSE_SECONDS)

    def _validate(self, vector: Vector) -> Vector:
        if len(vector) != self._dimensions:
            raise EmbedderMisconfiguredError(
                f"{self._name} makes {len(vector)} dimensions: set EMBEDDER_DIMENSIONS={len(vector)}."
            )
        length = math.hypot(*vector)
        if not math.isfinite(length) or length == 0:
            raise EmbeddingFailedError("The embeddings endpoint returned a vector without a direction.")
        return [value / length for value in vector]
