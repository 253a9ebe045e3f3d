"""Deleting what was said: a conversation with everything that hangs on it, and sources whose time is over."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from conversations.messages.selectors import access_conversation
from conversations.models import Conversation, Message
from core.clock import utc_now
from core.errors import ConflictError
from memory.memories.services.statement_supersession import open_closed_by_conversation
from memory.memories.sessions.services import erase_sessions
from memory.models import ContextReceipt
from memory.working_memory.services.slots import delete_conversation_slots
from memory.working_memory.services.working_set import try_clear_working
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.http.idempotency import purge_responses
from workspaces.settings.workspace_settings import memory_settings


class SeveralConversationsError(ConflictError):
    """Several workspaces of the person have a conversation with this id, as a copy of a workspace has."""

    code = "several_conversations"
    title = "Several of your workspaces have a conversation with this id. Name the workspace in the address."


# At most this number of rows are deleted in one transaction, so that its locks are short.
DELETED_AT_ONCE = 1_000


def delete_conversation(*, caller: Caller, conversation: str | UUID) -> None:
    """Delete the conversation with this id or key for good, with messages, vectors and episodes, in one transaction.

    A UUID is an id alone. Memories that were extracted from it stay; they are forgotten one by one. Its slots and what
    was written for it alone go, too, and kept texts of contexts that hold something of it; its working set is cleared
    after the commit. Raises MissingScopeError without `write`, NotFoundError, OtherSpaceError.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        found = access_conversation(caller, conversation, lock=True)
        identity: UUID = found.id
        _lock(Message.objects.of(caller).filter(conversation=found))
        open_closed_by_conversation(caller=caller, conversation_id=identity)
        delete_conversation_slots(caller=caller, names=[found.key, str(identity)])
        erase_sessions(workspace_id=caller.workspace_id, conversations=[identity])
        _clear_kept_contexts(caller, found)
        found.delete()
        purge_responses(caller=caller)
        record_event(caller=caller, action="conversation.deleted", object_type="conversation", object_id=identity)
        transaction.on_commit(partial(try_clear_working, workspace_id=caller.workspace_id, conversation_id=identity))


def _clear_kept_contexts(caller: Caller, conversation: Conversation) -> None:
    """Delete the texts of contexts that were made for the conversation or held one of its messages; receipts stay."""
    kept = ContextReceipt.objects.of(caller).filter(space_id=conversation.space_id).exclude(question="")
    if not kept.exists():
        return
    messages = list(Message.objects.of(caller).filter(conversation=conversation).values_list("id", flat=True))
    holds = Q(conversation__in=[conversation.key, str(conversation.id)]) | Q(chosen_ids__overlap=messages)
    kept.filter(holds).update(question="", text="")


def delete_expired_sources(*, caller: Caller) -> int:
    """Delete messages that an episode stands for and that are kept no longer; return their number.

    With `consolidation.keep_sources` they are kept until they are `message_retention_days` old, otherwise not at all.
    """
    keeping = memory_settings(current_workspace(caller)).consolidation
    before = utc_now() - timedelta(days=keeping.message_retention_days if keeping.keep_sources else 0)
    deleted = 0
    while count := _delete_some(caller, before):
        deleted += count
    return deleted


def _delete_some(caller: Caller, before: datetime) -> int:
    with workspace_scope(caller):
        expired = Message.objects.of(caller).filter(consolidated_at__isnull=False, created_at__lt=before)
        ids = _lock(expired, most=DELETED_AT_ONCE)
        spaces = set(Message.objects.filter(id__in=ids).values_list("space_id", flat=True))
        if Message.objects.filter(id__in=ids).delete()[0]:
            purge_responses(caller=caller, spaces=spaces)
    return len(ids)


def _lock(messages: QuerySet[Message], *, most: int | None = None) -> list[UUID]:
    """Hold messages that will be deleted, or a vector that is made after those were deleted would stand in the way."""
    return list(messages.order_by("id").select_for_update(of=("self",)).values_list("id", flat=True)[:most])
