"""Chat completions in OpenAI's form, passed to a provider as they are and back, over checked connections.

The libraries behind other completions are not used: they would read a request and write another one.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any

from httpx2 import AsyncClient, HTTPError, Limits, Response, Timeout, TimeoutException

from llm.models import ProviderKind
from llm.providers import loop
from llm.providers.checked_transport import (
    MEBIBYTE,
    AddressRefusedError,
    AnswerRefusedError,
    make_checked_client,
)
from llm.providers.errors import (
    ModelBrokenAnswerError,
    ModelBusyError,
    ModelError,
    ModelRequestRejectedError,
    ModelUnreachableError,
)
from llm.providers.types import Target

# Sent where a server wants no key, as `llm.providers.client` does.
NO_KEY = "none"
OWN_ADDRESS = "https://api.openai.com/v1"
LIMITS = Limits(max_connections=1_000, max_keepalive_connections=100)
# Probabilities of tokens are some ten values for each; they are read in the thread that waits, not in the event loop.
MAX_VALUES = 200_000
# A stream may go on for this long, however steadily it drips.
LONGEST_STREAM_SECONDS = 600
MAX_LINE_BYTES = 4 * MEBIBYTE

SENTENCES = {
    401: "{provider} does not accept its key ({status}). Enter the key again in the settings.",
    403: "{provider} does not accept its key ({status}). Enter the key again in the settings.",
    404: "{provider} has no model '{model}', or its address is wrong ({status}).",
    429: "{provider} takes no more requests at the moment ({status}). Try later.",
}
REJECTED = "{provider} did not accept the request ({status}). Compare it with what the provider's API takes."
FAILED = "{provider} failed ({status}). Try later."
UNREACHABLE = "{provider} could not be reached, or hung up. Check its address."
REFUSED_ADDRESS = "The address of {provider} is not a public one. The operator can allow it with MODEL_HOSTS."
TOO_LATE = "{provider} did not answer within {seconds} seconds."
TOO_LONG = "{provider} sent a longer answer than is read, or one of too many parts, or a compressed one."
OTHER_API = "{provider} does not speak OpenAI's API. Name a model of a provider that does."


def request_completion(target: Target, body: Mapping[str, Any]) -> bytes:
    """Return the provider's whole answer as it came, within the provider's time.

    Raises ModelError, whose sentence holds nothing of the request or the answer.
    """
    _refuse_other_api(target)

    async def call() -> bytes:
        async with _send(target, body, read_seconds=None) as response:
            return await response.aread()

    async def in_time() -> bytes:
        try:
            async with asyncio.timeout(target.timeout_seconds):
                return await call()
        except TimeoutError:
            raise _too_late(target) from None

    return loop.run(in_time())


def stream_completion(target: Target, body: Mapping[str, Any]) -> Generator[bytes, None, None]:
    """Yield the lines of the provider's stream as they come, each with its line feed.

    The provider's time is for each piece. Raises ModelError, also after some lines.
    """
    _refuse_other_api(target)
    return loop.iterate(_lines(target, body))


async def _lines(target: Target, body: Mapping[str, Any]) -> AsyncGenerator[bytes, None]:
    rest = bytearray()
    try:
        async with asyncio.timeout(LONGEST_STREAM_SECONDS):
            async with _send(target, body, read_seconds=target.timeout_seconds) as response:
                # Not `aiter_lines`, which also ends a line at characters that a JSON string may hold.
                async for piece in response.aiter_bytes():
                    *ended, last = (rest + piece).split(b"\n")
                    for line in ended:
                        yield bytes(line) + b"\n"
                    rest = bytearray(last)
                    if len(rest) > MAX_LINE_BYTES:
                        raise ModelBrokenAnswerError(TOO_LONG.format(provider=target.provider))
            if rest:
                yield bytes(rest) + b"\n"
    except TimeoutError:
        raise _too_late(target, seconds=LONGEST_STREAM_SECONDS) from None


@asynccontextmanager
async def _send(target: Target, body: Mapping[str, Any], *, read_seconds: int | None) -> AsyncGenerator[Response, None]:
    """Send the body; the answer's status is good. Raises ModelError."""
    address = f"{(target.base_url or OWN_ADDRESS).rstrip('/')}/chat/completions"
    headers = {"Authorization": f"Bearer {target.key or NO_KEY}", "Content-Type": "application/json"}
    content = json.dumps(body, ensure_ascii=True, allow_nan=False).encode()
    timeout = Timeout(target.timeout_seconds, read=read_seconds)
    try:
        async with _http_client(os.getpid()).stream(
            "POST", address, content=content, headers=headers, timeout=timeout
        ) as response:
            _refuse_status(target, response)
            yield response
    except HTTPError as error:
        raise _translate(error, target) from None


def _refuse_status(target: Target, response: Response) -> None:
    status = response.status_code
    if response.is_success:
        return
    sentence = SENTENCES.get(status, FAILED if status >= 500 or status < 400 else REJECTED)
    kind: type[ModelError] = ModelUnreachableError
    if status == ModelBusyError.status:
        kind = ModelBusyError
    elif sentence == REJECTED:
        kind = ModelRequestRejectedError
    raise kind(sentence.format(provider=target.provider, model=target.model, status=status))


def _translate(error: HTTPError, target: Target) -> ModelError:
    """Return the error to raise in place of the library's, whose text may hold the address."""
    if any(isinstance(cause, AnswerRefusedError) for cause in _behind(error)):
        return ModelBrokenAnswerError(TOO_LONG.format(provider=target.provider))
    if any(isinstance(cause, AddressRefusedError) for cause in _behind(error)):
        return ModelUnreachableError(REFUSED_ADDRESS.format(provider=target.provider))
    if isinstance(error, TimeoutException):
        return _too_late(target)
    return ModelUnreachableError(UNREACHABLE.format(provider=target.provider))


def _behind(error: BaseException | None) -> Generator[BaseException, None, None]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _too_late(target: Target, *, seconds: int | None = None) -> ModelUnreachableError:
    return ModelUnreachableError(TOO_LATE.format(provider=target.provider, seconds=seconds or target.timeout_seconds))


def _refuse_other_api(target: Target) -> None:
    if target.kind != ProviderKind.OPENAI:
        raise ModelRequestRejectedError(OTHER_API.format(provider=target.provider))


@lru_cache(maxsize=1)
def _http_client(pid: int) -> AsyncClient:
    """One pool for a process; a forked child must not write into its parent's sockets, so it gets another."""
    return make_checked_client(LIMITS, max_values=MAX_VALUES)
