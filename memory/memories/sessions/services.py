"""Memories of one session: written into a space of its own, lifted out of it, and erased with the session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db import transaction

from conversations.messages.selectors import access_conversation
from conversations.messages.services.message_log import begin_conversation
from conversations.models import Conversation
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import COPIED, CopyOrigin, NewMemory, Remembered, field_value, remember
from memory.memories.services.signatures import find_words_author
from memory.memories.sessions.selectors import access_session
from memory.memories.transitions import Verb
from memory.models import Kind, Memory, Source
from ontology.models import Edge, Node
from ontology.nodes_and_edges.services.outbox import announce_edges, announce_nodes
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import forget_entered
from workspaces.access.space_tables import ErasedTable, delete_locked, list_space_tables, select_rows
from workspaces.access.spaces import session_space
from workspaces.http.idempotency import purge_responses
from workspaces.models import Space

ERASED = "conversation.memories_erased"


def remember_in_session(*, caller: Caller, conversation: str, new: NewMemory) -> Remembered:
    """Keep a memory for one conversation alone, which begins with it where its key is not known yet.

    It is found in that conversation only, and goes with its end. The same text may be kept for other conversations, and
    outside of them. Raises what `begin_conversation` and `remember` raise.
    """
    caller.require(Right.FACTS if new.kind == Kind.FACT else Right.WRITE)
    with workspace_scope(caller):
        found = begin_conversation(caller=caller, conversation=conversation)
        return remember(caller=caller.in_session(found.id), new=new)


def promote_from_session(*, caller: Caller, conversation: str, memory_id: UUID) -> Memory:
    """Lift a memory out of its conversation: a fact of the conversation's space says it from now on.

    The author of its words stays. Raises MissingScopeError without `facts`, NotFoundError, OtherSpaceError.
    """
    caller.require(Right.FACTS)
    with workspace_scope(caller):
        inside = caller.in_session(access_conversation(caller, conversation, lock=True).id)
        memory = access_memory(inside, memory_id, lock=True)
        said = {name: field_value(memory, name) for name in COPIED}
        author = find_words_author(inside, memory)
        origin = CopyOrigin(memory.pk, "", author.signature, author.id, author.kind)
        new = NewMemory(kind=Kind.FACT, source=Source(memory.source), origin=origin, **said)
        promoted = remember(caller=caller, new=new).memory
        apply_transition(caller=inside, memory_id=memory_id, verb=Verb.FORGET, force=True)
        purge_responses(caller=caller)  # an answer with its text is kept for the spaces of the door
    return promoted


def forget_in_session(*, caller: Caller, conversation: str, memory_id: UUID) -> Memory:
    """Forget a memory of a conversation. Raises NotFoundError, and MissingScopeError without `write`."""
    inside = access_session(caller, conversation)
    with workspace_scope(caller):
        forgotten = apply_transition(caller=inside, memory_id=memory_id, verb=Verb.FORGET)
        purge_responses(caller=caller)  # an answer with its text is kept for the spaces of the door
    return forgotten


def end_session(*, caller: Caller, conversation: Conversation) -> None:
    """Erase what was written for a conversation that ends, in the open scope, which holds it locked."""
    erased = erase_sessions(workspace_id=caller.workspace_id, conversations=[conversation.id], is_ended_only=True)
    if erased:
        purge_responses(caller=caller)
        number = erased.get(str(Memory._meta.db_table), 0)
        record_event(
            caller=caller,
            action=ERASED,
            object_type="conversation",
            object_id=conversation.id,
            details={"memories": number},
        )


def session_spaces(*, workspace_id: UUID, space_id: UUID) -> list[UUID]:
    """Return the spaces of what was written for conversations of a space, in an open scope of every space."""
    conversations = select_rows(Conversation).filter(workspace_id=workspace_id, space_id=space_id)
    return _list_spaces(workspace_id, conversations.values_list("id", flat=True).iterator())


def erase_sessions(
    *, workspace_id: UUID, conversations: Iterable[UUID], is_ended_only: bool = False
) -> Mapping[str, int]:
    """Delete for good what was written for conversations, in the open scope; return the number of rows of each table.

    The conversations are held locked, so that nothing is written meanwhile. Where they only end, their spaces stay
    entered, since more may be written when they are opened again.
    """
    spaces, counts = _list_spaces(workspace_id, conversations), Counter[str]()
    if not spaces:
        return counts

    def announce(table: ErasedTable, ids: Sequence[UUID]) -> None:
        counts[table.name] += len(ids)
        if table.model is Node:
            announce_nodes(workspace_id, ids)
        elif table.model is Edge:
            announce_edges(workspace_id, select_rows(Edge).filter(workspace_id=workspace_id, pk__in=ids))

    with workspace_scope(maintenance_caller(workspace_id, "sessions")):
        for table in list_space_tables():
            for which in table.conditions(workspace_id=workspace_id, spaces=spaces):
                rows = table.rows(workspace_id=workspace_id, which=which).order_by("pk")
                if ids := list(rows.select_for_update(of=("self",)).values_list("pk", flat=True)):
                    delete_locked(table, workspace_id=workspace_id, ids=ids, before=announce)
        if not is_ended_only:
            Space.objects.filter(workspace_id=workspace_id, id__in=spaces).delete()
            transaction.on_commit(forget_entered)
    return counts


def _list_spaces(workspace_id: UUID, conversations: Iterable[UUID]) -> list[UUID]:
    """Return the spaces of those of the conversations that something was written for."""
    spaces = [session_space(each).id for each in conversations]
    known = Space.objects.filter(workspace_id=workspace_id, id__in=spaces)
    return list(known.values_list("id", flat=True)) if spaces else []
