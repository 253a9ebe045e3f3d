"""The observer: older messages of a conversation become observations ahead of time, in the background."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, Max

from conversations.models import (
    BatchState,
    Conversation,
    Message,
    ObservationBatch,
    ObservationCursor,
    ObservationMethod,
)
from conversations.observations.drawn_observations import DrawnObservation, select_observations, tidy_text
from conversations.observations.observation_rules import observe_by_rules
from conversations.observations.prompts import OBSERVE_PROMPT, ModelObservations
from conversations.observations.selectors import (
    due_messages,
    message_tokens,
    messages_to_observe,
    observation_thresholds,
    sum_tokens,
)
from conversations.observations.services.batches import store_observations
from conversations.observations.services.cursors import activate_buffered, count_uncounted, settle_cursor
from conversations.observations.services.reflector import reflect_if_due
from conversations.observations.thresholds import ObservationThresholds
from core.clock import utc_now
from core.errors import NotFoundError
from core.text.transcripts import transcript
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.errors import ModelEmptyError, ModelError
from llm.providers.types import PromptMessage
from llm.providers.validation import looks_like_refusal
from llm.router.services.completions import complete
from telemetry.live.services.changes import note_change
from workspaces.access.callers import Caller
from workspaces.access.leases import HeldLease, hold_lease
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import hold_workspace
from workspaces.settings.workspace_settings import is_memory_enabled

log = logging.getLogger(__name__)

# A little more than a task may take; a process that was killed holds a conversation up for at most this long.
OBSERVATION_LEASE = "observation"
LEASE_SECONDS = 150
# What one batch holds at most: about a quarter of what the smallest models in use can read.
MAX_TOKENS_OF_A_BATCH = 6_000
MAX_MESSAGES_OF_A_BATCH = 200


@dataclass(frozen=True, slots=True)
class ObserverRun:
    """The number of batches that were made; `is_finished` is False where time was up with more to do."""

    batches: int = 0
    is_finished: bool = True


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Observations of some messages, what has made them, and the model's error that rules stood in for."""

    observations: Sequence[DrawnObservation]
    method: ObservationMethod
    failure: str = ""


def observe_conversation(*, caller: Caller, conversation: Conversation, seconds: float) -> ObserverRun:
    """Observe the messages of a conversation that are not among its newest, a fifth of the threshold at a time.

    By the workspace's model or, without one and where it fails, by rules. A batch, its observations and the marks of
    its messages are one transaction, so each message is observed once, also where the process dies. Then the
    observations are merged where they have become too many. Nothing happens while memory is off, nor while another
    process is at this conversation. After `seconds` no further batch than the first is begun.
    """
    began, made, is_model_dead = time.monotonic(), 0, False
    name = f"{OBSERVATION_LEASE} {conversation.id}"
    with suppress(NotFoundError), hold_lease(caller=caller, name=name, seconds=LEASE_SECONDS) as lease:
        if lease is None:
            return ObserverRun()
        count_uncounted(caller=caller, conversation=conversation.id)
        while lease.renew() and (thresholds := observation_thresholds(caller)):
            chunk = _next_chunk(caller, conversation.id, thresholds)
            if chunk and made and time.monotonic() - began > seconds:
                _go_last(caller, conversation.id)
                return ObserverRun(made, is_finished=False)
            if not chunk:
                reflect_if_due(lease=lease, conversation=conversation, thresholds=thresholds)
                if _settle(caller, conversation.id, thresholds):
                    break
                continue
            drawn = _draw(caller, conversation, chunk, asks_model=not is_model_dead)
            is_model_dead = is_model_dead or bool(drawn.failure)
            made += _keep(lease, conversation.id, chunk, drawn)
    return ObserverRun(made)


def _next_chunk(caller: Caller, conversation: UUID, thresholds: ObservationThresholds) -> list[Message]:
    """Return the oldest messages that are due, once there are enough of them."""
    chunk: list[Message] = []
    tokens = 0
    with workspace_scope(caller):
        due = due_messages(caller, conversation, recent=thresholds.recent_messages)
        if sum_tokens(due) < thresholds.part:
            return []
        for message in due.order_by("created_at", "id")[:MAX_MESSAGES_OF_A_BATCH]:
            chunk.append(message)
            tokens += message_tokens(message)
            if tokens >= min(thresholds.part, MAX_TOKENS_OF_A_BATCH):
                break
    return chunk


