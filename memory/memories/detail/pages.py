"""The console page of one memory: its text, its standing, its history, who cited it and where it was learned."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render

from memory.citations.selectors import memory_citations
from memory.memories import view_models
from memory.memories.forms import EditForm, StepForm
from memory.memories.history.view_models import differing_texts, history_context
from memory.memories.review.selectors import is_merged
from memory.memories.selectors import access_memory, contradicting_memories, memories_by_id, memory_revisions
from memory.memories.services.memory_writer import edit_hash
from memory.memories.sources.selectors import memory_sources
from memory.memories.sources.view_models import source_lines
from memory.models import Memory
from memory.recall.receipts.view_models import memory_contexts
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest, page_of_call
from workspaces.http.console_moments import NOW, MomentBar

MAX_STEPS = 50
MAX_CITATIONS = 20


def render_detail(
    request: ConsoleRequest,
    memory_id: UUID,
    *,
    form: EditForm | None = None,
    status: int = 200,
    bar: MomentBar = NOW,
) -> HttpResponse:
    """Render a memory on its page, or what a verb on it has changed there."""
    with workspace_scope(request.seat.caller):
        found = access_memory(request.seat.caller, memory_id, with_forgotten=True)
        context = {
            **_detail_context(request.seat, found, bar),
            "form": form,
            "edit_seen": edit_hash(found),
            "theirs": differing_texts(found, form) if form and status == HTTPStatus.CONFLICT else [],
            "suppress_form": StepForm(),
        }
    if request.htmx.target != "memory":
        return render(request, "memory/detail.html", context, status=status)
    shown = view_models.list_around_row(request.seat, page_of_call(request))  # where it stands in the panel
    return render(request, "memory/_answer.html", context | shown, status=status)


def _detail_context(seat: ConsoleContext, found: Memory, bar: MomentBar) -> dict[str, Any]:
    """Return what is known of a memory, in an open scope."""
    caller = seat.caller
    revisions = list(memory_revisions(caller, found)[: MAX_STEPS + 1])
    citations = list(memory_citations(caller, found)[: MAX_CITATIONS + 1])
    doubts = [] if found.is_closed else list(contradicting_memories(caller, found))
    closer = memories_by_id(caller, [found.superseded_by_id]) if found.superseded_by_id else {}
    return {
        **history_context(seat, found, revisions, bar, most=MAX_STEPS),
        "closer": next(iter(view_models.memory_links(seat, closer.values())), None),
        "is_merged": is_merged(caller, found),
        "doubts": view_models.memory_links(seat, doubts),
        "pairs": view_models.properties(found),
        "citations": citations[:MAX_CITATIONS],
        "has_more_citations": len(citations) > MAX_CITATIONS,
        "sources": source_lines(seat, memory_sources(caller, found)),
        "contexts": memory_contexts(seat, found.pk),
    }
