"""Deleting an episode so that nothing reads it any more, and restoring it."""

from __future__ import annotations

from uuid import UUID

from conversations.messages.selectors import access_conversation
from core.errors import NotFoundError
from memory.memories.services.statement_supersession import close_replaced_statements, open_closed_by_episode
from memory.models import EpisodeStatement, MemoryEpisode
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.http.idempotency import purge_responses


def delete_episode(*, caller: Caller, episode_id: UUID) -> MemoryEpisode:
    """Delete an episode: from now on it and its statements are in no context, window, search or chat.

    The row stays until its conversation is deleted; `restore_episode` brings it back. Of one that is deleted nothing
    changes. What its statements had replaced holds again. Raises MissingScopeError without `admin`, NotFoundError,
    OtherSpaceError.
    """
    return _set_deleted(caller, episode_id, is_deleted=True)


def restore_episode(*, caller: Caller, episode_id: UUID) -> MemoryEpisode:
    """Bring a deleted episode back, and have its statements replace again what they replaced; raises the same."""
    return _set_deleted(caller, episode_id, is_deleted=False)


def _set_deleted(caller: Caller, episode_id: UUID, *, is_deleted: bool) -> MemoryEpisode:
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        episode = MemoryEpisode.objects.of(caller).filter(id=episode_id).first()
        if episode is None:
            raise NotFoundError()
        # A consolidation holds this row while it changes statements, and an id of another space is refused here.
        access_conversation(caller, episode.conversation_id, lock=True)
        changed = MemoryEpisode.objects.of(caller).filter(id=episode_id, is_deleted=not is_deleted)
        if not changed.update(is_deleted=is_deleted):
            return episode
        episode.is_deleted = is_deleted
        if is_deleted:
            open_closed_by_episode(caller=caller, episode_id=episode_id)
            purge_responses(caller=caller)
        else:
            statements = EpisodeStatement.objects.of(caller).filter(episode=episode).defer("vector", "words")
            # What a person closed by hand replaces nothing.
            replacing = [each for each in statements if not each.is_closed_by_hand]
            close_replaced_statements(caller=caller, statements=replacing)
        action = "episode.deleted" if is_deleted else "episode.restored"
        record_event(caller=caller, action=action, object_type="episode", object_id=episode_id)
    return episode
