"""The log of the attempts at a task: appended to, never edited, bounded in length."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from uuid import UUID

from django.db.models import Max

from conversations.messages.selectors import access_conversation
from conversations.messages.services.message_log import open_conversation
from conversations.models import Conversation, Iteration
from conversations.plans.task_keys import check_task_key
from core.errors import ConflictError
from core.text.validators import refuse_secret
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.quotas import refuse_full
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space
from workspaces.http.idempotency import purge_responses

# Of a task the newest are kept, and of a conversation this number of tasks.
MAX_ATTEMPTS = 200
MAX_TASKS = 1_000
MAX_TEXT_CHARACTERS = 4_000


class TooManyTasksError(ConflictError):
    """The conversation has logs of as many tasks as it may have."""

    code = "too_many_tasks"
    title = (
        f"This conversation has iteration logs of {MAX_TASKS:,} tasks, the most that it may have. Delete the log of a "
        "task that is done."
    )


@dataclass(frozen=True, slots=True)
class NewIteration:
    """What was tried, and what came of it."""

    action: str
    result: str = ""
    error: str = ""
    diagnosis: str = ""
    fix: str = ""


def append_iteration(*, caller: Caller, conversation: str, task_key: str, new: NewIteration) -> Iteration:
    """Append an attempt to the log of a task of the conversation with this id or key, under the next number.

    Beyond 200 attempts at a task the oldest is deleted; its number is not given again. A key that is not known yet
    begins a conversation. Raises MissingScopeError without `write`, UnfitTaskKeyError, SecretRefusedError,
    TooManyTasksError, OtherSpaceError, UnfitKeyError, QuotaExceededError.
    """
    caller.require(Right.WRITE)
    check_task_key(task_key)
    for field, text in asdict(new).items():
        refuse_secret(text, field=field)
    with workspace_scope(caller):
        refuse_full(caller=caller, model=Iteration, setting="MAX_ITERATIONS")
        enter_space(caller)
        target = open_conversation(caller, conversation)  # locked: of two at once, the second takes the next number
        logged = Iteration.objects.of(caller).filter(conversation=target)
        last: int | None = logged.filter(task_key=task_key).aggregate(last=Max("attempt"))["last"]
        if last is None:
            _refuse_more_tasks(caller, target)
        attempt = (last or 0) + 1
        logged.filter(task_key=task_key, attempt__lte=attempt - MAX_ATTEMPTS).delete()
        made = Iteration.objects.create(
            workspace_id=caller.workspace_id,
            conversation=target,
            task_key=task_key,
            attempt=attempt,
            recorded_by=caller.signature,
            **asdict(new),
        )
        record_event(
            caller=caller,
            action="iteration.recorded",
            object_type="iteration",
            object_id=made.id,
            details={"attempt": attempt},
        )
    return made


def delete_iterations(*, caller: Caller, conversation: str | UUID, task_key: str) -> None:
    """Delete the log of a task for good; what is not there is gone already. The next attempt is number 1 again.

    Raises MissingScopeError without `write`, UnfitTaskKeyError, NotFoundError for the conversation, OtherSpaceError.
    """
    caller.require(Right.WRITE)
    check_task_key(task_key)
    with workspace_scope(caller):
        found = access_conversation(caller, conversation, lock=True)
        logged = Iteration.objects.of(caller).filter(conversation=found, task_key=task_key)
        number, _ = logged.delete()
        if number:
            purge_responses(caller=caller)
            record_event(
                caller=caller,
                action="iterations.deleted",
                object_type="conversation",
                object_id=found.id,
                details={"attempts": number},
            )


def _refuse_more_tasks(caller: Caller, conversation: Conversation) -> None:
    tasks = Iteration.objects.of(caller).filter(conversation=conversation).order_by().values("task_key").distinct()
    if tasks.count() >= MAX_TASKS:
        raise TooManyTasksError()
