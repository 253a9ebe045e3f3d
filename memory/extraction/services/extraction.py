"""What is worth keeping of what was said: facts, preferences and decisions become memories, each of them once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from uuid import UUID

from conversations.messages.selectors import conversation_messages, workspace_conversations
from conversations.models import Conversation, Message, MessageRole
from core.clock import utc_now
from core.text.transcripts import MAX_TURNS, first_chunk, transcript
from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from llm.providers.types import PromptMessage as Turn
from llm.router.services.completions import complete
from memory.extraction.prompts import EXTRACTION_PROMPT, Statement, Statements
from memory.extraction.rules import ExtractedStatement, extract_by_rules
from memory.extraction.self_contained import stands_alone
from memory.extraction.services.keep import KeepOutcome, keep_once
from memory.memories.sources.quotes import find_source
from memory.memories.sources.services import SaidIn
from workspaces.access.callers import Caller
from workspaces.access.leases import HeldLease, hold_lease
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.space_callers import caller_in_space, caller_of_row
from workspaces.settings.workspace_settings import is_memory_enabled

# A little more than a task may take; a process that was killed holds a conversation up for at most this long.
EXTRACTION_LEASE = "extraction"
LEASE_SECONDS = 150


@dataclass(frozen=True, slots=True)
class Extraction:
    """What became of the statements that were found; `is_finished` is False where time was up."""

    outcomes: Counter[KeepOutcome] = field(default_factory=Counter)
    is_finished: bool = True


def extract_memories(*, workspace_id: UUID, conversation_id: UUID, seconds: float) -> Extraction:
    """Keep the facts, preferences and decisions of messages that were not looked at yet.

    After `seconds` no further chunk is begun, and there may be more to do.
    By the workspace's model or, without one, by rules. A message is done once everything that was found in it is
    kept, so a run that breaks off can be repeated, and a re-run adds nothing. Nothing happens while memory is off,
    while another run is at it, and when the conversation is gone. Raises a child of ModelError.
    """
    caller = caller_of_row(workspace_id, "extraction", model=Conversation, row_id=conversation_id)
    began, outcomes = time.monotonic(), Counter[KeepOutcome]()
    if caller is None:
        return Extraction()
    with _extraction_lease(caller, conversation_id) as lease:
        while lease and lease.renew() and _is_enabled(caller) and (chunk := _next_chunk(caller, conversation_id)):
            outcomes.update(_keep_statements(caller, chunk))
            if time.monotonic() - began > seconds:
                return Extraction(outcomes, is_finished=False)
    return Extraction(outcomes)


def extract_statements(*, workspace_id: UUID, messages: Sequence[Message]) -> bool:
    """Keep what is worth keeping of these messages of one conversation, which are about to be deleted.

    False, and nothing done, while another run is at this conversation or memory is off. Raises a child of ModelError.
    """
    caller = caller_in_space(workspace_id, "extraction", space_id=messages[0].space_id)
    with _extraction_lease(caller, messages[0].conversation_id) as lease:
        if lease is None or not _is_enabled(caller):
            return False
        with workspace_scope(caller):
            these = Message.objects.filter(workspace_id=workspace_id, id__in=[message.id for message in messages])
            waiting = list(these.filter(extracted_at=None).select_related("conversation").in_order())
        if waiting:
            _keep_statements(caller, waiting)
    return True


def _is_enabled(caller: Caller) -> bool:
    return is_memory_enabled(current_workspace(caller))


def _extraction_lease(caller: Caller, conversation_id: UUID) -> AbstractContextManager[HeldLease | None]:
    return hold_lease(caller=caller, name=f"{EXTRACTION_LEASE} {conversation_id}", seconds=LEASE_SECONDS)


def _keep_statements(caller: Caller, chunk: Sequence[Message]) -> list[KeepOutcome]:
    """Keep what is found in the messages, unless they were deleted, or memory off, while a model looked for it."""
    outcomes: list[KeepOutcome] = []
    for found in _find_statements(caller, chunk):
        if not (_is_enabled(caller) and _are_there(caller, chunk)):
            return outcomes
        said = [
            SaidIn(chunk[place].id, chunk[place].conversation_id, chunk[place].created_at) for place in found.messages
        ]
        outcomes.append(keep_once(caller=caller, found=found, said=said))
    _mark_done(caller, chunk)
    return outcomes


def _are_there(caller: Caller, chunk: Sequence[Message]) -> bool:
    with workspace_scope(caller):
        return Message.objects.of(caller).filter(id__in=[message.id for message in chunk]).count() == len(chunk)


def _next_chunk(caller: Caller, conversation_id: UUID) -> list[Message]:
    with workspace_scope(caller):
        conversation = workspace_conversations(caller).filter(id=conversation_id).first()
        if conversation is None:
            return []
        waiting = conversation_messages(caller, conversation).filter(extracted_at=None).select_related("conversation")
        return first_chunk(waiting.in_order()[:MAX_TURNS])


def _find_statements(caller: Caller, chunk: Sequence[Message]) -> list[ExtractedStatement]:
    """Return what people said about themselves; what an assistant or a tool says is not a statement of a person."""
    if not any(message.role == MessageRole.USER for message in chunk):
        return []
    choice = configured_model(caller, CallKind.EXTRACT, conversation=chunk[0].conversation.key)
    if choice is None:
        places = [place for place, message in enumerate(chunk) if message.role == MessageRole.USER]
        by_rules = extract_by_rules([chunk[place] for place in places])
        return [replace(each, messages=tuple(places[place] for place in each.messages)) for each in by_rules]
    spoken = [message for message in chunk if message.role in {MessageRole.USER, MessageRole.ASSISTANT}]
    answer = complete(
        caller=caller,
        kind=CallKind.EXTRACT,
        system=EXTRACTION_PROMPT,
        messages=[Turn("user", transcript(spoken))],
        choice=choice,
        schema=Statements,
        background=True,
    )
    given = answer.value.statements if answer.value else []
    return [_read_statement(each, chunk) for each in given if stands_alone(each.content)]


def _read_statement(given: Statement, chunk: Sequence[Message]) -> ExtractedStatement:
    """Return a model's statement with the message that it is likely from; in doubt the last one of a person."""
    places = [place for place, message in enumerate(chunk) if message.role == MessageRole.USER]
    found = find_source(given.content, [chunk[place].content for place in places])
    place = places[-1 if found is None else found]
    return ExtractedStatement(
        given.content.strip(), given.type, given.importance, given.confidence, chunk[-1].created_at, (place,)
    )


def _mark_done(caller: Caller, chunk: Sequence[Message]) -> None:
    with workspace_scope(caller):
        done = Message.objects.of(caller).filter(id__in=[message.id for message in chunk])
        done.filter(extracted_at=None).update(extracted_at=utc_now())
