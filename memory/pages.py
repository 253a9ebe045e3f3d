"""Console pages of memories: the lists, remembering, one memory with its history, and every verb."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from rest_framework.request import Request

from core.errors import InvalidError, ProductError
from core.http.pages import CursorPages
from memory import console, overview, selectors
from memory.console import Listing
from memory.forms import EditForm, Look, RememberForm, SuppressForm, View, WeighForm, look_of
from memory.lifecycle import STEPS, Verb
from memory.models import Kind, MemoryQuerySet, Source
from memory.services.searching import search_memories
from memory.services.standing import change_standing, purge_stale, weigh_memory
from memory.services.writing import NewMemory, Remembered, edit_memory, remember
from workspaces.callers import Right
from workspaces.console import ConsoleRequest, came_from, console_page, done, led_to, show_refusal
from workspaces.scope import workspace_scope

MOST_HITS = 50
MOST_RECOMMENDED = 5
MOST_SHOWN_AS_PURGED = 100
MOST_STEPS = 50
MOST_CITATIONS = 20


@require_safe
@console_page
def listing(request: ConsoleRequest) -> HttpResponse:
    """The lists and the search, chosen by the query string."""
    look = look_of(request.GET)
    return _list_answer(request, look, _searched(request, look) if look.query else _listed(request, look))


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def remember_page(request: ConsoleRequest) -> HttpResponse:
    """Add a memory or a fact as a person."""
    request.seat.caller.require(Right.WRITE)
    form = RememberForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        given = form.cleaned_data
        new = NewMemory(given["content"], kind=Kind(given["kind"]), source=Source.USER, tags=tuple(given["tags"]))
        try:
            return _remembered(request, remember(caller=request.seat.caller, new=new), asked=new.kind)
        except ProductError as error:
            show_refusal(form, error)
    template = "memory/_remember_form.html" if request.htmx else "memory/remember.html"
    return render(request, template, {"form": form}, status=422 if form.is_bound else 200)


@require_safe
@console_page
def detail(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """One memory: its text, its standing, its history and who cited it. A forgotten one can still be looked at."""
    return _detail_answer(request, memory_id)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def edit(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Change what a memory says."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    found = selectors.access_memory(caller, memory_id)
    if request.method != "POST":
        return _detail_answer(request, memory_id, form=EditForm.of(found))
    form = EditForm.of(found, request.POST)
    if form.is_valid():
        try:
            edit_memory(caller=caller, memory_id=memory_id, changes=form.changes())
        except ProductError as error:
            show_refusal(form, error)
        else:
            return done(
                request,
                "Saved. What it said before is in its history." if form.has_changed() else "Nothing was changed.",
                fragment=lambda: _detail_answer(request, memory_id),
                back=console.detail_url(request.seat, found),
            )
    return _detail_answer(request, memory_id, form=form, status=422)


@require_POST
@console_page
def weigh(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Move the manual weight; the undoing comes with its `delta` in the address."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    before = selectors.access_memory(caller, memory_id).manual_weight
    form = WeighForm(request.POST if "delta" in request.POST else request.GET)
    if not form.is_valid():
        raise InvalidError("A weight moves by a number from -10 to 10.")
    found = weigh_memory(
        caller=caller,
        memory_id=memory_id,
        delta=form.cleaned_data["delta"],
        seen=form.cleaned_data["times_referenced"],
    )
    url = console.detail_url(request.seat, found)
    return done(
        request,
        f"Its weight is now {found.weight:.2f}.",
        fragment=lambda: _detail_answer(request, memory_id),
        back=url,
        undo_url=f"{url}/weigh?delta={before - found.manual_weight:.4f}",
        undo_target="#memory",
    )


@require_POST
@console_page
def change(request: ConsoleRequest, memory_id: UUID, verb: Verb) -> HttpResponse:
    """One verb of the lifecycle, from a row or from the memory's own page."""
    form = SuppressForm(request.POST)
    if not form.is_valid():
        raise InvalidError("A reason is plain text of at most 500 characters.")
    found = change_standing(
        caller=request.seat.caller, memory_id=memory_id, verb=verb, reason=form.cleaned_data["reason"]
    )
    step, url = STEPS[verb], console.detail_url(request.seat, found)
    is_on_its_page = request.htmx.target == "memory"
    return done(
        request,
        f"{step.past}. {step.meaning}",
        fragment=lambda: _detail_answer(request, memory_id) if is_on_its_page else _row_answer(request, memory_id),
        back=came_from(request, url),
        undo_url=f"{url}/{step.undo}",
        undo_target="#memory" if is_on_its_page else "",
    )


@require_POST
@console_page
def purge(request: ConsoleRequest) -> HttpResponse:
    """Forget every stale memory, and show which."""
    removed = purge_stale(caller=request.seat.caller)
    for gone in removed:  # they are answered as they were
        gone.node.is_deleted = True
    shown = console.rows_of(request.seat, removed[:MOST_SHOWN_AS_PURGED])
    total = f"{len(removed):,} forgotten just now" + (f", {len(shown)} shown" if len(shown) < len(removed) else "")
    look = look_of(QueryDict(f"view={View.STALE}"))
    return done(
        request,
        f"Forgot {len(removed):,} stale {_plural(len(removed))}. Each can be restored, under Review.",
        fragment=lambda: _list_answer(request, look, Listing(shown, total=total)),
        back=console.list_url(request.seat, View.REVIEW, state=overview.Hidden.FORGOTTEN),
    )


