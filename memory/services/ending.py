"""Ending a conversation: its scratchpad is cleared, and what is worth keeping is looked for in the background."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from django.db import transaction

from conversations.models import Conversation, Status
from conversations.selectors import access_conversation, messages_of
from core.clock import utc_now
from core.queue import enqueue
from memory.services.working_set import let_working_set_go
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope
from workspaces.selectors import workspace_of
from workspaces.switches import is_memory_enabled

EXTRACT_TASK = "memory.tasks.extract_conversation"


@dataclass(frozen=True, slots=True)
class Ended:
    """A conversation after its end; `is_extracting` says whether facts and preferences are being looked for in it."""

    conversation: Conversation
    is_extracting: bool


def end_conversation(*, caller: Caller, conversation: str) -> Ended:
    """End the conversation with this key or id; doing it again changes nothing. Its history stays readable.

    While memory is off, what was said so far is passed over for good: switching it on fills nothing in. Raises
    MissingScopeError without `write`, NotFoundError.
    """
    caller.require(Right.WRITE)
    is_enabled = is_memory_enabled(workspace_of(caller))
    with workspace_scope(caller):
        found = access_conversation(caller, conversation, lock=True)
        if found.status == Status.OPEN:
            found.status, found.ended_at = Status.ENDED, utc_now()
            found.save(update_fields=["status", "ended_at"])
        waiting = messages_of(caller, found).filter(extracted_at=None)
        is_extracting = is_enabled and waiting.exists()
        if is_extracting:
            enqueue(EXTRACT_TASK, str(caller.workspace_id), str(found.id))
        else:
            waiting.update(extracted_at=utc_now())
        transaction.on_commit(partial(let_working_set_go, workspace_id=caller.workspace_id, conversation_id=found.id))
    return Ended(found, is_extracting=is_extracting)
