"""Adding messages without saying when a conversation ends: what is worth keeping is looked for after a pause."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from conversations.messages.selectors import conversation_messages
from conversations.messages.services.message_log import NewMessage, append_messages
from conversations.models import Conversation, Message
from core.clock import utc_now
from memory.episodes.services.end_conversation import EXTRACT_TASK
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.unique_tasks import enqueue_when_quiet
from workspaces.settings.workspace_settings import is_memory_enabled

# Turns of one exchange come within seconds, and a statement is understood better with those around it.
QUIET_SECONDS = 60


@dataclass(frozen=True, slots=True)
class AddedMessages:
    """Messages as they are stored, and whether facts and preferences will be looked for in them."""

    conversation: Conversation
    messages: Sequence[Message]
    is_extracting: bool

    @property
    def sentence(self) -> str:
        """What becomes of them, as people read it."""
        if self.is_extracting:
            return f"Facts and preferences are looked for once nothing was added for {QUIET_SECONDS} seconds."
        return "Memory is off, so facts and preferences are not looked for. Turn memory on before you add messages."


def add_messages(*, caller: Caller, messages: Sequence[NewMessage], conversation: str = "") -> AddedMessages:
    """Append messages to the conversation with this id or key, by default that of the day in the caller's space.

    Facts and preferences are looked for in the background after a pause, in each message once. While memory is off,
    they are passed over, as at the end of a conversation. Raises what `append_messages` raises.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        address = conversation or daily_key(utc_now())
        stored = append_messages(caller=caller, conversation=address, messages=messages)
        return extract_after_pause(caller=caller, messages=stored)


def extract_after_pause(*, caller: Caller, messages: Sequence[Message]) -> AddedMessages:
    """Have facts and preferences looked for in stored messages of one conversation once nothing was added for a while.

    While memory is off, they are passed over. Call it in the scope in which they were stored.
    """
    now, found = utc_now(), messages[0].conversation
    is_enabled = is_memory_enabled(current_workspace(caller))
    if is_enabled:
        enqueue_when_quiet(EXTRACT_TASK, caller=caller, subject=str(found.id), seconds=QUIET_SECONDS)
    else:
        these = conversation_messages(caller, found).filter(id__in=[message.id for message in messages])
        these.update(extracted_at=now, passed_over_at=now)
    return AddedMessages(found, messages, is_enabled)


def daily_key(now: datetime) -> str:
    """Return the key of the conversation of messages that name none: one for each day (UTC) in each space."""
    return f"added-{now:%Y-%m-%d}"
