"""Ending a conversation: its scratchpad and what was written for it alone go; facts are looked for in background."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from uuid import UUID

from django.db import transaction

from conversations.messages.selectors import access_conversation, conversation_messages
from conversations.models import Conversation, Status
from core.clock import utc_now
from memory.memories.sessions.services import end_session
from memory.working_memory.services.working_set import try_clear_working
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.unique_tasks import enqueue_in_turn
from workspaces.settings.workspace_settings import is_memory_enabled

EXTRACT_TASK = "memory.extraction.tasks.extract_conversation"


class EndReason(StrEnum):
    """Why nothing is looked for in a conversation that was ended."""

    MEMORY_OFF = "memory_off"
    PASSED_OVER = "passed_over"
    NOTHING_NEW = "nothing_new"


@dataclass(frozen=True, slots=True)
class Ended:
    """A conversation after its end, and whether facts and preferences are being looked for in it.

    `reason` says why not, None where they are. `passed_over` is the number of its messages that were not looked at
    since it ended while memory was off, and are not being looked at now.
    """

    conversation: Conversation
    is_memory_enabled: bool
    reason: EndReason | None
    passed_over: int

    @property
    def is_extracting(self) -> bool:
        return self.reason is None

    @property
    def sentence(self) -> str:
        """What became of it, as people read it."""
        count = "1 message was" if self.passed_over == 1 else f"{self.passed_over:,} messages were"
        match self.reason:
            case None if self.passed_over:
                return (
                    "Facts and preferences are being looked for in the background; "
                    f"{count} passed over, since memory was off when it ended before."
                )
            case None:
                return "Facts and preferences are being looked for in the background."
            case EndReason.MEMORY_OFF if self.passed_over:
                return f"Memory is off, so {count} not searched for facts and preferences."
            case EndReason.MEMORY_OFF:
                return "Memory is off; everything in it was searched for facts and preferences before."
            case EndReason.PASSED_OVER:
                return f"{count} not searched for facts and preferences, since memory was off when it ended."
            case EndReason.NOTHING_NEW:
                return "Everything in it was searched for facts and preferences before."


def end_conversation(*, caller: Caller, conversation: str | UUID, extract: bool = False) -> Ended:
    """End the conversation with this id or key; doing it again changes nothing. Its history stays readable.

    What was written for it alone is erased, in the same transaction.

    While memory is off, what was said so far is passed over: switching it on fills nothing in. With `extract`, and
    memory on, what was passed over is looked at as well. Raises MissingScopeError without `write`, NotFoundError.
    """
    caller.require(Right.WRITE)
    is_enabled = is_memory_enabled(current_workspace(caller))
    with workspace_scope(caller):
        found = access_conversation(caller, conversation, lock=True)
        if found.status == Status.OPEN:
            found.status, found.ended_at = Status.ENDED, utc_now()
            found.save(update_fields=["status", "ended_at"])
        end_session(caller=caller, conversation=found)
        reason = _begin_extraction(caller, found, is_enabled=is_enabled, extract=extract)
        passed_over = conversation_messages(caller, found).exclude(passed_over_at=None).count()
        transaction.on_commit(partial(try_clear_working, workspace_id=caller.workspace_id, conversation_id=found.id))
    return Ended(found, is_enabled, reason, passed_over)


def _begin_extraction(
    caller: Caller, conversation: Conversation, *, is_enabled: bool, extract: bool
) -> EndReason | None:
    """Queue the extraction of what waits for it; return why there is none."""
    messages = conversation_messages(caller, conversation)
    waiting = messages.filter(extracted_at=None)
    if not is_enabled:
        now = utc_now()
        waiting.update(extracted_at=now, passed_over_at=now)
        return EndReason.MEMORY_OFF
    passed_over = messages.exclude(passed_over_at=None)
    if extract:
        passed_over.update(extracted_at=None, passed_over_at=None)
    if waiting.exists():
        enqueue_in_turn(EXTRACT_TASK, caller=caller, subject=str(conversation.id))
        return None
    return EndReason.PASSED_OVER if passed_over.exists() else EndReason.NOTHING_NEW
