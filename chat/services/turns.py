"""One chat turn, end to end: keep the message, recall, answer, keep the answer, count what it cited."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from chat.services.answer_composition import (
    AGENT,
    earlier_messages,
    has_appended,
    quote_answer,
    stream_model_answer,
)
from conversations.messages.selectors import conversation_messages, find_own_conversation
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import Message, MessageRole, Status
from conversations.observations.selectors import conversation_blocks
from core.clock import utc_now
from core.errors import ConflictError, NotFoundError, ProductError
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.errors import ModelError
from memory.citations.services import FinishedRun, finish_run, start_run
from memory.models import Run, RunStatus
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import Context, assemble_context
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction
from telemetry.actions.services.capture import capture
from telemetry.live.services.calls import publish_turn
from telemetry.patterns.services.warning_injection import DICE
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import remaining_rights

# Longer questions are documents; they belong into messages.
MAX_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Recalled:
    """What the layers gave, before the answer begins."""

    context: Context


@dataclass(frozen=True, slots=True)
class AnswerToken:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The turn is over: the stored answer and what it cited. `model` is '' for an extractive answer, and `fallback` the
    code of the model's error that it stands in for."""

    message: Message
    finished: FinishedRun
    context: Context
    model: str
    milliseconds: float
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """There is no answer that could be kept. The user's message is kept, nothing was cited."""

    error: ProductError
    run: Run


Event = Recalled | AnswerToken | Answered | Failed


class ConversationDeletedError(ConflictError):
    """The conversation was deleted between the question and its answer."""

    code = "conversation_deleted"
    title = "The conversation was deleted while this was being answered, so the answer was not kept."


def take_turn(
    *, caller: Caller, conversation: str, message: str, token_budget: int | None = None, user: str = ""
) -> Iterator[Event]:
    """Answer a message, step by step as it happens; the last event is Answered or Failed.

    `conversation` is a key or an id; `user` the key of the user who asks, '' for the one whose space the call writes
    into. No layer blocks the turn: what fails is named in the context's `left_out`. Where
    the model fails before it has said anything, what is remembered is quoted in its place. Only a model that breaks off
    can fail the turn, or a conversation that is deleted meanwhile. Closing the generator early cancels the run.
    Raises MissingScopeError without `read` and `write`, and what appending a message raises.
    """
    caller.require(Right.READ)
    caller.require(Right.WRITE)
    started = time.perf_counter()
    question = store_question(caller, conversation, message)
    key = question.conversation.key
    run = start_run(caller=caller, agent=AGENT, conversation=key)
    wanted = ContextRequest(
        message, conversation=str(question.conversation_id), token_budget=token_budget, draw=DICE.random(), user=user
    )
    context = assemble_context(caller=caller, wanted=wanted)
    pieces: list[str] = []
    fallback = ""
    try:
        yield Recalled(context)
        choice = configured_model(caller, CallKind.QA, agent=AGENT, conversation=key)
        observed = conversation_blocks(caller, question.conversation)
        if choice is not None:
            try:
                for piece in stream_model_answer(caller, choice, context, question, observed):
                    pieces.append(piece)
                    yield AnswerToken(piece)
            except ModelError as error:
                if pieces:
                    raise
                fallback = error.code
        if choice is None or fallback:
            earlier = earlier_messages(observed, question)
            pieces.append(quote_answer(caller, context, question, earlier, fallback=fallback))
            yield AnswerToken(pieces[0])
        model = choice.name if choice and not fallback else ""
        answer, finished = keep_answer(caller, run, question, "".join(pieces), context)
    except ProductError as error:
        _note(caller, question, started, Outcome.FAILURE, error_code=error.code)
        yield Failed(error, end_run(caller, run, RunStatus.FAILED))
        return
    except GeneratorExit:
        end_run(caller, run, RunStatus.CANCELLED)
        raise
    _note(caller, question, started, Outcome.SUCCESS, cited=finished)
    yield Answered(answer, finished, context, model, round((time.perf_counter() - started) * 1000, 2), fallback)


def store_question(caller: Caller, address: str, text: str) -> Message:
    """Return the question as it is stored. One of the caller that stands unanswered at the end of the conversation is
    asked again, not stored twice.
    """
    with workspace_scope(caller):
        found = find_own_conversation(caller, address, lock=True)
        if found and found.status == Status.OPEN:
            last = conversation_messages(caller, found).active().newest_first().select_related("conversation").first()
            if last and (last.role, last.content) == (MessageRole.USER, text) and has_appended(caller, last):
                return last
        return append_messages(caller=caller, conversation=address, messages=[NewMessage(MessageRole.USER, text)])[0]


def keep_answer(
    caller: Caller, run: Run, question: Message, text: str, context: Context
) -> tuple[Message, FinishedRun]:
    """Store the answer to a question, and count what it cites. Raises ConversationDeletedError, MissingScopeError for a
    caller whose key was revoked, or who left, while the model spoke, and what appending a message raises."""
    metadata: dict[str, Any] = {"run": str(run.id)}
    if context.receipt_id:
        metadata["receipt"] = str(context.receipt_id)
    address = str(question.conversation_id)
    with workspace_scope(caller):
        replace(caller, rights=remaining_rights(caller)).require(Right.WRITE)
        # Appending would begin it again.
        if find_own_conversation(caller, question.conversation_id, lock=True) is None:
            raise ConversationDeletedError()
        spoken = NewMessage(MessageRole.ASSISTANT, text, metadata=metadata, made_by=AGENT)
        answer = append_messages(caller=caller, conversation=address, messages=[spoken])[0]
        return answer, finish_run(caller=caller, run_id=run.id, status=RunStatus.SUCCEEDED, output=text)


def _note(
    caller: Caller,
    question: Message,
    started: float,
    outcome: Outcome,
    *,
    cited: FinishedRun | None = None,
    error_code: str = "",
) -> None:
    """Tell telemetry how the turn went; its session is the conversation."""
    action = NewAction(
        session=str(question.conversation_id),
        agent=AGENT,
        action_type="tool_call",
        tool="chat.turn",
        node_type="memory" if cited and cited.citations else "node" if cited and cited.nodes else "",
        node_ids=cited.cited_ids if cited else (),
        outcome=outcome,
        error_code=error_code,
        latency_ms=round((time.perf_counter() - started) * 1000, 2),
    )
    capture(caller=caller, action=action)
    publish_turn(caller, action)


def end_run(caller: Caller, run: Run, status: RunStatus) -> Run:
    """Return the run of a turn without an answer, as it ends; one that was erased with its space meanwhile is not
    there any more, which must not hide why there is no answer."""
    try:
        return finish_run(caller=caller, run_id=run.id, status=status, output="").run
    except NotFoundError:
        run.status, run.finished_at = status, utc_now()
        return run