def _listed(request: ConsoleRequest, look: Look) -> Listing:
    caller, pages = request.seat.caller, CursorPages()
    with workspace_scope(caller):
        if look.view == View.REVIEW:
            found = overview.hidden_memories(caller, look.hidden).filter(look.narrow.condition())
        elif look.view == View.STALE:
            found = selectors.stale_memories(caller).filter(look.narrow.condition())
        else:
            found = selectors.memories_matching(caller, look.narrow)
        page = pages.paginate_queryset(found, Request(request)) or []
        total = _total(found) if look.is_filtered else ""
    return Listing(console.rows_of(request.seat, page), pages.get_previous_link(), pages.get_next_link(), total)


def _searched(request: ConsoleRequest, look: Look) -> Listing:
    found = search_memories(caller=request.seat.caller, query=look.query, narrow=look.narrow, limit=MOST_HITS)
    rows = [console.row_of(request.seat, hit.memory, hit) for hit in found.hits]
    number = f"The best {MOST_HITS}" if len(rows) == MOST_HITS else f"{len(rows)} found"
    total = f"{number} {console.METHODS[found.method]} in {found.latency_ms:.0f} ms"
    return Listing(rows, total=total, is_scored=True)


def _total(found: MemoryQuerySet) -> str:
    number = overview.count_up_to(found, overview.MOST_COUNTED)
    return (
        f"Over {overview.MOST_COUNTED:,} memories"
        if number > overview.MOST_COUNTED
        else f"{number:,} {_plural(number)}"
    )


def _plural(number: int) -> str:
    return "memory" if number == 1 else "memories"


def _list_answer(request: ConsoleRequest, look: Look, listing: Listing) -> HttpResponse:
    seat = request.seat
    counts = overview.census(seat.caller)
    context: dict[str, Any] = {
        "look": look,
        "listing": listing,
        "counts": counts,
        "tabs": console.tabs(seat, look.view, counts),
        "chips": console.chip_groups(look, counts, overview.facets(seat.caller, look.unfiltered)),
        "clear_url": console.cleared(look),
        "may_write": seat.caller.may(Right.WRITE),
        "may_purge": seat.caller.may(Right.ADMIN),
    }
    if look.view == View.STALE:
        context["stale_count"] = overview.stale_count(seat.caller)
    if look.view == View.PINNED and not listing.previous:
        candidates = selectors.pin_recommendations(seat.caller, limit=MOST_RECOMMENDED)
        context["recommended"] = console.rows_of(seat, candidates)
    if request.htmx.target == "memory-view":
        return render(request, "memory/_view.html", context)
    context |= {
        "form": RememberForm(),
        "kept": console.kept_by_search(look),
        "banners": console.banners(seat, selectors.facts_budget(seat.caller)),
    }
    return render(request, "memory/list.html", context)


def _remembered(request: ConsoleRequest, kept: Remembered, *, asked: Kind) -> HttpResponse:
    """Lead to where the new memory stands, or to the one that already says the same."""
    seat, memory = request.seat, kept.memory
    detail = console.detail_url(seat, memory)
    if kept.is_new:
        text = f"Remembered. {STEPS[Verb.PROMOTE if asked == Kind.FACT else Verb.DEMOTE].meaning}"
        back = console.list_url(seat, View.FACTS if asked == Kind.FACT else View.SUGGESTIONS)
        undo = {"undo_url": f"{detail}/{Verb.FORGET}", "undo_target": f'[data-key="memory-{memory.pk}"]'}
    else:
        hint = " Promote it to make it a fact." if asked == Kind.FACT and memory.kind != Kind.FACT else ""
        text, back, undo = f"Already remembered: this {memory.kind} says exactly that.{hint}", detail, {}
    return done(request, text, fragment=lambda: led_to(back), back=back, **undo)


def _row_answer(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """The row again, and the tabs of the list that it stands in, whose numbers have changed."""
    seat = request.seat
    row = console.row_of(seat, selectors.access_memory(seat.caller, memory_id, with_forgotten=True))
    context: dict[str, Any] = {"row": row}
    shown = urlsplit(request.htmx.current_url_abs_path or "")
    if shown.path == reverse("memory", args=[seat.workspace.slug]):
        view = look_of(QueryDict(shown.query)).view
        context["tabs"] = console.tabs(seat, view, overview.census(seat.caller))
    return render(request, "memory/_row.html", context)


def _detail_answer(
    request: ConsoleRequest, memory_id: UUID, *, form: EditForm | None = None, status: int = 200
) -> HttpResponse:
    caller = request.seat.caller
    found = selectors.access_memory(caller, memory_id, with_forgotten=True)
    with workspace_scope(caller):
        revisions = list(selectors.revisions_of(caller, found)[: MOST_STEPS + 1])
        citations = list(selectors.citations_of(caller, found)[: MOST_CITATIONS + 1])
    context = {
        "row": console.row_of(request.seat, found),
        "pairs": console.properties(request.seat, found),
        "steps": console.step_lines(revisions[:MOST_STEPS]),
        "has_more_steps": len(revisions) > MOST_STEPS,
        "citations": citations[:MOST_CITATIONS],
        "has_more_citations": len(citations) > MOST_CITATIONS,
        "form": form,
        "suppress_form": SuppressForm(),
    }
    template = "memory/_memory.html" if request.htmx.target == "memory" else "memory/detail.html"
    return render(request, template, context, status=status)