def _draw(caller: Caller, conversation: Conversation, chunk: Sequence[Message], *, asks_model: bool) -> _Drawn:
    """Return what a model observes, or rules. Takes as long as the model does: never call it in a scope."""
    source_tokens = sum(map(message_tokens, chunk))
    choice = configured_model(caller, CallKind.OBSERVE, conversation=conversation.key) if asks_model else None
    failure = ""
    if choice is not None:
        numbered = "\n\n".join(f"#{number} {transcript([each])}" for number, each in enumerate(chunk, start=1))
        try:
            answer = complete(
                caller=caller,
                kind=CallKind.OBSERVE,
                system=OBSERVE_PROMPT,
                messages=[PromptMessage("user", numbered)],
                choice=choice,
                schema=ModelObservations,
                background=True,
            )
            kept = select_observations(_read_observations(answer.value, chunk), source_tokens=source_tokens)
            if kept:
                return _Drawn(kept, ObservationMethod.MODEL)
            failure = ModelEmptyError.code
        except ModelError as error:
            failure = error.code
        log.warning("observation_by_rules conversation=%s code=%s", conversation.id, failure)
    return _Drawn(observe_by_rules(chunk, source_tokens=source_tokens), ObservationMethod.RULES, failure)


def _read_observations(answer: ModelObservations | None, chunk: Sequence[Message]) -> list[DrawnObservation]:
    """Return what a model says of turns that there are, in their order."""
    drawn = []
    for each in sorted(answer.observations if answer else [], key=lambda one: one.turn):
        text = tidy_text(each.text)
        if each.turn > len(chunk) or not text or looks_like_refusal(text):
            continue
        source = chunk[each.turn - 1]
        drawn.append(DrawnObservation(each.kind, text, source.created_at, (source.id,)))
    return drawn


def _keep(lease: HeldLease, conversation: UUID, chunk: Sequence[Message], drawn: _Drawn) -> bool:
    """Store a batch and mark its messages; return False where memory is off, another process has taken over, or one of
    the messages was deleted or observed meanwhile, and nothing was stored."""
    caller, ids = lease.caller, [message.id for message in chunk]
    with workspace_scope(caller):
        if not is_memory_enabled(hold_workspace(caller)):
            return False
        # Every change of a conversation's messages locks it first.
        if not Conversation.objects.of(caller).filter(id=conversation).select_for_update().first():
            return False
        if not lease.is_current():
            return False
        sources = messages_to_observe(caller, conversation).filter(id__in=ids)
        if len(sources.order_by("id").select_for_update(of=("self",)).values_list("id")) != len(ids):
            return False
        batch = _add_batch(caller, conversation, chunk, drawn)
        sources.update(observation_batch=batch)
        cursors = ObservationCursor.objects.of(caller).filter(conversation_id=conversation)
        cursors.update(buffered_tokens=F("buffered_tokens") + batch.source_tokens)
        _recount(caller, conversation)
    return True


def _recount(caller: Caller, conversation: UUID) -> None:
    """Bring the cursor up to date, and make room in the raw block where there is too much."""
    thresholds = observation_thresholds(caller)
    if thresholds is None:
        return
    settle_cursor(caller=caller, conversation=conversation, thresholds=thresholds)
    cursor = ObservationCursor.objects.of(caller).filter(conversation_id=conversation).first()
    if cursor and thresholds.is_full(cursor.unobserved_tokens + cursor.buffered_tokens):
        activate_buffered(caller=caller, conversation=conversation, thresholds=thresholds)


def _add_batch(caller: Caller, conversation: UUID, chunk: Sequence[Message], drawn: _Drawn) -> ObservationBatch:
    batches = ObservationBatch.objects.of(caller).filter(conversation=conversation)
    batch: ObservationBatch = ObservationBatch.objects.create(
        workspace_id=caller.workspace_id,
        conversation_id=conversation,
        number=(batches.aggregate(last=Max("number"))["last"] or 0) + 1,
        state=BatchState.BUFFERED,
        method=drawn.method,
        failure=drawn.failure,
        source_message_ids=[message.id for message in chunk],
        message_count=len(chunk),
        source_tokens=sum(map(message_tokens, chunk)),
        tokens=sum(each.tokens for each in drawn.observations),
        period_start=chunk[0].created_at,
        period_end=chunk[-1].created_at,
    )
    store_observations(caller=caller, batch=batch, drawn=drawn.observations)
    note_change(caller=caller, layer="conversations", type="conversation", ids=[conversation], action="observe")
    return batch


def _go_last(caller: Caller, conversation: UUID) -> None:
    """Let the other conversations that are due have their turn first."""
    with workspace_scope(caller):
        ObservationCursor.objects.of(caller).filter(conversation_id=conversation).update(due_since=utc_now())


def _settle(caller: Caller, conversation: UUID, thresholds: ObservationThresholds) -> bool:
    """Note that there is no more to do, unless there is again; return whether the observer may leave."""
    with workspace_scope(caller):
        if not Conversation.objects.of(caller).filter(id=conversation).select_for_update().first():
            return True
        settle_cursor(caller=caller, conversation=conversation, thresholds=thresholds)
        cursor = ObservationCursor.objects.of(caller).filter(conversation_id=conversation).first()
        return cursor is None or cursor.due_since is None
