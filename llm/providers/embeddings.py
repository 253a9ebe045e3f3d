"""Texts to vectors at an endpoint that speaks OpenAI's `/embeddings`, through checked connections, nothing believed
unchecked.

The libraries behind completions are not imported: a search that makes a vector should not wait for that.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from httpx2 import AsyncClient, HTTPError, Limits, Response
from pydantic import BaseModel, ConfigDict, ValidationError

from llm.models import ProviderKind
from llm.providers import loop
from llm.providers.checked_transport import MEBIBYTE, AddressRefusedError, AnswerRefusedError, make_checked_client
from llm.providers.errors import ModelBrokenAnswerError, ModelError, ModelUnavailableError
from llm.providers.types import Target
from llm.providers.usage import believe_count

# Shorter vectors tell too little apart; longer ones are more than an index of PostgreSQL's would take.
MIN_DIMENSIONS, MAX_DIMENSIONS = 64, 4_000
MAX_TEXTS = 64
# A number takes some 25 characters; the frame around the vectors, and what servers add to it, the rest.
BYTES_OF_A_NUMBER, BYTES_OF_THE_FRAME = 32, MEBIBYTE // 16
RETRIES = 2
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.25, 10.0
BUSY = frozenset({408, 425, 429, 500, 502, 503, 504})
# Sent where a server wants no key, as `llm.providers.client` does.
NO_KEY = "none"
OWN_ADDRESS = "https://api.openai.com/v1"
# Its line for each request would name the address, once for each search.
logging.getLogger("httpx2").setLevel(logging.WARNING)
LIMITS = Limits(max_connections=200, max_keepalive_connections=20)

SENTENCES = {
    401: "{provider} does not accept its key ({status}). Enter the key again in the settings.",
    403: "{provider} does not accept its key ({status}). Enter the key again in the settings.",
    404: "{provider} has no embedding model '{model}', or its address is wrong ({status}).",
    429: "{provider} takes no more requests at the moment ({status}). Try later.",
}
REJECTED = "{provider} did not accept the request for vectors ({status})."
FAILED = "{provider} failed ({status}). Try later."
UNREACHABLE = "{provider} could not be reached, or hung up. Check its address."
REFUSED_ADDRESS = "The address of {provider} is not a public one. The operator can allow it with MODEL_HOSTS."
NOT_THE_FORMAT = "{provider} did not answer with vectors in the format of OpenAI's API."


@dataclass(frozen=True, slots=True)
class Vectors:
    """Vectors of unit length, in the order of the texts; `tokens` by the provider's count, 0 where it reports none."""

    values: list[list[float]]
    tokens: int

    @property
    def dimensions(self) -> int:
        return len(self.values[0])


class _VectorItem(BaseModel):
    index: int
    embedding: list[float]


class _Usage(BaseModel):
    prompt_tokens: int = 0


class _VectorAnswer(BaseModel):
    # A server may echo what it was sent, and the echo must not reach a log.
    model_config = ConfigDict(hide_input_in_errors=True)

    data: list[_VectorItem]
    usage: _Usage | None = None


class _RetryLaterError(Exception):
    """No answer, or one that says "later"; `error` is what the caller sees after the last attempt."""

    def __init__(self, error: ModelError, *, retry_after: str = "") -> None:
        super().__init__(error.detail)
        self.error = error
        self.retry_after = retry_after


def request_vectors(target: Target, texts: Sequence[str], *, seconds: float) -> Vectors:
    """Return the vectors of 1 to 64 texts, all attempts within `seconds`.

    Raises ModelUnavailableError and ModelBrokenAnswerError, whose sentences hold nothing of the texts.
    """
    if target.kind != ProviderKind.OPENAI:
        raise ModelUnavailableError(f"{target.provider} does not speak OpenAI's API, which embedding models need.")
    client = _http_client(os.getpid())

    async def call() -> Vectors:
        try:
            async with asyncio.timeout(seconds):
                return await _ask(client, target, texts)
        except TimeoutError:
            raise ModelUnavailableError(f"{target.provider} did not answer within {seconds:g} seconds.") from None

    return loop.run(call())


