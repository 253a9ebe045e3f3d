"""Tasks of extraction: statements of one conversation, and what a memory replaces."""

from __future__ import annotations

from uuid import UUID

from memory.episodes.services.end_conversation import EXTRACT_TASK
from memory.extraction.services import extraction, replacement_judgement
from memory.memories.services.judgement_requests import JUDGE_TASK
from workspaces.access.callers import system_caller
from workspaces.access.unique_tasks import enqueue_in_turn, note_begin

# After so long no further chunk is begun: other workspaces have their turn.
SECONDS_OF_ONE_TASK = 2.0


def extract_conversation(workspace_id: str, conversation_id: str) -> dict[str, int]:
    """Keep what is worth keeping of an ended conversation; goes on in a further task when there is more.

    A dead model fails the task, and the queue tries again.
    """
    caller = system_caller(UUID(workspace_id), "extraction")
    note_begin(EXTRACT_TASK, caller=caller, subject=conversation_id)
    found = extraction.extract_memories(
        workspace_id=UUID(workspace_id), conversation_id=UUID(conversation_id), seconds=SECONDS_OF_ONE_TASK
    )
    if not found.is_finished:
        enqueue_in_turn(EXTRACT_TASK, caller=caller, subject=conversation_id)
    return {str(outcome): count for outcome, count in found.outcomes.items()}


def judge_replacements(workspace_id: str, memory_id: str) -> int:
    """Have the workspace's model say which older memories one replaces; return the number closed or noted.

    A dead model fails the task, and the queue tries again.
    """
    note_begin(JUDGE_TASK, caller=system_caller(UUID(workspace_id), "judgement"), subject=memory_id)
    return replacement_judgement.judge_memory(workspace_id=UUID(workspace_id), memory_id=UUID(memory_id))
