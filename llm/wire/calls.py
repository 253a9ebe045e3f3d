"""Calls for a thread that waits: what the router imports when a model is called."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from typing import TypeVar

from pydantic import BaseModel

from llm.exchange import Answer, Prompt, Target
from llm.metering import Meter
from llm.wire import loop
from llm.wire.asking import ask, ask_streaming
from llm.wire.clients import line_to
from llm.wire.failures import timed_out
from llm.wire.structured import ask_for

S = TypeVar("S", bound=BaseModel)


def answer(target: Target, prompt: Prompt, *, meter: Meter) -> Answer:
    """The whole answer, within the provider's time. Raises ProviderFailureError."""

    line = line_to(target)

    async def call() -> Answer:
        async with _deadline(target):
            given = await ask(line, prompt)
        meter.add(prompt, given)
        return given

    return loop.run(call())


def answer_in_form(target: Target, prompt: Prompt, schema: type[S], *, meter: Meter) -> tuple[Answer, S]:
    """The answer and its value, within the provider's time. Raises ProviderFailureError and ModelError."""

    line = line_to(target)

    async def call() -> tuple[Answer, S]:
        async with _deadline(target):
            return await ask_for(line, prompt, schema, meter=meter)

    return loop.run(call())


def answer_pieces(target: Target, prompt: Prompt) -> Generator[str | Answer, None, None]:
    """Pieces of text as they come, and the whole answer last. Raises ProviderFailureError.

    The provider's time is for each piece.
    """
    return loop.iterate(ask_streaming(line_to(target), prompt))


@asynccontextmanager
async def _deadline(target: Target) -> AsyncIterator[None]:
    """One time for all attempts, repairs and pauses together."""
    try:
        async with asyncio.timeout(target.timeout_seconds):
            yield
    except TimeoutError:
        raise timed_out(target) from None
