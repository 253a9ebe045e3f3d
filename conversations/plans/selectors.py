"""Reading plans and the attempts at tasks. `access_conversation` says which conversation an address means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Count, Max, QuerySet

from conversations.messages.selectors import access_conversation
from conversations.models import Conversation, Iteration, Plan
from conversations.plans.task_keys import check_task_key
from core.errors import NotFoundError
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """A task of a conversation: the number of the attempts that are kept, and its last attempt."""

    task_key: str
    attempts: int
    last_attempt: int
    last_attempt_at: datetime


def access_plan(caller: Caller, conversation: str | UUID) -> Plan:
    """Return the plan of the conversation with this id or key. Raises NotFoundError, also where it has none."""
    found = access_conversation(caller, conversation)
    plan = find_plan(caller, found)
    if plan is None:
        raise NotFoundError("This conversation has no plan. Write one, with version 0.")
    return plan


def find_plan(caller: Caller, conversation: Conversation) -> Plan | None:
    """Return the plan of a conversation; None where it has none."""
    with workspace_scope(caller):
        return Plan.objects.of(caller).filter(conversation=conversation).first()


def task_iterations(caller: Caller, conversation: Conversation, task_key: str) -> QuerySet[Iteration]:
    """Return the attempts at a task that are kept, newest first, for an open scope. Raises UnfitTaskKeyError."""
    check_task_key(task_key)
    found = Iteration.objects.of(caller).filter(conversation=conversation, task_key=task_key)
    return found.order_by("-attempt")


def conversation_tasks(caller: Caller, conversation: Conversation) -> Sequence[TaskSummary]:
    """Return the tasks of a conversation that have attempts, the one that was tried last first."""
    with workspace_scope(caller):
        rows = Iteration.objects.of(caller).filter(conversation=conversation).order_by().values("task_key")
        counted = rows.annotate(number=Count("*"), last=Max("attempt"), at=Max("created_at"))
        found = counted.values_list("task_key", "number", "last", "at").order_by("-at", "task_key")
        return [TaskSummary(*row) for row in found]
