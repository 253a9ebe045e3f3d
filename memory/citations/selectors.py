"""Reading runs and citations. `access_run` is the only road from an outside id to a run."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from conversations.models import Message, MessageRole
from core.errors import NotFoundError
from core.text import find_citations
from memory.citations.quoting_answers import is_quoting_answer
from memory.models import (
    Memory,
    Run,
    RunCitation,
)
from ontology.models import Node
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope


def memory_citations(caller: Caller, memory: Memory) -> QuerySet[RunCitation]:
    """Return the runs that cited a memory, newest first."""
    mine = RunCitation.objects.of(caller).filter(memory=memory)
    return mine.select_related("run").order_by("-id")


def access_run(caller: Caller, run_id: UUID) -> Run:
    """Return a run of the caller's workspace. Raises NotFoundError."""
    caller.require(Right.READ)
    with reading_scope(caller):
        run: Run | None = Run.objects.of(caller).filter(id=run_id).first()
    if run is None:
        raise NotFoundError()
    return run


def workspace_runs(caller: Caller) -> QuerySet[Run]:
    """Return the workspace's runs, newest first."""
    return Run.objects.of(caller).order_by("-id")


def quoting_answers(messages: Iterable[Message]) -> set[UUID]:
    """Return those of the messages, by their ids, that are answers of quotes, which say nothing of their own."""
    return {each.id for each in messages if each.role == MessageRole.ASSISTANT and is_quoting_answer(each.content)}


def withheld_answers(caller: Caller, messages: Iterable[Message]) -> set[UUID]:
    """Return those of the messages, by their ids, that no user said and that cite a memory that agents are not given
    any more: it was suppressed or forgotten, or is no longer there. For the open scope.

    An answer of an assistant, or what a tool has read, has the words of the memory, and would bring them back. One that
    cites what is merely no longer true stays: it is a record of its day.
    """
    cited = {
        message.id: {identity for identity, kind in find_citations(message.content).ids.items() if kind == "mem"}
        for message in messages
        if message.role != MessageRole.USER
    }
    ids = set().union(*cited.values())
    if not ids:
        return set()
    given = set(Node.objects.of(caller).live().filter(id__in=ids, suppressed_at=None).values_list("id", flat=True))
    return {identity for identity, named in cited.items() if not named <= given}
