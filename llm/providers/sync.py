"""Calls for a thread that waits: what the router imports when a model is called."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from typing import TypeVar

from pydantic import BaseModel

from llm.providers import loop
from llm.providers.client import get_provider_client
from llm.providers.error_translation import timeout_failure
from llm.providers.request import ask, ask_streaming
from llm.providers.structured_output import request_structured
from llm.providers.types import Answer, Prompt, Target
from llm.providers.usage import Meter

S = TypeVar("S", bound=BaseModel)


def answer(target: Target, prompt: Prompt, *, meter: Meter) -> Answer:
    """Return the whole answer, within the provider's time. Raises ProviderFailureError."""

    client = get_provider_client(target)

    async def call() -> Answer:
        async with _deadline(target):
            given = await ask(client, prompt)
        meter.add(prompt, given)
        return given

    return loop.run(call())


def answer_in_form(target: Target, prompt: Prompt, schema: type[S], *, meter: Meter) -> tuple[Answer, S]:
    """Return the answer and its value, within the provider's time. Raises ProviderFailureError and ModelError."""

    client = get_provider_client(target)

    async def call() -> tuple[Answer, S]:
        async with _deadline(target):
            return await request_structured(client, prompt, schema, meter=meter)

    return loop.run(call())


def answer_pieces(target: Target, prompt: Prompt) -> Generator[str | Answer, None, None]:
    """Pieces of text as they come, and the whole answer last. Raises ProviderFailureError.

    The provider's time is for each piece.
    """
    return loop.iterate(ask_streaming(get_provider_client(target), prompt))


@asynccontextmanager
async def _deadline(target: Target) -> AsyncIterator[None]:
    """One time for all attempts, repairs and pauses together."""
    try:
        async with asyncio.timeout(target.timeout_seconds):
            yield
    except TimeoutError:
        raise timeout_failure(target) from None
