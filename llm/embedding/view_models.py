"""What Settings → Models shows of the embedding model, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from llm.embedding.services.model_choice import EmbedderState
from llm.models import WorkspaceEmbedder

NO_MODEL = "There is no embedding model. Search works by words only."


@dataclass(frozen=True, slots=True)
class EmbedderLine:
    """The active model in words, and the change that is under way; `percent` is of its rows."""

    active: str
    problem: str
    is_own: bool
    next: str = ""
    percent: int = 0
    progress: str = ""
    since: datetime | None = None
    next_problem: str = ""


def embedder_line(state: EmbedderState) -> EmbedderLine:
    active = _name(state.active, state.server_model)
    problem = state.active.problem if state.active else ""
    if state.incoming is None or state.progress is None:
        return EmbedderLine(active, problem, state.active is not None)
    done, total = state.progress.done, state.progress.total
    return EmbedderLine(
        active,
        problem,
        state.active is not None,
        next=_name(state.incoming, state.server_model),
        percent=100 * done // total if total else 100,
        progress=f"{done:,} of {total:,} texts have their new vector.",
        since=state.incoming.chosen_at,
        next_problem=state.incoming.problem,
    )


def _name(row: WorkspaceEmbedder | None, server_model: str) -> str:
    if row is None or row.is_of_server:
        return f"The server's model, {server_model}" if server_model else NO_MODEL
    provider = f" of {row.provider.name}" if row.provider else ""
    return f"{row.model}{provider}, {row.dimensions:,} dimensions"
