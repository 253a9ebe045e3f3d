"""Closing a statement of an episode by hand because it is not true, and opening it again."""

from __future__ import annotations

from uuid import UUID

from conversations.messages.selectors import access_conversation
from core.clock import utc_now
from core.errors import ConflictError
from memory.episodes.selectors import access_statement
from memory.memories.services.statement_closings import close_statements, lock_statements, open_statements
from memory.memories.services.statement_supersession import close_replaced_statements, open_closed_by_statement
from memory.models import EpisodeStatement
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.http.idempotency import purge_responses


class StatementReplacedError(ConflictError):
    """A newer statement or a memory has closed the statement, which people leave as it is."""

    code = "statement_replaced"
    title = "Something newer has replaced this statement, so it is closed already. Reload the page to see its state."


def close_statement(*, caller: Caller, statement_id: UUID) -> EpisodeStatement:
    """Close a statement that is not true: from now on it is in no context or chat, and before it was.

    What it had replaced holds again. Of one that was closed by hand nothing changes. Raises MissingScopeError without
    `facts`, NotFoundError, OtherSpaceError, StatementReplacedError.
    """
    caller.require(Right.FACTS)
    with workspace_scope(caller):
        statement = _lock_statement(caller, statement_id)
        if statement.is_closed_by_hand:
            return statement
        now = utc_now()
        close_statements(caller, [statement_id], superseded_at=now, valid_to=now)
        open_closed_by_statement(caller=caller, statement_id=statement_id)
        purge_responses(caller=caller)  # an answer that is given once more would tell it
        return _record_change(caller, statement, "statement.closed")


def reopen_statement(*, caller: Caller, statement_id: UUID) -> EpisodeStatement:
    """Open a statement that was closed by hand, and have it replace again what it replaced.

    What is newer may close it at once. Of an open one nothing changes. Raises what `close_statement` does.
    """
    caller.require(Right.FACTS)
    with workspace_scope(caller):
        statement = _lock_statement(caller, statement_id)
        if not statement.is_closed_by_hand:
            return statement
        open_statements(caller, [statement_id])
        close_replaced_statements(caller=caller, statements=[statement])
        return _record_change(caller, statement, "statement.reopened")


def _lock_statement(caller: Caller, statement_id: UUID) -> EpisodeStatement:
    """Return the statement, locked until the scope ends. Raises StatementReplacedError."""
    found = access_statement(caller, statement_id)
    # Consolidating and deleting episodes hold this row first, and an id of another space is refused here.
    access_conversation(caller, found.conversation_id, lock=True)
    lock_statements(caller)
    statement = access_statement(caller, statement_id)
    if statement.successor_id is not None:
        raise StatementReplacedError()
    return statement


def _record_change(caller: Caller, statement: EpisodeStatement, action: str) -> EpisodeStatement:
    details = {"episode": str(statement.episode_id)}
    record_event(caller=caller, action=action, object_type="statement", object_id=statement.pk, details=details)
    return access_statement(caller, statement.pk)
