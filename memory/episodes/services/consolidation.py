"""Consolidation: older messages of a conversation become episodes, in a task or while a caller waits."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import prefetch_related_objects

from conversations.messages.selectors import conversation_messages, workspace_conversations
from conversations.models import Conversation, Message
from core.clock import utc_now
from core.errors import ConflictError
from core.text.transcripts import MAX_TURNS, whole_exchanges
from memory.citations.selectors import quoting_answers, withheld_answers
from memory.episodes.retold_summary import NOTHING_QUOTABLE, retold_summary
from memory.episodes.selectors import statements_in_order
from memory.episodes.services.episode_statements import find_statements, keep_statements
from memory.episodes.services.summaries import summarize
from memory.episodes.statement_coverage import find_untold
from memory.episodes.summary_statements import draw_from_summary
from memory.extraction.services.extraction import extract_statements
from memory.memories.sources.quotes import find_sentence
from memory.memories.sources.repetitions import Unsaid, cut_spans
from memory.memories.sources.selectors import statements_to_hide, unsaid_statements
from memory.models import MemoryEpisode
from telemetry.live.services.changes import note_change
from workspaces.access.callers import Caller, Right
from workspaces.access.leases import hold_lease
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace, hold_workspace
from workspaces.access.unique_tasks import enqueue_in_turn
from workspaces.http.idempotency import purge_responses
from workspaces.settings.workspace_settings import is_memory_enabled, memory_settings

log = logging.getLogger(__name__)

CONSOLIDATE_TASK = "memory.episodes.tasks.consolidate_conversation"
MIN_TURNS = 2
# A request works for so long and leaves the rest to the worker.
SECONDS_OF_ONE_REQUEST = 20.0
# A little more than a task may take; a process that was killed holds a conversation up for at most this long.
CONSOLIDATION_LEASE = "consolidation"
LEASE_SECONDS = 150
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

    @property
    def turn_count(self) -> int:
        """How many messages became episodes."""
        return sum(episode.turn_count for episode in self.episodes)


def consolidate_for_a_while(
    *, caller: Caller, conversation: Conversation, retain_last: int | None = None, max_age_days: int | None = None
) -> Consolidation:
    """Run `summarize_old_turns` with the workspace's settings for what is not given; the worker goes on after 20 s.

    Raises what `summarize_old_turns` raises.
    """
    chosen = memory_settings(current_workspace(caller)).consolidation
    retained = chosen.retain_last if retain_last is None else retain_last
    days = chosen.max_age_days if max_age_days is None else max_age_days
    made = summarize_old_turns(
        caller=caller,
        conversation=conversation,
        retain_last=retained,
        max_age_days=days,
        seconds=SECONDS_OF_ONE_REQUEST,
    )
    if not made.is_finished:
        enqueue_in_turn(CONSOLIDATE_TASK, caller=caller, subject=str(conversation.id), arguments=(retained, days))
    return made


def summarize_old_turns(
    *,
    caller: Caller,
    conversation: Conversation,
    retain_last: int = 20,
    max_age_days: int = 30,
    seconds: float | None = None,
) -> Consolidation:
    """Turn messages older than `max_age_days` that are not among the `retain_last` newest into episodes.

    What is worth keeping of them is extracted first, as at the end of a session. Each episode with its statements
    and the deletion of its sources are one transaction, so that a crash leaves either. A tail of less than two
    messages stays. While another call works on the conversation, this one finds nothing. After `seconds` no further
    step is begun, nor after memory was switched off. Raises MissingScopeError without `write`, MemoryDisabledError, and
    what `extract_statements` and `summarize` raise; then the chunks before the failing one are done, and its messages
    are all still there.
    """
    caller.require(Right.WRITE)
    workspace = current_workspace(caller)
    if not is_memory_enabled(workspace):
        raise MemoryDisabledError()
    keeps_sources = memory_settings(workspace).consolidation.keep_sources
    name = f"{CONSOLIDATION_LEASE} {conversation.id}"
    began, made = time.monotonic(), list[MemoryEpisode]()
    with hold_lease(caller=caller, name=name, seconds=LEASE_SECONDS) as lease:
        while (
            lease
            and lease.renew()
            and (chunk := _next_chunk(caller, conversation, retain_last=retain_last, max_age_days=max_age_days))
        ):
            if seconds is not None and time.monotonic() - began > seconds:
                return Consolidation(made, is_finished=False)
            if not is_memory_enabled(current_workspace(caller)):
                break
            if any(message.extracted_at is None for message in chunk):
                if not extract_statements(workspace_id=caller.workspace_id, messages=chunk):
                    time.sleep(SECONDS_BETWEEN_LOOKS)  # the end of the session is being extracted just now
                continue
            episode = _consolidate(caller, conversation, chunk, keeps_sources=keeps_sources)
            if episode is None:
                break
            made.append(episode)
    return Consolidation(made)


def _next_chunk(caller: Caller, conversation: Conversation, *, retain_last: int, max_age_days: int) -> list[Message]:
    """Return the oldest messages that are due, as many as go into one episode."""
    with workspace_scope(caller):
        active = conversation_messages(caller, conversation).active()
        retained = active.newest_first().values("id")[:retain_last]
        due = active.filter(created_at__lt=utc_now() - timedelta(days=max_age_days)).exclude(id__in=retained)
        chunk = whole_exchanges(due.in_order()[: MAX_TURNS + 1])
    return chunk if len(chunk) >= MIN_TURNS else []


def _leave_out_withheld(caller: Caller, chunk: Sequence[Message]) -> list[Message]:
    """Return the messages without answers that quote memories, or cite what was suppressed or forgotten since, and
    without the sentences that say a suppressed memory, in whichever message: an episode stays."""
    with workspace_scope(caller):
        withheld = withheld_answers(caller, chunk) | quoting_answers(chunk)
        hidden = statements_to_hide(caller, [message.id for message in chunk])
        unsaid = unsaid_statements(caller)
    stays = [message for message in chunk if message.id not in withheld]
    told = [_without_sentences(each, hidden.get(each.id, ()), unsaid) for each in stays]
    return [each for each in told if each.content]


def _without_sentences(message: Message, statements: Iterable[str], unsaid: Unsaid) -> Message:
    """Return a copy of a message, not to be saved, without its sentences that say these statements or what is unsaid.

    A message that said a statement in other words, which no sentence has, is empty.
    """
    told = copy(message)
    told.content = cut_spans(message.content, unsaid.find_spans(message.content))
    for statement in statements:
        if Unsaid.of([statement]).recognises(message.content):
            continue
        sentence = find_sentence(statement, told.content)
        told.content = told.content.replace(sentence, "").strip() if sentence else ""
    return told


def _summarize_chunk(caller: Caller, conversation: Conversation, messages: Sequence[Message]) -> str:
    if not messages:
        return NOTHING_QUOTABLE
    return summarize(caller=caller, conversation=conversation, messages=messages) or retold_summary(messages)


def _consolidate(
    caller: Caller, conversation: Conversation, chunk: Sequence[Message], *, keeps_sources: bool
) -> MemoryEpisode | None:
    """Summarise, then put the episode in place of its sources; None when another process was first, or memory is off.

    It cannot be switched off between that look and the end of the transaction. What was not searched for facts yet is
    never deleted, whatever happened since the chunk was read.
    """
    quotable = _leave_out_withheld(caller, chunk)
    summary = _summarize_chunk(caller, conversation, quotable)
    drawn = find_statements(caller=caller, conversation=conversation, messages=quotable)
    drawn += draw_from_summary(summary, drawn, quotable)
    untold = len(find_untold(quotable, drawn))
    ids = [message.id for message in chunk]
    with workspace_scope(caller):
        if not is_memory_enabled(hold_workspace(caller)):
            return None
        # Every change of a conversation's messages locks it first.
        if not workspace_conversations(caller).filter(id=conversation.id).select_for_update().first():
            return None
        sources = conversation_messages(caller, conversation).active().filter(id__in=ids).exclude(extracted_at=None)
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
        keep_statements(caller=caller, episode=episode, drawn=drawn)
        note_change(caller=caller, layer="episodes", type="episode", ids=[episode.id], action="consolidate")
        log.info(
            "episode_made conversation=%s messages=%d statements=%d untold=%d",
            conversation.pk, len(ids), len(drawn), untold,
        )  # fmt: skip
        prefetch_related_objects([episode], statements_in_order(caller))
        if keeps_sources:
            sources.update(consolidated_at=utc_now())
        else:
            sources.delete()
            purge_responses(caller=caller)
    return episode
