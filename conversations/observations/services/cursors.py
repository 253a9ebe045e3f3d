"""How far a conversation is observed: what appends add, and taking observations into the block in place of messages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F, Sum
from django.db.models.functions import Coalesce

from conversations.models import BatchState, Conversation, Message, ObservationBatch, ObservationCursor
from conversations.observations.selectors import due_messages, messages_to_observe, observation_thresholds, sum_tokens
from conversations.observations.thresholds import ObservationThresholds
from core.clock import utc_now
from core.db.named_statements import named_statements
from core.stores.queue import nudge_after_commit
from core.text.tokens import count_tokens
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.settings.workspace_settings import LIMITS

OBSERVE_TASK = "conversations.observations.tasks.observe_workspace"
STATEMENTS = named_statements(Path(__file__).parent.with_name("queries.sql"))
# With fewer tokens no workspace observes anything, whatever its settings.
MIN_PART = LIMITS["observe_tokens"][0] // 5
COUNTED_AT_ONCE = 500


def note_appended(*, caller: Caller, conversation: UUID, messages: Sequence[Message]) -> None:
    """Count messages that were just appended, in the open scope that holds their conversation locked.

    Where they make the raw block too large, the observations that were made ahead take the place of older messages at
    once; where enough waits to be observed, the worker is nudged. No model is asked.
    """
    added: dict[str, Any] = {
        "workspace": caller.workspace_id,
        "conversation": conversation,
        "tokens": sum(message.tokens or 0 for message in messages),
    }
    with connection.cursor() as cursor:
        cursor.execute(STATEMENTS["add_unobserved"], added)
        unobserved, buffered = cursor.fetchone() or (0, 0)
    if unobserved + buffered < MIN_PART or (thresholds := observation_thresholds(caller)) is None:
        return
    if buffered and thresholds.is_full(unobserved + buffered):
        activate_buffered(caller=caller, conversation=conversation, thresholds=thresholds)
    if unobserved >= thresholds.part:
        mark_due(caller=caller, conversation=conversation)


def mark_due(*, caller: Caller, conversation: UUID) -> None:
    """Have the observer look at a conversation soon, in an open scope."""
    cursors = ObservationCursor.objects.of(caller).filter(conversation_id=conversation)
    cursors.filter(due_since=None).update(due_since=utc_now())
    nudge_after_commit(OBSERVE_TASK, caller.workspace_id)


def activate_buffered(*, caller: Caller, conversation: UUID, thresholds: ObservationThresholds) -> None:
    """Let all buffered observations take the place of their messages, in an open scope that holds the conversation
    locked."""
    buffered = ObservationBatch.objects.of(caller).filter(conversation=conversation, state=BatchState.BUFFERED)
    tokens = buffered.aggregate(tokens=Coalesce(Sum("tokens"), 0))["tokens"]
    buffered.update(state=BatchState.ACTIVE, activated_at=utc_now())
    cursors = ObservationCursor.objects.of(caller).filter(conversation_id=conversation)
    cursors.update(buffered_tokens=0, observation_tokens=F("observation_tokens") + tokens)
    cursor = cursors.get()
    if thresholds.needs_reflection(
        observation_tokens=cursor.observation_tokens, reflected_tokens=cursor.reflected_tokens
    ):
        mark_due(caller=caller, conversation=conversation)


def count_uncounted(*, caller: Caller, conversation: UUID) -> None:
    """Count the tokens of messages from before these were kept, some at a time."""
    while True:
        with workspace_scope(caller):
            # Every change of a conversation's messages locks it first.
            Conversation.objects.of(caller).filter(id=conversation).select_for_update().first()
            uncounted = messages_to_observe(caller, conversation).filter(tokens=None).order_by("id")
            messages = list(uncounted.select_for_update(of=("self",))[:COUNTED_AT_ONCE])
            for message in messages:
                message.tokens = count_tokens(message.content)
            Message.objects.bulk_update(messages, ["tokens"])
        if len(messages) < COUNTED_AT_ONCE:
            return


def settle_cursor(*, caller: Caller, conversation: UUID, thresholds: ObservationThresholds) -> None:
    """Count again what is not observed, which deletions make less, and note that the conversation is not due where it
    is not; in an open scope that holds the conversation locked."""
    total = sum_tokens(messages_to_observe(caller, conversation))
    is_due = sum_tokens(due_messages(caller, conversation, recent=thresholds.recent_messages)) >= thresholds.part
    cursors = ObservationCursor.objects.of(caller).filter(conversation_id=conversation)
    cursors.update(unobserved_tokens=total)
    for cursor in cursors:
        is_due = is_due or thresholds.needs_reflection(
            observation_tokens=cursor.observation_tokens, reflected_tokens=cursor.reflected_tokens
        )
    if not is_due:
        cursors.update(due_since=None)
