"""Task of extraction: statements of one conversation."""

from __future__ import annotations

from uuid import UUID

from memory.episodes.services.end_conversation import EXTRACT_TASK
from memory.extraction.services import extraction
from workspaces.access.callers import system_caller
from workspaces.access.single_tasks import note_begin


def extract_conversation(workspace_id: str, conversation_id: str) -> dict[str, int]:
    """Keep what is worth keeping of an ended conversation. A dead model fails the task, and the queue tries again."""
    note_begin(EXTRACT_TASK, caller=system_caller(UUID(workspace_id), "extraction"), subject=conversation_id)
    outcomes = extraction.extract_memories(workspace_id=UUID(workspace_id), conversation_id=UUID(conversation_id))
    return {str(outcome): count for outcome, count in outcomes.items()}
