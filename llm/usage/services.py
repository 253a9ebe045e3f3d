"""One row for every call of a model, however it ends, and the budget that a call must fit into."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from uuid import UUID

from django.db import transaction

from core.db.connections import release_connection
from core.ids import new_id
from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel, month_budget
from llm.models import PromptRun, PromptRunStatus
from llm.providers.errors import BudgetExceededError, ModelError, ModelInsideTransactionError
from llm.providers.types import Prompt
from llm.providers.usage import Meter
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope


@dataclass
class Recording:
    """What is known of a call so far."""

    caller: Caller
    kind: CallKind
    prompt: Prompt
    choice: ResolvedModel
    meter: Meter = field(default_factory=Meter)
    status: PromptRunStatus = PromptRunStatus.FAILED
    outcome: str = "ended by a fault of this server"
    # The answer came, and declines in words: it is used where a person reads it, and is a success nowhere.
    is_declined: bool = False
    latency_ms: int = 0
    began: float = field(default_factory=time.perf_counter)
    prompt_run_id: UUID = field(default_factory=new_id)

    @property
    def credits(self) -> Decimal:
        return self.choice.prices.cost(input_tokens=self.meter.input_tokens, output_tokens=self.meter.output_tokens)

    def write(self) -> None:
        """Stop the clock of the finished call and add its row."""
        self.latency_ms = round((time.perf_counter() - self.began) * 1_000)
        with workspace_scope(self.caller):
            PromptRun.objects.create(
                id=self.prompt_run_id,
                workspace_id=self.caller.workspace_id,
                kind=self.kind,
                provider=self.choice.provider.name,
                model=self.choice.name,
                prompt_sha256=self.prompt.sha256,
                status=self.status,
                outcome=self.outcome[: PromptRun.MAX_OUTCOME_CHARACTERS],
                input_tokens=self.meter.input_tokens,
                output_tokens=self.meter.output_tokens,
                credits=self.credits,
                latency_ms=self.latency_ms,
            )


@contextmanager
def record_call(
    *, caller: Caller, kind: CallKind, prompt: Prompt, choice: ResolvedModel, background: bool
) -> Iterator[Recording]:
    """Wrap one call of a model: refuse it over budget, give the connection back meanwhile, record how it ended.

    Raises BudgetExceededError, and ModelInsideTransactionError when a transaction is open.
    """
    _refuse_open_transaction()
    recording = Recording(caller, kind, prompt, choice)
    try:
        _refuse_over_budget(caller, background=background)
        release_connection()  # a model may take a minute, and others wait for connections
        yield recording
        status = PromptRunStatus.REFUSED if recording.is_declined else PromptRunStatus.SUCCEEDED
        recording.status, recording.outcome = status, recording.meter.last
    except ModelError as error:
        recording.status, recording.outcome = error.run_status, error.detail
        raise
    except GeneratorExit:
        recording.status, recording.outcome = PromptRunStatus.CUT_OFF, "the reader left before the end"
        raise
    finally:
        recording.write()


def _refuse_over_budget(caller: Caller, *, background: bool) -> None:
    budget = month_budget(caller)
    if budget.stops_everything:
        raise BudgetExceededError()
    if background and budget.stops_background:
        raise BudgetExceededError(
            "Background work of this workspace stops at 80 % of its model budget for this month, which is reached."
        )


def _refuse_open_transaction() -> None:
    """Refuse a call inside a transaction: a slow model would keep its locks, a failing one would undo its writes."""
    try:
        with transaction.atomic(durable=True):  # refuses to be inside another one; a test case's own does not count
            pass
    except RuntimeError as error:
        raise ModelInsideTransactionError("Call models before a workspace scope opens, or after it closed.") from error
