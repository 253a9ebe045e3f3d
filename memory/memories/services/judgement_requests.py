"""Asking for a model's judgement of what a memory replaces, where the rules may have missed it."""

from __future__ import annotations

from llm.call_kinds import CallKind
from llm.configuration.selectors import configured_model
from memory.models import Memory, Source
from workspaces.access.callers import Caller
from workspaces.access.unique_tasks import enqueue_in_turn

JUDGE_TASK = "memory.extraction.tasks.judge_replacements"


def request_judgement(*, caller: Caller, memory: Memory) -> None:
    """Queue the comparison of a new or rewritten memory with older ones, where the workspace has a model for it.

    Not for what is imported, which comes by the thousand, each with the date from which on it held. Runs in the open
    scope of the write: a write that is rolled back asks for nothing.
    """
    if memory.source == Source.IMPORT or memory.is_closed:
        return
    if configured_model(caller, CallKind.EXTRACT) is not None:
        enqueue_in_turn(JUDGE_TASK, caller=caller, subject=str(memory.pk))
