"""What an agent means to do in a session, and what it tried: plans, iteration logs, briefings of sub-agents."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

from typing_extensions import Unpack

from workspace_memory.aio.transport import AsyncTransport
from workspace_memory.deprecated_names import takes_most
from workspace_memory.errors import NotFoundError
from workspace_memory.plan_models import Briefing, Iteration, Plan
from workspace_memory.request_fields import IterationFields
from workspace_memory.wire import asked, body_of, given, quoted


class AsyncPlans:
    """The plan of a session; it survives reconnects and restarts, and goes with the session."""

    def __init__(self, transport: AsyncTransport, path: str) -> None:
        self._transport = transport
        self._path = f"{path}/plan"

    async def get(self) -> Plan | None:
        """The plan as it is now; None where there is none."""
        try:
            return await self._transport.ask(Plan, "GET", self._path)
        except NotFoundError:
            if not await self._transport.opens_workspace():
                raise
            return None

    async def update(
        self,
        goal: str,
        *,
        steps: Sequence[Mapping[str, Any]] = (),
        phase: str = "",
        iteration_count: int = 0,
        version: int = 0,
    ) -> Plan:
        """Write the whole plan. `version` is that of the plan which this one was made from, 0 for the first.

        A step has a `title`, a `status` (pending, in_progress, done, blocked or skipped) and a `note`. Raises
        ConflictError when the plan was written meanwhile: its `current` is the plan as it is now.
        """
        body = {
            "goal": goal,
            "phase": phase,
            "iteration_count": iteration_count,
            "steps": [dict(step) for step in steps],
            "version": version,
        }
        return await self._transport.ask(Plan, "PUT", self._path, body)

    async def delete(self) -> None:
        """Delete it; the next one begins with version 0."""
        await self._transport.remove(self._path)


class AsyncIterations:
    """The attempts at one task of a session, under a key of your choice."""

    def __init__(self, transport: AsyncTransport, path: str, task_key: str) -> None:
        self.task_key = task_key
        self._transport = transport
        self._path = f"{path}/iterations/{quoted(task_key)}"

    async def append(self, action: str, **fields: Unpack[IterationFields]) -> Iteration:
        """Log an attempt; the server gives it the next number. Of a task the newest 200 are kept."""
        return await self._transport.ask(Iteration, "POST", self._path, body_of({"action": action, **fields}))

    @takes_most
    def list(self, *, limit: int | None = None) -> AsyncIterator[Iteration]:
        """The attempts, newest first."""
        return self._transport.each(Iteration, self._path, {}, limit)

    async def briefing(self, task: str | None = None, *, token_budget: int | None = None) -> Briefing:
        """What to give to a sub-agent: the task, the plan, and the earlier attempts, newest last. Put `text` before its
        prompt; `task` says in your words what there is to do."""
        query = asked(**given(task=task, token_budget=token_budget))
        return await self._transport.ask(Briefing, "GET", f"{self._path}/briefing", query=query)

    async def clear(self) -> None:
        """Delete the log."""
        await self._transport.remove(self._path)
