"""Episodes: older messages of a conversation become summaries, and summaries come back into the prompt."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from conversations.models import Conversation, Message
from conversations.selectors import conversations_of, messages_of
from core import redis
from core.clock import utc_now
from core.errors import ConflictError
from memory.lines import EPISODES_HEADING, episode_line
from memory.models import MemoryEpisode
from memory.selectors import episodes_of
from memory.services.extraction import extract_from
from memory.services.guarding import found_by
from memory.services.summarising import summary_of
from memory.transcripts import MOST_TURNS, first_chunk
from workspaces.callers import Caller, Right
from workspaces.scope import workspace_scope
from workspaces.selectors import workspace_of
from workspaces.services.repeating import erase_answers
from workspaces.switches import is_memory_enabled, memory_settings

CONSOLIDATE_TASK = "memory.tasks.consolidate_conversation"

RECALLED = 5
LEAST_TURNS = 2
# A little more than a task may take; a process that was killed holds a conversation up for at most this long.
CLAIM_SECONDS = 150
SECONDS_BETWEEN_LOOKS = 0.5


class MemoryDisabledError(ConflictError):
    """The toggle is off: what is stored stays, and nothing is made out of it."""

    code = "memory_disabled"
    title = "Memory is switched off in this workspace, so nothing is consolidated. Enable it and try again."


@dataclass(frozen=True, slots=True)
class Consolidation:
    """The episodes that a call made; `is_finished` is False when it ran out of time with more to do."""

    episodes: Sequence[MemoryEpisode]
    is_finished: bool = True


def recall_recent_episodes(*, caller: Caller, conversation: Conversation) -> str:
    """The five newest episodes as a block for the system prompt, most recent last; '' when there are none.

    Best effort: whatever goes wrong is logged and answered with ''.
    """

    def work() -> str:
        with workspace_scope(caller):
            newest = list(episodes_of(caller, conversation)[:RECALLED])
        return episodes_block(newest[::-1])

    return found_by("episodes", work, conversation=conversation.pk) or ""


def episodes_block(episodes: Sequence[MemoryEpisode]) -> str:
    """The episodes, oldest first, in the form that clients rely on to the byte; '' for none."""
    return "\n".join([EPISODES_HEADING, *map(episode_line, episodes)]) if episodes else ""


def summarize_old_turns(
    *,
    caller: Caller,
    conversation: Conversation,
    retain_last: int = 20,
    max_age_days: int = 30,
    seconds: float | None = None,
) -> Consolidation:
    """Turn messages older than `max_age_days` that are not among the `retain_last` newest into episodes.

    What is worth keeping of them is extracted first, as at the end of a session. Each episode and the deletion of its
    sources are one transaction, so that a crash leaves either. A tail of less than two messages stays. While another
    call works on the conversation, this one finds nothing. After `seconds` no further step is begun. Raises
    MissingScopeError without `write`, MemoryDisabledError, and what `extract_from` and `summary_of` raise; then the
    chunks before the failing one are done, and its messages are all still there.
    """
    caller.require(Right.WRITE)
    workspace = workspace_of(caller)
    if not is_memory_enabled(workspace):
        raise MemoryDisabledError()
    keeps_sources = memory_settings(workspace).consolidation.keep_sources
    claim = redis.consolidation_key(caller.workspace_id, conversation.id)
    if not redis.claim(claim, seconds=CLAIM_SECONDS):
        return Consolidation(())
    began, made = time.monotonic(), list[MemoryEpisode]()
    try:
        while chunk := _next_chunk(caller, conversation, retain_last=retain_last, max_age_days=max_age_days):
            if seconds is not None and time.monotonic() - began > seconds:
                return Consolidation(made, is_finished=False)
            redis.prolong(claim, seconds=CLAIM_SECONDS)
            if any(message.extracted_at is None for message in chunk):
                if not extract_from(workspace_id=caller.workspace_id, messages=chunk):
                    time.sleep(SECONDS_BETWEEN_LOOKS)  # the end of the session is being extracted just now
                continue
            episode = _consolidate(caller, conversation, chunk, keeps_sources=keeps_sources)
            if episode is None:
                break
            made.append(episode)
    finally:
        redis.release(claim)
    return Consolidation(made)


def _next_chunk(caller: Caller, conversation: Conversation, *, retain_last: int, max_age_days: int) -> list[Message]:
    """The oldest messages that are due, as many as go into one episode."""
    with workspace_scope(caller):
        active = messages_of(caller, conversation).active()
        retained = active.newest_first().values("id")[:retain_last]
        due = active.filter(created_at__lt=utc_now() - timedelta(days=max_age_days)).exclude(id__in=retained)
        chunk = first_chunk(due.in_order()[:MOST_TURNS])
    return chunk if len(chunk) >= LEAST_TURNS else []


def _consolidate(
    caller: Caller, conversation: Conversation, chunk: Sequence[Message], *, keeps_sources: bool
) -> MemoryEpisode | None:
    """Summarise, then put the episode in place of its sources; None when somebody else was first.

    What nobody has looked at for facts is never deleted, whatever happened since the chunk was read.
    """
    summary = summary_of(caller=caller, conversation=conversation, messages=chunk)
    ids = [message.id for message in chunk]
    with workspace_scope(caller):
        # Whoever changes a conversation's messages locks it first.
        if not conversations_of(caller).filter(id=conversation.id).select_for_update().first():
            return None
        sources = messages_of(caller, conversation).active().filter(id__in=ids).exclude(extracted_at=None)
        if len(sources.in_order().select_for_update().values_list("id")) != len(ids):
            return None
        episode: MemoryEpisode = MemoryEpisode.objects.create(
            workspace_id=caller.workspace_id,
            conversation=conversation,
            summary=summary,
            source_message_ids=ids,
            turn_count=len(ids),
            period_start=chunk[0].created_at,
            period_end=chunk[-1].created_at,
        )
        if keeps_sources:
            sources.update(consolidated_at=utc_now())
        else:
            sources.delete()
            erase_answers(caller=caller)
    return episode
