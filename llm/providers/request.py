"""One question to one model: plain, in a form, or streamed, with the retries that may help."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from core.text import storable
from llm.providers.client import ProviderClient
from llm.providers.error_translation import FAILURES, as_failure, is_form_refused, is_worth_a_retry
from llm.providers.types import BROKE_OFF, Answer, Prompt, Target
from llm.providers.usage import believe_count

RETRIES = 2
OUR_RETRIES = ModelSettings(max_retries=0)  # all three libraries retry, each in its way; none of them may here
FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 10.0

# A stream may go on for this long, however steadily it drips.
LONGEST_STREAM_SECONDS = 600


class Form(StrEnum):
    """How an answer is held to a schema."""

    STRICT = "json_schema"
    OBJECT = "json_object"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form that an answer shall have."""

    form: Form
    schema: type[BaseModel]


async def ask(client: ProviderClient, prompt: Prompt, *, wanted: Wanted | None = None) -> Answer:
    """Return the whole answer. Raises ProviderFailureError."""
    messages, parameters = _messages(prompt), _parameters(wanted)
    attempt = 0
    while True:
        try:
            response = await model_request(
                client.model, messages, model_settings=OUR_RETRIES, model_request_parameters=parameters
            )
            return _answer(response)
        except FAILURES as error:
            if not _may_help(error, attempt) or (wanted and is_form_refused(error)):
                raise as_failure(error, client.target) from None
            pause = _pause(error, attempt)
        await asyncio.sleep(pause)
        attempt += 1


async def ask_streaming(client: ProviderClient, prompt: Prompt) -> AsyncGenerator[str | Answer, None]:
    """Pieces of text as they come, and the whole answer last. Nothing is retried once a piece is out.

    Raises ProviderFailureError.
    """
    messages, settings = _messages(prompt), _stream_settings(client.target)
    attempt = 0
    while True:
        has_begun = False
        try:
            async with model_request_stream(client.model, messages, model_settings=settings) as stream:
                async for event in stream:
                    if text := _text(event):
                        has_begun = True
                        yield text
                # Without a reason the stream did not end, it stopped.
                yield _answer(stream.get(), unless_said=BROKE_OFF)
                return
        except FAILURES as error:
            if has_begun or not _may_help(error, attempt):
                raise as_failure(error, client.target, has_begun=has_begun) from None
            pause = _pause(error, attempt)
        await asyncio.sleep(pause)
        attempt += 1


def _messages(prompt: Prompt) -> list[ModelMessage]:
    said: list[ModelMessage] = []
    for message in prompt.messages:
        if message.role == "assistant":
            said.append(ModelResponse(parts=[TextPart(message.content)]))
        else:
            said.append(ModelRequest(parts=[UserPromptPart(message.content)], instructions=prompt.system or None))
    return said


def _stream_settings(target: Target) -> ModelSettings:
    return ModelSettings(
        timeout=target.timeout_seconds,  # of each piece
        first_event_timeout=target.timeout_seconds,
        request_timeout=LONGEST_STREAM_SECONDS,
        **OUR_RETRIES,
    )


def _parameters(wanted: Wanted | None) -> ModelRequestParameters:
    if wanted is None:
        return ModelRequestParameters()
    schema = OutputObjectDefinition(
        json_schema=wanted.schema.model_json_schema(), name=wanted.schema.__name__, strict=True
    )
    return ModelRequestParameters(
        output_mode="native" if wanted.form == Form.STRICT else "prompted", output_object=schema
    )


def _text(event: ModelResponseStreamEvent) -> str:
    if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
        return storable(event.part.content)
    if isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
        return storable(event.delta.content_delta)
    return ""


def _answer(response: ModelResponse, *, unless_said: str = "stop") -> Answer:
    text = storable("".join(part.content for part in response.parts if isinstance(part, TextPart)))
    tokens = (believe_count(response.usage.input_tokens), believe_count(response.usage.output_tokens))
    return Answer(text, response.finish_reason or unless_said, *tokens)


def _may_help(error: Exception, attempt: int) -> bool:
    return attempt < RETRIES and is_worth_a_retry(error)


def _pause(error: Exception, attempt: int) -> float:
    """Seconds: what the provider asks for, else doubling, with jitter so that callers do not return together."""
    jittered = FIRST_PAUSE_SECONDS * 2.0**attempt * random.uniform(0.5, 1.5)  # noqa: S311  # nothing secret
    asked: float | None = getattr(error, "retry_after", None)
    return min(jittered if asked is None else asked, LONGEST_PAUSE_SECONDS)
