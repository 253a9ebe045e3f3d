"""What the server answers about plans and iteration logs, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime

from workspace_memory.base_models import Answer

__all__ = ["Briefing", "Iteration", "Plan", "PlanStep", "TaskSummary"]


class PlanStep(Answer):
    """One step of a plan."""

    title: str
    status: str
    note: str | None = None


class Plan(Answer):
    """The plan of a conversation, as it is stored; a writing of it names the `version`."""

    conversation_id: str
    goal: str
    phase: str | None = None
    iteration_count: int
    steps: list[PlanStep]
    version: int
    updated_by: str | None = None
    created_at: datetime
    updated_at: datetime


class Iteration(Answer):
    """One attempt at a task, as it is stored; `attempt` is its number among those of the task."""

    id: str
    conversation_id: str
    task_key: str
    attempt: int
    action: str
    result: str | None = None
    error: str | None = None
    diagnosis: str | None = None
    fix: str | None = None
    recorded_by: str | None = None
    created_at: datetime


class TaskSummary(Answer):
    """A task that has attempts: the number of those that are kept, and the last one."""

    task_key: str
    attempts: int
    last_attempt: int
    last_attempt_at: datetime


class Briefing(Answer):
    """What a sub-agent is given of a task; `attempts` and the steps that found no room are counted."""

    task_key: str
    text: str
    tokens_used: int
    token_budget: int
    attempts: int
    attempts_left_out: int
    steps_left_out: int
