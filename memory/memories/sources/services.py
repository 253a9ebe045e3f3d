"""Writing where a memory was said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.models import Memory, MemoryRevision, MemorySource
from workspaces.access.callers import Caller


@dataclass(frozen=True, slots=True)
class SaidIn:
    """A message in which something was said."""

    message_id: UUID
    conversation_id: UUID
    said_at: datetime


def unknown_sources(caller: Caller, memory: Memory, said: Sequence[SaidIn]) -> list[SaidIn]:
    """Return the messages that are not known as sources of a locked memory, in their order; for an open scope."""
    known = MemorySource.objects.of(caller).filter(memory=memory, message_id__in=[each.message_id for each in said])
    there = set(known.values_list("message_id", flat=True))
    return [each for each in said if each.message_id not in there]


def record_source(*, caller: Caller, memory: Memory, revision: MemoryRevision, said: SaidIn) -> None:
    """Keep a message as a source of a memory, with the step that it made; in the transaction of that step."""
    MemorySource.objects.create(
        workspace_id=caller.workspace_id,
        memory=memory,
        revision=revision,
        conversation_id=said.conversation_id,
        message_id=said.message_id,
        said_at=said.said_at,
    )
