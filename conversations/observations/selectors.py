"""Reading observations, and the messages of a conversation that no observation stands for yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet, Sum
from django.db.models.functions import Coalesce

from conversations.models import BatchState, Conversation, Message, Observation, ObservationBatch, ObservationCursor
from conversations.observations.block import count_newest, fit_observations, render_block
from conversations.observations.thresholds import ObservationThresholds
from core.text.tokens import count_tokens
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.settings.workspace_settings import memory_settings

# Messages that wait are read in pages of this size, until there are more of them than a window may hold.
PAGE = 100


@dataclass(frozen=True, slots=True)
class ObservationBlock:
    """Observations as text; `omitted` counts those that a budget left out."""

    text: str
    tokens: int
    count: int
    generation: int
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class RawBlock:
    """Messages that no observation of the block stands for, oldest first; `omitted` counts those beyond the limit."""

    messages: Sequence[Message]
    tokens: int
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class ObservedConversation:
    """What stands for a conversation in a prompt: observations of older messages, and the newer messages."""

    observations: ObservationBlock
    raw: RawBlock


@dataclass(frozen=True, slots=True)
class ObservationState:
    """How far a conversation is observed, for the people who look after it."""

    cursor: ObservationCursor | None
    block: ObservationBlock
    buffered_messages: int
    last_batch: ObservationBatch | None


def conversation_blocks(
    caller: Caller, conversation: Conversation, *, token_budget: int | None = None
) -> ObservedConversation:
    """Return the observation block of a conversation and its newer messages, in `token_budget` tokens where given.

    The messages are those that are not observed yet, up to `memory.observe_tokens`, and the `memory.recent_messages`
    newest in any case. Under a budget messages get half of it; critical observations and the newest take what is left,
    and more messages what these leave. Raises MissingScopeError.
    """
    caller.require(Right.READ)
    settings = memory_settings(current_workspace(caller))
    with workspace_scope(caller):
        observations = list(active_observations(caller, conversation.id))
        cursor = ObservationCursor.objects.of(caller).filter(conversation_id=conversation.id).first()
        is_observed = settings.enabled or bool(observations)
        found = {each.id: each for each in newest_messages(caller, conversation.id, number=settings.recent_messages)}
        unread = 0
        if is_observed:
            waiting, unread = _waiting_messages(caller, conversation.id, max_tokens=settings.observe_tokens)
            found |= {each.id: each for each in (*waiting, *_messages_in_buffer(caller, conversation.id))}
    messages = sorted(found.values(), key=_moment)
    generation = cursor.generation if cursor else 0
    tokens = [message_tokens(message) for message in messages]
    newest = min(settings.recent_messages, len(messages))
    fitting = max(newest, count_newest(tokens, limit=settings.observe_tokens))
    if token_budget is None:
        return ObservedConversation(
            _block(observations, observations, generation), _newest(messages, tokens, fitting, unread)
        )
    half = min(fitting, count_newest(tokens, limit=token_budget // 2))
    left = token_budget - sum(tokens[len(tokens) - half :])
    block = _block(fit_observations(observations, token_budget=left), observations, generation)
    most = min(fitting, count_newest(tokens, limit=token_budget - block.tokens))
    return ObservedConversation(block, _newest(messages, tokens, most, unread))


def observation_state(caller: Caller, conversation: Conversation) -> ObservationState:
    """Return how far a conversation is observed, for an open scope."""
    observations = list(active_observations(caller, conversation.id))
    cursor = ObservationCursor.objects.of(caller).filter(conversation_id=conversation.id).first()
    batches = ObservationBatch.objects.of(caller).filter(conversation=conversation)
    buffered = batches.filter(state=BatchState.BUFFERED).aggregate(count=Coalesce(Sum("message_count"), 0))["count"]
    block = _block(observations, observations, cursor.generation if cursor else 0)
    return ObservationState(cursor, block, buffered, batches.order_by("-number").first())


def active_observations(caller: Caller, conversation: UUID) -> QuerySet[Observation]:
    """Return the observations that stand for older messages, in the order of the block, for an open scope."""
    active = Observation.objects.of(caller).filter(conversation=conversation, batch__state=BatchState.ACTIVE)
    return active.order_by("batch__number", "position")


def messages_to_observe(caller: Caller, conversation: UUID) -> QuerySet[Message]:
    """Return the messages that are in no batch and in no episode, for an open scope."""
    return Message.objects.of(caller).filter(conversation=conversation, observation_batch=None, consolidated_at=None)


def newest_messages(caller: Caller, conversation: UUID, *, number: int) -> QuerySet[Message]:
    """Return the newest messages that no episode stands for, for an open scope."""
    active = Message.objects.of(caller).filter(conversation=conversation, consolidated_at=None)
    return active.order_by("-created_at", "-id")[:number]


def due_messages(caller: Caller, conversation: UUID, *, recent: int) -> QuerySet[Message]:
    """Return the messages that wait for the observer: not observed, and not among the `recent` newest, for an open
    scope."""
    newest = newest_messages(caller, conversation, number=recent).values("id")
    return messages_to_observe(caller, conversation).exclude(id__in=newest)


def sum_tokens(messages: QuerySet[Message]) -> int:
    """Return the tokens of messages as far as they were counted, for an open scope."""
    return int(messages.aggregate(total=Coalesce(Sum("tokens"), 0))["total"])


def message_tokens(message: Message) -> int:
    """Return the number of tokens of a message's content; one from before they were kept is counted."""
    return count_tokens(message.content) if message.tokens is None else message.tokens


def due_conversations(caller: Caller) -> list[UUID]:
    """Return the conversations that wait for the observer, the longest first."""
    with workspace_scope(caller):
        due = ObservationCursor.objects.of(caller).filter(due_since__isnull=False)
        return list(due.order_by("due_since").values_list("conversation_id", flat=True))


def _waiting_messages(caller: Caller, conversation: UUID, *, max_tokens: int) -> tuple[list[Message], int]:
    """Return the newest messages that are not observed, up to some more than this many tokens, and the number of those
    that were not read."""
    waiting = messages_to_observe(caller, conversation).order_by("-created_at", "-id")
    read: list[Message] = []
    tokens = 0
    while tokens <= max_tokens:
        page = list(waiting[len(read) : len(read) + PAGE])
        read += page
        tokens += sum(map(message_tokens, page))
        if len(page) < PAGE:
            return read, 0
    return read, waiting.count() - len(read)


def _messages_in_buffer(caller: Caller, conversation: UUID) -> QuerySet[Message]:
    """Return the messages whose observations wait until there is too little room."""
    buffered = ObservationBatch.objects.of(caller).filter(conversation=conversation, state=BatchState.BUFFERED)
    ids = list(buffered.values_list("id", flat=True))
    return Message.objects.of(caller).filter(observation_batch__in=ids, consolidated_at=None)


def _block(kept: Sequence[Observation], every: Sequence[Observation], generation: int) -> ObservationBlock:
    text = render_block(kept)
    return ObservationBlock(text, count_tokens(text), len(kept), generation, len(every) - len(kept))


def _newest(messages: Sequence[Message], tokens: Sequence[int], number: int, unread: int) -> RawBlock:
    begin = len(messages) - number
    return RawBlock(messages[begin:], sum(tokens[begin:]), begin + unread)


def _moment(message: Message) -> tuple[datetime, UUID]:
    return message.created_at, message.id


def observation_thresholds(caller: Caller) -> ObservationThresholds | None:
    """Return when the caller's workspace observes; None while memory is off. Raises NotFoundError."""
    settings = memory_settings(current_workspace(caller))
    return ObservationThresholds.of(settings) if settings.enabled else None
