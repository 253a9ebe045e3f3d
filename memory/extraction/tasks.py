"""Task of extraction: statements of one conversation."""

from __future__ import annotations

from uuid import UUID

from memory.extraction.services import extraction


def extract_conversation(workspace_id: str, conversation_id: str) -> dict[str, int]:
    """Keep what is worth keeping of an ended conversation. A dead model fails the task, and the queue tries again."""
    outcomes = extraction.extract_memories(workspace_id=UUID(workspace_id), conversation_id=UUID(conversation_id))
    return {str(outcome): count for outcome, count in outcomes.items()}
