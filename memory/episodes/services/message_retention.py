"""Deleting messages that no episode stands for when they are older than the workspace's retention."""

from __future__ import annotations

import logging
import secrets
import time
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from conversations.models import Message, MessageQuerySet
from core.errors import ProductError
from core.text.transcripts import MAX_TURNS, first_chunk
from memory.extraction.services.extraction import extract_statements
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.http.idempotency import purge_responses
from workspaces.settings.retention import retention_settings
from workspaces.settings.selectors import MESSAGES_EXPIRED
from workspaces.settings.workspace_settings import is_memory_enabled

log = logging.getLogger(__name__)

FAILURES_OF_A_DEAD_MODEL = 5
DICE = secrets.SystemRandom()


@dataclass(slots=True)
class Expired:
    """What one run deleted. `extracted` counts the messages that were searched for facts before, `unread` those that
    never were, since memory is off or was off when their conversation ended."""

    messages: int = 0
    extracted: int = 0
    unread: int = 0
    is_finished: bool = True


@dataclass(slots=True)
class _Run:
    """One run over a workspace: what it looks at still, and what it has done."""

    caller: Caller
    before: datetime
    # Each night begins at another conversation, so that some that no model answers for hold up no other for long.
    start: UUID | None = None
    passed: set[UUID] = field(default_factory=set)
    unanswered: set[UUID] = field(default_factory=set)
    failures: int = 0
    conversations: set[UUID] = field(default_factory=set)
    done: Expired = field(default_factory=Expired)

    @property
    def is_model_dead(self) -> bool:
        """Whether the last conversations failed one after the other, as the others would."""
        return self.failures >= FAILURES_OF_A_DEAD_MODEL


def delete_expired_messages(*, caller: Caller, now: datetime, seconds: float) -> Expired:
    """Delete messages that are older than `retention.messages` and that no episode stands for; report what was done.

    Both the message and its conversation have that age, so that an imported history stays as long as any other. While
    memory is on, what was never searched for facts is searched first; where that fails, the messages of that
    conversation stay until the next night, and after five failures in a row those of all that were never searched.
    After `seconds` no further chunk is begun. An audit event has the counts.
    """
    before = now - timedelta(days=retention_settings(current_workspace(caller)).messages)
    run, began = _Run(caller, before), time.monotonic()
    while chunk := _next_chunk(run):
        if _extract_first(run, chunk):
            _delete(run, chunk)
        if time.monotonic() - began > seconds:
            # Where nothing could be done, another turn would do as little.
            run.done.is_finished = run.done.messages == 0
            break
    if run.done.messages:
        _report(run)
    return run.done


def _due_messages(run: _Run) -> MessageQuerySet:
    found = Message.objects.of(run.caller).active().filter(created_at__lt=run.before)
    return found.filter(conversation__created_at__lt=run.before)


def _next_chunk(run: _Run) -> list[Message]:
    """Return the oldest of these messages in one conversation that can be deleted."""
    with workspace_scope(run.caller):
        expired = _due_messages(run).exclude(conversation__in=run.passed)
        if run.is_model_dead and is_memory_enabled(current_workspace(run.caller)):
            expired = expired.exclude(extracted_at=None)
        expired = expired.exclude(conversation__in=run.unanswered, extracted_at=None)
        rest = expired.order_by("conversation_id")
        run.start = run.start or _draw_start(rest)
        first = rest.filter(conversation_id__gte=run.start).first() or rest.first() if run.start else None
        if first is None:
            return []
        return first_chunk(expired.filter(conversation=first.conversation_id).in_order()[:MAX_TURNS])


def _draw_start(rest: MessageQuerySet) -> UUID | None:
    """Return an id between that of the first conversation and that of the last, at random; None without any."""
    first, last = rest.first(), rest.last()
    if first is None or last is None:
        return None
    return UUID(int=DICE.randint(first.conversation_id.int, last.conversation_id.int))


def _extract_first(run: _Run, chunk: list[Message]) -> bool:
    """Have what was never looked at searched for facts while memory is on; return whether the chunk may go."""
    unread = [message for message in chunk if message.extracted_at is None]
    if not unread or not is_memory_enabled(current_workspace(run.caller)):
        return True
    try:
        is_done = extract_statements(workspace_id=run.caller.workspace_id, messages=unread)
    except ProductError as error:
        conversation = chunk[0].conversation_id
        log.warning(
            "retention_waits workspace=%s conversation=%s code=%s", run.caller.workspace_id, conversation, error.code
        )
        run.unanswered.add(conversation)
        run.failures += 1
        return False
    run.failures = 0
    if is_done:
        run.done.extracted += len(unread)
    else:  # another run is at this conversation
        run.passed.add(chunk[0].conversation_id)
    return is_done


def _delete(run: _Run, chunk: list[Message]) -> None:
    with workspace_scope(run.caller):
        expired = _due_messages(run).filter(id__in=[message.id for message in chunk])
        if is_memory_enabled(current_workspace(run.caller)):  # switched on since the chunk was read
            expired = expired.exclude(extracted_at=None)
        rows = list(expired.order_by("id").select_for_update(of=("self",)))
        Message.objects.filter(id__in=[row.id for row in rows]).delete()
        purge_responses(caller=run.caller, spaces={row.space_id for row in rows})
    if not rows:
        run.passed.add(chunk[0].conversation_id)
    run.conversations.update(row.conversation_id for row in rows)
    run.done.messages += len(rows)
    run.done.unread += sum(row.extracted_at is None or row.passed_over_at is not None for row in rows)


def _report(run: _Run) -> None:
    counts = {name: count for name, count in asdict(run.done).items() if name != "is_finished"}
    with workspace_scope(run.caller):
        record_event(
            caller=run.caller,
            action=MESSAGES_EXPIRED,
            object_type="workspace",
            object_id=run.caller.workspace_id,
            details={**counts, "conversations": len(run.conversations), "before": run.before.date().isoformat()},
        )
