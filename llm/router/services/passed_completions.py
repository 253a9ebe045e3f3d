"""Passing a request in OpenAI's form on to a model: recorded and paid for as every call, and not changed on the way."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel
from llm.configuration.services import resolve_target
from llm.providers import chat_completions
from llm.providers.completion_body import CompletionChunks, read_completion
from llm.providers.errors import ModelBrokenAnswerError, ModelCutOffError, ModelError
from llm.providers.types import Answer, Prompt, PromptMessage
from llm.providers.validation import looks_like_refusal
from llm.usage.services import record_call
from workspaces.access.callers import Caller

# How lines of a stream of events begin; another server's page has other ones.
EVENT_FIELDS = (b"data:", b"event:", b"id:", b"retry:", b":")
NOT_THE_FORMAT = "{provider} did not answer in the format of OpenAI's API. Check its address."


@dataclass(frozen=True, slots=True)
class PassedCompletion:
    """The provider's answer as it came, and what it says."""

    content: bytes
    answer: Answer


def pass_completion(*, caller: Caller, choice: ResolvedModel, body: Mapping[str, Any]) -> PassedCompletion:
    """Return the whole answer to a request. Raises a child of ModelError, and ModelInsideTransactionError."""
    prompt = _prompt(body)
    with record_call(caller=caller, kind=CallKind.QA, prompt=prompt, choice=choice, background=False) as recording:
        content = chat_completions.request_completion(resolve_target(choice), _name_model(body, choice))
        answer = read_completion(content)
        if answer is None:
            raise ModelBrokenAnswerError(NOT_THE_FORMAT.format(provider=choice.provider.name))
        recording.meter.add(prompt, answer)
        recording.is_declined = looks_like_refusal(answer.text)
    return PassedCompletion(content, answer)


def pass_stream(
    *, caller: Caller, choice: ResolvedModel, body: Mapping[str, Any]
) -> Generator[bytes | Answer, None, None]:
    """Yield the lines of the answer to a request as they come, and what they say last, in the place of the line that
    says that the stream is over.

    The provider is asked to count tokens; who did not ask for that is not sent the count. Leaving early ends the call
    and records it as cut off. Raises what `pass_completion` raises, also after some lines.
    """
    prompt, chunks = _prompt(body), CompletionChunks()
    asked = _name_model(body, choice)
    options = asked.get("stream_options")
    hides_usage = not (isinstance(options, dict) and options.get("include_usage"))
    asked["stream_options"] = {**(options if isinstance(options, dict) else {}), "include_usage": True}
    with record_call(caller=caller, kind=CallKind.QA, prompt=prompt, choice=choice, background=False) as recording:
        try:
            with closing(chat_completions.stream_completion(resolve_target(choice), asked)) as lines:
                yield from _pass_lines(lines, chunks, hides_usage=hides_usage)
        except ModelError as error:
            raise (ModelCutOffError() if chunks.has_begun else error) from None
        except GeneratorExit:
            if not chunks.has_begun:  # a provider that says that it is at work has taken the prompt
                recording.meter.add(prompt, chunks.answer)
            raise
        finally:
            # What came before a fault, or before the reader left, is paid for as well.
            if chunks.has_begun:
                recording.meter.add(prompt, chunks.answer)
        if not chunks.has_begun:
            raise ModelBrokenAnswerError(NOT_THE_FORMAT.format(provider=choice.provider.name))
        if not chunks.is_complete:
            raise ModelCutOffError()
        recording.is_declined = looks_like_refusal(chunks.answer.text)
    yield chunks.answer


def _pass_lines(
    lines: Generator[bytes, None, None], chunks: CompletionChunks, *, hides_usage: bool
) -> Generator[bytes, None, None]:
    """Yield the lines of a stream of events up to its end, or up to an error, whose words are not passed on."""
    is_hidden = False
    for line in lines:
        is_end_of_hidden = is_hidden and not line.strip()
        is_hidden = chunks.add(line) and hides_usage
        if chunks.is_done or chunks.has_failed:
            return
        if not (is_hidden or is_end_of_hidden) and (line.startswith(EVENT_FIELDS) or not line.strip()):
            yield line


def _name_model(body: Mapping[str, Any], choice: ResolvedModel) -> dict[str, Any]:
    return {**body, "model": choice.name}


def _prompt(body: Mapping[str, Any]) -> Prompt:
    """Return the messages as one text: what is recorded is its digest, and its length where no tokens are counted."""
    return Prompt.of("", [PromptMessage("user", json.dumps(body.get("messages")))])
