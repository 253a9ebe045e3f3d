"""Answers of which nothing is kept: an earlier one as it would be now, and those to people who may only read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from chat.services.answer_composition import AGENT, quote_answer, stream_model_answer
from conversations.messages.selectors import conversation_messages, last_messages
from conversations.models import Conversation, Message, MessageRole
from conversations.observations.selectors import (
    ObservationBlock,
    ObservedConversation,
    RawBlock,
    conversation_blocks,
)
from core.errors import NotFoundError
from core.ids import parse_id
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.errors import ModelError
from memory.models import ContextReceipt
from memory.recall.layers.base import ContextRequest
from memory.recall.receipts.services.rerun import RerunRequest, rerun_context
from memory.recall.selectors import access_receipt
from memory.recall.services.context import Context, preview_context
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.scope import workspace_scope

# An answer stands right behind its question, but for what others append meanwhile.
MAX_BETWEEN = 20
# Of what was said since the question, the first: the answer is among them.
MAX_LATER = 1_000
NOTHING_BEFORE = ObservedConversation(ObservationBlock("", 0, 0, 0), RawBlock((), 0))


@dataclass(frozen=True, slots=True)
class UnkeptAnswer:
    """An answer that was not stored, and the context that it was made of; `model` is '' for quotes."""

    text: str
    context: Context
    model: str


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """An answer that was given here before, with the question that it answered and the receipt of its context."""

    message: Message
    question: Message
    receipt: ContextReceipt


def access_answer(caller: Caller, conversation: Conversation, message_id: UUID) -> EarlierAnswer:
    """Return an answer of this door in a conversation. Raises NotFoundError, also where its receipt is gone."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        message = conversation_messages(caller, conversation).filter(id=message_id).first()
    receipt_id = parse_id(message.metadata.get("receipt")) if message and is_own_answer(message) else None
    if message is None or receipt_id is None:
        raise NotFoundError()
    receipt = access_receipt(caller, receipt_id)
    before = last_messages(caller, conversation, last=MAX_BETWEEN, before=message.id)
    question = next((each for each in reversed(before) if each.role == MessageRole.USER), None)
    if question is None:
        raise NotFoundError()
    return EarlierAnswer(message, question, receipt)


def is_own_answer(message: Message) -> bool:
    """Return whether this door wrote a message, whatever role others give to theirs."""
    return (message.appended_by, message.appended_by_kind) == (AGENT, ActorKind.SYSTEM)


def recompute_answer(*, caller: Caller, conversation: Conversation, given: EarlierAnswer) -> UnkeptAnswer:
    """Return what the answer to the same question would be now, from what may be recalled now.

    Nothing is kept: no message, no receipt, no citation. Raises MissingScopeError without `read`, ModelError.
    """
    observed = conversation_blocks(caller, conversation)
    earlier = [each for each in observed.raw.messages if _is_earlier(each, given.question)]
    with workspace_scope(caller):
        since = conversation_messages(caller, conversation).filter(created_at__gte=given.question.created_at)
        # What the first answer said must not speak for what it quoted.
        later = [str(each) for each in since.in_order().values_list("id", flat=True)[:MAX_LATER]]
    wanted = RerunRequest(query=given.question.content, without=frozenset(later))
    context = rerun_context(caller=caller, receipt=given.receipt, wanted=wanted).context
    known = replace(observed, raw=replace(observed.raw, messages=earlier))
    return _compose(caller, context, given.question, known, key=conversation.key)


def answer_unkept(*, caller: Caller, question: str) -> UnkeptAnswer:
    """Return the answer to a question that stands alone. Nothing is kept of it.

    Raises MissingScopeError without `read`, ModelError.
    """
    context = preview_context(caller=caller, wanted=ContextRequest(question))
    asked = Message(role=MessageRole.USER, content=question, appended_by=caller.signature, appended_by_kind=caller.kind)
    return _compose(caller, context, asked, NOTHING_BEFORE, key=None)


def _compose(
    caller: Caller, context: Context, question: Message, observed: ObservedConversation, *, key: str | None
) -> UnkeptAnswer:
    choice = configured_model(caller, CallKind.QA, agent=AGENT, conversation=key)
    earlier: Sequence[Message] = observed.raw.messages
    if choice is None:
        return UnkeptAnswer(quote_answer(caller, context, question, earlier), context, "")
    pieces: Iterable[str] = stream_model_answer(caller, choice, context, question, observed)
    try:
        return UnkeptAnswer("".join(pieces), context, choice.name)
    except ModelError as error:
        return UnkeptAnswer(quote_answer(caller, context, question, earlier, fallback=error.code), context, "")


def _is_earlier(message: Message, other: Message) -> bool:
    return (message.created_at, message.id) < (other.created_at, other.id)