async def _ask(client: AsyncClient, target: Target, texts: Sequence[str]) -> Vectors:
    attempt = 0
    while True:
        try:
            content = await _post(client, target, texts)
            # Not in the event loop, which all workspaces share: numbers by the hundred thousand take their time.
            return await asyncio.to_thread(_read, target, content, len(texts))
        except _RetryLaterError as failure:
            if attempt >= RETRIES:
                raise failure.error from None
            pause = _pause(failure.retry_after, attempt)
        await asyncio.sleep(pause)
        attempt += 1


async def _post(client: AsyncClient, target: Target, texts: Sequence[str]) -> bytes:
    address = f"{(target.base_url or OWN_ADDRESS).rstrip('/')}/embeddings"
    body = {"model": target.model, "input": list(texts), "encoding_format": "float"}
    headers = {"Authorization": f"Bearer {target.key or NO_KEY}"}
    try:
        async with client.stream("POST", address, json=body, headers=headers) as response:
            _refuse_status(target, response)
            return await _content(target, response, limit=_max_bytes(len(texts)))
    except HTTPError as error:
        if isinstance(error, AnswerRefusedError):
            raise ModelBrokenAnswerError(NOT_THE_FORMAT.format(provider=target.provider)) from None
        if _is_refused_address(error):
            raise ModelUnavailableError(REFUSED_ADDRESS.format(provider=target.provider)) from None
        raise _RetryLaterError(ModelUnavailableError(UNREACHABLE.format(provider=target.provider))) from None


def _refuse_status(target: Target, response: Response) -> None:
    status = response.status_code
    if response.is_success:
        return
    sentence = SENTENCES.get(status, FAILED if status >= 500 else REJECTED)
    error = ModelUnavailableError(sentence.format(provider=target.provider, model=target.model, status=status))
    if status in BUSY:
        raise _RetryLaterError(error, retry_after=response.headers.get("retry-after", ""))
    raise error


def _max_bytes(texts: int) -> int:
    return texts * MAX_DIMENSIONS * BYTES_OF_A_NUMBER + BYTES_OF_THE_FRAME


async def _content(target: Target, response: Response, *, limit: int) -> bytes:
    content = bytearray()
    async for piece in response.aiter_bytes():
        content += piece
        if len(content) > limit:
            raise ModelBrokenAnswerError(NOT_THE_FORMAT.format(provider=target.provider))
    return bytes(content)


def _read(target: Target, content: bytes, number: int) -> Vectors:
    try:
        answer = _VectorAnswer.model_validate_json(content)
    except ValidationError:
        raise ModelBrokenAnswerError(NOT_THE_FORMAT.format(provider=target.provider)) from None
    items = sorted(answer.data, key=lambda item: item.index)
    if [item.index for item in items] != list(range(number)):
        raise ModelBrokenAnswerError(f"{target.provider} returned {len(items)} vectors for {number} texts.")
    values = [_unit(target, item.embedding) for item in items]
    if len({len(vector) for vector in values}) != 1:
        raise ModelBrokenAnswerError(f"{target.provider} returned vectors of different lengths.")
    return Vectors(values, believe_count(answer.usage.prompt_tokens) if answer.usage else 0)


def _unit(target: Target, vector: list[float]) -> list[float]:
    if not MIN_DIMENSIONS <= len(vector) <= MAX_DIMENSIONS:
        raise ModelBrokenAnswerError(
            f"'{target.model}' makes {len(vector):,} dimensions; from {MIN_DIMENSIONS} to {MAX_DIMENSIONS:,} are kept."
        )
    length = math.hypot(*vector)
    if not math.isfinite(length) or length == 0:
        raise ModelBrokenAnswerError(f"{target.provider} returned a vector without a direction.")
    return [value / length for value in vector]


def _pause(retry_after: str, attempt: int) -> float:
    """Seconds: what the provider asks for, else doubling, with jitter so that callers do not return together."""
    jittered = FIRST_PAUSE_SECONDS * 2.0**attempt * random.uniform(0.5, 1.5)  # noqa: S311  # nothing secret
    return min(float(retry_after) if retry_after.isdecimal() else jittered, LONGEST_PAUSE_SECONDS)


def _is_refused_address(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, AddressRefusedError):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


@lru_cache(maxsize=1)
def _http_client(pid: int) -> AsyncClient:
    """One pool for a process; a forked child must not write into its parent's sockets, so it gets another."""
    return make_checked_client(LIMITS, max_bytes=_max_bytes(MAX_TEXTS), max_values=None)
