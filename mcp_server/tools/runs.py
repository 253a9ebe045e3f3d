"""Tools for one piece of work: its start, and the citations at its end."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.http.field_types import Id
from mcp_server.registry import writes
from mcp_server.results import result_text
from memory.citations.schemas import FinalStatus, FinishedResponse, Output, RunInput, RunResponse
from memory.citations.services import finish_run, start_run
from workspaces.access.callers import Caller

RunId = Annotated[Id, Field(description="The id that run_start answered.")]


@writes("run.start", "Start a run", text=result_text.render_run)
def start(caller: Caller, *, body: RunInput) -> RunResponse:
    """Say that a piece of work begins. Finish it with run_finish, so that cited memories gain weight."""
    run = start_run(caller=caller, agent=body.agent, conversation=body.conversation)
    return RunResponse.of(run)


@writes("run.finish", "Finish a run", is_idempotent=True, text=result_text.render_finished_run)
def finish(caller: Caller, *, run_id: RunId, output: Output, status: FinalStatus = "succeeded") -> FinishedResponse:
    """Say how a piece of work ended. Each memory that the output cites counts once, however often this is called."""
    finished = finish_run(caller=caller, run_id=run_id, status=status, output=output)
    return FinishedResponse.of(finished)
