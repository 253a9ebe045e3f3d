"""Asking a model: the one way to it for every app above."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Generic
from uuid import UUID

from django.conf import settings
from pydantic import BaseModel
from typing_extensions import TypeVar

from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel
from llm.configuration.services import TASK_SHARE, resolve_target
from llm.providers.types import BROKE_OFF, Answer, Prompt, PromptMessage, ProviderFailureError
from llm.providers.validation import is_declined, require_usable
from llm.usage.services import Recording, record_call
from workspaces.access.callers import Caller

S = TypeVar("S", bound=BaseModel, default=BaseModel)

NOTHING = Answer("", "stop")


@dataclass(frozen=True, slots=True)
class Completion(Generic[S]):
    """A usable answer and what it took. `value` is the form that was asked for; without a schema it is None."""

    text: str
    value: S | None
    provider: str
    model: str
    finish_reason: str
    input_tokens: int
    output_tokens: int
    credits: Decimal
    latency_ms: int
    prompt_run_id: UUID


def complete(
    *,
    caller: Caller,
    kind: CallKind,
    system: str,
    messages: Sequence[PromptMessage],
    choice: ResolvedModel,
    schema: type[S] | None = None,
    background: bool = False,
) -> Completion[S]:
    """Return the model's whole answer; with a `schema`, in its form. `messages` end with one of the user.

    `choice` comes from `configured_model`. `background` is work without a waiting caller: it stops first when the
    month's budget runs low. Waits at most the provider's `timeout_seconds`; the background at most 0.45 of
    `TASK_TIMEOUT_SECONDS`, so that a task can go on without an answer.

    Raises a child of ModelError (llm.providers.errors) when there is no usable answer, and ModelInsideTransactionError
    when the caller has a transaction open.
    """
    from llm.providers import sync  # noqa: PLC0415  # imports pydantic-ai

    prompt = Prompt.of(system, messages)
    with record_call(caller=caller, kind=kind, prompt=prompt, choice=choice, background=background) as recording:
        target, value = resolve_target(choice), None
        if background:
            seconds = max(1, int(TASK_SHARE * settings.TASK_TIMEOUT_SECONDS))
            target = replace(target, timeout_seconds=min(target.timeout_seconds, seconds))
        try:
            if schema is None:
                answer = sync.answer(target, prompt, meter=recording.meter)
                require_usable(answer)
            else:
                answer, value = sync.answer_in_form(target, prompt, schema, meter=recording.meter)
        except ProviderFailureError as failure:
            raise failure.error from None
        recording.is_declined = is_declined(answer.text, value)
    return _completion(answer, recording, value)


def stream(
    *,
    caller: Caller,
    kind: CallKind,
    system: str,
    messages: Sequence[PromptMessage],
    choice: ResolvedModel,
    background: bool = False,
) -> Generator[str | Completion, None, None]:
    """Yield the model's answer in pieces as they come, and the Completion last. Nothing happens before the first step.

    The first piece, and each next one, may take the provider's `timeout_seconds`. Leaving early ends the call and
    records it as cut off. Raises what `complete` raises, also after some pieces: without a Completion the pieces are
    no answer.
    """
    from llm.providers import sync  # noqa: PLC0415  # imports pydantic-ai

    prompt = Prompt.of(system, messages)
    with record_call(caller=caller, kind=kind, prompt=prompt, choice=choice, background=background) as recording:
        answer = yield from _pieces(sync.answer_pieces(resolve_target(choice), prompt), prompt, recording)
        recording.is_declined = is_declined(answer.text, None)
    yield _completion(answer, recording)


def _pieces(
    coming: Generator[str | Answer, None, None], prompt: Prompt, recording: Recording
) -> Generator[str, None, Answer]:
    pieces: list[str] = []
    answer: Answer | None = None
    try:
        with closing(coming):
            for piece in coming:
                if isinstance(piece, Answer):
                    answer = piece
                else:
                    pieces.append(piece)
                    yield piece
    except ProviderFailureError as failure:
        raise failure.error from None
    finally:
        # What came before a fault, or before the reader left, is paid for as well.
        if answer or pieces:
            recording.meter.add(prompt, answer or Answer("".join(pieces), BROKE_OFF))
    require_usable(answer or NOTHING)
    return answer or NOTHING


def _completion(answer: Answer, recording: Recording, value: S | None = None) -> Completion[S]:
    return Completion(
        text=answer.text,
        value=value,
        provider=recording.choice.provider.name,
        model=recording.choice.name,
        finish_reason=answer.finish_reason,
        input_tokens=recording.meter.input_tokens,
        output_tokens=recording.meter.output_tokens,
        credits=recording.credits,
        latency_ms=recording.latency_ms,
        prompt_run_id=recording.prompt_run_id,
    )
