"""Ending a conversation: its scratchpad is cleared, and what is worth keeping is looked for in the background."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.db import transaction

from conversations.messages.selectors import access_conversation, conversation_messages
from conversations.models import Conversation, Status
from core.clock import utc_now
from memory.working_memory.services.working_set import try_clear_working
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.unique_tasks import enqueue_in_turn
from workspaces.settings.workspace_settings import is_memory_enabled

EXTRACT_TASK = "memory.extraction.tasks.extract_conversation"


@dataclass(frozen=True, slots=True)
class Ended:
    """A conversation after its end; `is_extracting` says whether facts and preferences are being looked for in it."""

    conversation: Conversation
    is_extracting: bool


def end_conversation(*, caller: Caller, conversation: str | UUID) -> Ended:
    """End the conversation with this id or key; doing it again changes nothing. Its history stays readable.

    While memory is off, what was said so far is passed over for good: switching it on fills nothing in. Raises
    MissingScopeError without `write`, NotFoundError.
    """
    caller.require(Right.WRITE)
    is_enabled = is_memory_enabled(current_workspace(caller))
    with workspace_scope(caller):
        found = access_conversation(caller, conversation, lock=True)
        if found.status == Status.OPEN:
            found.status, found.ended_at = Status.ENDED, utc_now()
            found.save(update_fields=["status", "ended_at"])
        waiting = conversation_messages(caller, found).filter(extracted_at=None)
        is_extracting = is_enabled and waiting.exists()
        if is_extracting:
            enqueue_in_turn(EXTRACT_TASK, caller=caller, subject=str(found.id))
        else:
            waiting.update(extracted_at=utc_now())
        transaction.on_commit(partial(try_clear_working, workspace_id=caller.workspace_id, conversation_id=found.id))
    return Ended(found, is_extracting=is_extracting)
