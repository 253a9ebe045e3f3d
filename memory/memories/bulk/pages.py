"""Console pages of the selected memories: one verb for all of them, tags, and a file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from core.errors import InvalidError
from memory.memories.bulk.forms import ReasonForm, TagForm, read_chosen
from memory.memories.bulk.services import BulkOutcome, add_tags, apply_to_all, remove_tags
from memory.memories.bulk.view_models import UndoForm, bulk_url, tags_sentence, verb_sentence
from memory.memories.forms import View
from memory.memories.schemas import MemoryResponse
from memory.memories.selectors import memories_by_id
from memory.memories.transitions import TRANSITIONS, Verb
from memory.memories.view_models import build_rows, list_around_row, list_url
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.http.console import ConsoleRequest, console_page, page_of_call, referring_page, show_success


@require_POST
@console_page
def change_selected(request: ConsoleRequest, verb: Verb) -> HttpResponse:
    """Take one step of the lifecycle with every selected memory."""
    request.seat.caller.require(Right.WRITE)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        raise InvalidError("A reason is plain text of at most 500 characters.")
    chosen = read_chosen(request.POST)
    outcome = apply_to_all(caller=request.seat.caller, chosen=chosen, verb=verb, **form.cleaned_data)
    undo = UndoForm(bulk_url(request.seat, TRANSITIONS[verb].undo), [f"{one}:{chosen[one]}" for one in outcome.changed])
    return _answer(request, verb_sentence(verb, outcome), outcome, list(chosen), undo)


@require_POST
@console_page
def tag_selected(request: ConsoleRequest) -> HttpResponse:
    """Add tags to every selected memory; without script a page of its own asks for them."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    chosen = read_chosen(request.POST)
    form = TagForm(request.POST if request.POST.get("tags") else None)
    if not form.is_valid():
        if request.htmx:
            raise InvalidError(" ".join(map(str, form.errors.get("tags", ["Type at least one tag."]))))
        context = {"form": form, "memories": request.POST.getlist("memory"), "back": _list_page(request)}
        return render(request, "memory/tag_selected.html", context, status=422 if form.is_bound else 200)
    outcome = add_tags(caller=caller, memory_ids=list(chosen), tags=form.cleaned_data["tags"])
    added = [f"{memory_id}:{','.join(tags)}" for memory_id, tags in outcome.tags.items()]
    undo = UndoForm(bulk_url(request.seat, "untag"), added)
    return _answer(request, tags_sentence(outcome, is_more=True), outcome, list(chosen), undo)


@require_POST
@console_page
def untag_selected(request: ConsoleRequest) -> HttpResponse:
    """Take from each selected memory the tags that its value names: what taking `tag_selected` back sends."""
    request.seat.caller.require(Right.WRITE)
    chosen = {memory_id: tags.split(",") for memory_id, tags in read_chosen(request.POST).items()}
    outcome = remove_tags(caller=request.seat.caller, tags=chosen)
    return _answer(request, tags_sentence(outcome, is_more=False), outcome, list(chosen))


@require_POST
@console_page
def export_selected(request: ConsoleRequest) -> HttpResponse:
    """Save the selected memories as JSON Lines, each as REST has it."""
    caller, chosen = request.seat.caller.alone(), read_chosen(request.POST)
    with workspace_scope(caller):
        found = memories_by_id(caller, list(chosen))
    lines = [json.dumps(MemoryResponse.of(found[one]).as_json(), ensure_ascii=False) for one in chosen if one in found]
    answer = HttpResponse("".join(f"{line}\n" for line in lines), content_type="application/x-ndjson; charset=utf-8")
    answer.headers["Content-Disposition"] = 'attachment; filename="memories.jsonl"'
    return answer


def _answer(
    request: ConsoleRequest, text: str, outcome: BulkOutcome, chosen: list[UUID], undo: UndoForm | None = None
) -> HttpResponse:
    """Say what was done, once, with one Undo for all that was changed; and render the rows of the page again."""
    undo = undo if outcome.changed else None
    toast = {"undo_url": undo.url, "undo_fields": f"#{undo.id}"} if undo else {}
    return show_success(
        request,
        text,
        fragment=lambda: _rows_answer(request, chosen, undo),
        back=_list_page(request),
        tone="" if outcome.changed else "warning",
        **toast,
    )


def _rows_answer(request: ConsoleRequest, chosen: list[UUID], undo: UndoForm | None) -> HttpResponse:
    seat = request.seat
    on_page = set(_ids_on_page(request, chosen))
    with workspace_scope(seat.caller):
        found = memories_by_id(seat.caller, [one for one in chosen if one in on_page])
    context: dict[str, Any] = {"rows": build_rows(seat, found.values()), "undo": undo}
    return render(request, "memory/_selected.html", context | list_around_row(seat, page_of_call(request)))


def _ids_on_page(request: ConsoleRequest, chosen: list[UUID]) -> Iterator[UUID]:
    """Return which of the memories have a row on the page: all of those that were selected in it."""
    if "are_shown" in request.POST:
        yield from chosen
        return
    shown = set(request.POST.getlist("shown"))
    yield from (one for one in chosen if str(one) in shown)


def _list_page(request: ConsoleRequest) -> str:
    """Return the list that the form was sent from; the page that asks for tags takes no GET, and leads to all."""
    everything = list_url(request.seat, View.SEARCH)
    page = referring_page(request, everything)
    return everything if urlsplit(page).path == request.path else page
