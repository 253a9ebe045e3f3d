"""Suppressing or editing a memory, and closing a statement, from where a context that held it is looked at."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from uuid import UUID

from core.embedding.errors import EmbedderError
from core.space_ids import SHARED
from llm.embedding.services.backlog import embed_for_a_while
from memory.episodes.selectors import access_statement
from memory.episodes.services.manual_closures import close_statement, reopen_statement
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import edit_memory
from memory.memories.transitions import Verb
from memory.models import EpisodeStatement
from workspaces.access.callers import Caller, Right

log = logging.getLogger(__name__)

SECONDS_OF_EMBEDDING = 1.0
DONE = {Verb.SUPPRESS: "Suppressed.", Verb.UNSUPPRESS: "Unsuppressed."}
EDITED = "Saved. What it said before is in its history."


@dataclass(frozen=True, slots=True)
class Correction:
    """What is changed of a memory: a verb, or with None what it says from then on."""

    memory_id: UUID
    verb: Verb | None = None
    content: str = ""

    @property
    def past(self) -> str:
        """What was done, as a sentence."""
        return DONE[self.verb] if self.verb else EDITED


@dataclass(frozen=True, slots=True)
class StatementChange:
    """A statement that is to be closed because it is not true, or to be opened again."""

    statement_id: UUID
    closes: bool


def correct_memory(*, caller: Caller, correction: Correction) -> None:
    """Change a memory of the caller's space or of the shared one, which everybody may change.

    Raises MissingScopeError without `write`, NotFoundError, and what the lifecycle and edits refuse.
    """
    caller.require(Right.WRITE)
    memory = access_memory(caller, correction.memory_id)
    writer = _place_caller(caller, memory.space_id)
    if correction.verb:
        apply_transition(caller=writer, memory_id=memory.pk, verb=correction.verb)
    else:
        edit_memory(caller=writer, memory_id=memory.pk, changes={"content": correction.content})
        _find_by_new_text(caller)


def _find_by_new_text(caller: Caller) -> None:
    """Make the vector of the new text now, so that the context that is made next has it; without an embedder, later."""
    try:
        embed_for_a_while(workspace_id=caller.workspace_id, seconds=SECONDS_OF_EMBEDDING, order="-id")
    except EmbedderError as error:
        log.warning("edit_not_embedded workspace=%s code=%s", caller.workspace_id, error.code)


def change_statement(*, caller: Caller, change: StatementChange) -> EpisodeStatement:
    """Close a statement of the caller's space or of the shared one, or open it again, and return it.

    Raises MissingScopeError without `facts`, NotFoundError, OtherSpaceError, StatementReplacedError.
    """
    caller.require(Right.FACTS)
    statement = access_statement(caller, change.statement_id)
    apply = close_statement if change.closes else reopen_statement
    return apply(caller=_place_caller(caller, statement.space_id), statement_id=statement.pk)


def _place_caller(caller: Caller, space_id: UUID) -> Caller:
    """Return the caller in the space of what is changed: that of the page, or the shared one."""
    is_shared = space_id == SHARED and caller.reach.written != SHARED
    return caller.within(SHARED) if is_shared else caller
