"""Console pages of memories: the lists, remembering, one memory with its history, and every verb."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import replace_url, trigger_client_event

from core.errors import InvalidError, NotFoundError, ProductError
from core.http.time_pages import TimePages
from memory.memories import facets, view_models
from memory.memories.bulk.view_models import build_bar
from memory.memories.detail.pages import render_detail
from memory.memories.forms import (
    NOT_FILTERS,
    EditForm,
    MemoryListQuery,
    RememberForm,
    SpaceListForm,
    StepForm,
    View,
    WeighForm,
    parse_list_query,
)
from memory.memories.history.selectors import rewind_memories
from memory.memories.history.view_models import build_hit_rows, build_list_rows
from memory.memories.search_cut import count_strong
from memory.memories.selectors import (
    LEARNED,
    access_memory,
    facts_budget,
    memories_matching,
    memory_revisions,
    pin_recommendations,
    stale_memories,
)
from memory.memories.services.lifecycle import (
    TextChangedError,
    apply_transition,
    purge_stale,
    statement_hash,
    weigh_memory,
)
from memory.memories.services.memory_search import search_memories
from memory.memories.services.memory_writer import NewMemory, Remembered, edit_memory, remember
from memory.memories.space_counts import find_spaces, list_spaces
from memory.memories.transitions import TRANSITIONS, Verb
from memory.memories.view_models import MemoryRow
from memory.models import Kind, Memory, Source
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import is_owner
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    page_of_call,
    redirect_to_its_space,
    redirect_without_reload,
    referring_page,
    show_refusal,
    show_success,
)
from workspaces.http.console_lists import (
    MAX_HITS,
    Filters,
    Listing,
    count_in_words,
    hits_in_words,
    read_address,
    read_page,
)
from workspaces.http.console_moments import read_moment_bar
from workspaces.http.spaces_api import SpacePages

MAX_RECOMMENDED = 5
MAX_SHOWN_AS_PURGED = 100


@require_safe
@console_page
def listing(request: ConsoleRequest) -> HttpResponse:
    """Render the lists and the search, chosen by the query string."""
    request.seat = request.seat.alone()
    look = parse_list_query(request.GET)
    return _list_answer(request, look, _search_memories(request, look) if look.query else None)


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
            return _redirect_to_memory(request, remember(caller=request.seat.caller, new=new), asked=new.kind)
        except ProductError as error:
            show_refusal(form, error)
    template = "memory/_remember_form.html" if request.htmx else "memory/remember.html"
    return render(request, template, {"form": form}, status=422 if form.is_bound else 200)


@require_safe
@console_page
def detail(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """One memory: its text, its standing, its history and who cited it. A forgotten one can still be looked at."""
    found, bar = access_memory(request.seat.caller, memory_id, with_forgotten=True), read_moment_bar(request.GET)
    return redirect_to_its_space(request, found.space_id) or render_detail(request, memory_id, bar=bar)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def edit(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Change what a memory says."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    found = access_memory(caller, memory_id)
    if request.method != "POST":
        return render_detail(request, memory_id, form=EditForm.of(found))
    form, back = EditForm.of(found, request.POST), view_models.detail_url(request.seat, found)
    if form.is_valid():
        try:
            edit_memory(caller=caller, memory_id=memory_id, changes=form.changes(), seen=request.POST.get("seen", ""))
        except TextChangedError:
            return render_detail(request, memory_id, form=form, status=409)
        except ProductError as error:
            show_refusal(form, error)
        else:
            return show_success(
                request,
                "Saved. What it said before is in its history." if form.has_changed() else "Nothing was changed.",
                fragment=lambda: _leave_form(request, render_detail(request, memory_id), back),
                back=back,
            )
    return render_detail(request, memory_id, form=form, status=422)


def _leave_form(request: ConsoleRequest, answer: HttpResponse, back: str) -> HttpResponse:
    """Replace the address of the form, which would open it again; in a panel the address is that of the list."""
    is_form = page_of_call(request).partition("?")[0].endswith("/edit")
    return replace_url(answer, back) if is_form else answer


@require_POST
@console_page
def weigh(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Move the manual weight; the undoing comes with its `delta` in the address."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    before = access_memory(caller, memory_id).manual_weight
    form = WeighForm(request.POST if "delta" in request.POST else request.GET)
    if not form.is_valid():
        raise InvalidError("A weight moves by a number from -10 to 10.")
    found = weigh_memory(
        caller=caller,
        memory_id=memory_id,
        delta=form.cleaned_data["delta"],
        seen=form.cleaned_data["times_referenced"],
    )
    url = view_models.detail_url(request.seat, found)
    return show_success(
        request,
        f"Its weight is now {found.weight:.2f}.",
        fragment=lambda: render_detail(request, memory_id),
        back=url,
        undo_url=f"{url}/weigh?delta={before - found.manual_weight:.4f}",
        undo_target="#memory",
    )


@require_POST
@console_page
def change(request: ConsoleRequest, memory_id: UUID, verb: Verb) -> HttpResponse:
    """One verb of the lifecycle, from a row or from the memory's own page."""
    form = StepForm(request.POST if "seen" in request.POST else {**request.GET.dict(), **request.POST.dict()})
    if not form.is_valid():
        raise InvalidError("A reason is plain text of at most 500 characters.")
    caller = request.seat.caller
    try:
        with workspace_scope(caller):
            if verb == Verb.FORGET and "unpin" in request.GET:  # the person was asked "Unpin and forget?"
                apply_transition(caller=caller, memory_id=memory_id, verb=Verb.UNPIN)
            found = apply_transition(caller=caller, memory_id=memory_id, verb=verb, **form.cleaned_data)
    except NotFoundError:
        return _answer_forgotten(request, memory_id)
    step, url = TRANSITIONS[verb], view_models.detail_url(request.seat, found)
    is_on_its_page = request.htmx.target == "memory"
    return show_success(
        request,
        f"{step.past}. {step.meaning}",
        fragment=lambda: render_detail(request, memory_id) if is_on_its_page else _row_answer(request, memory_id),
        back=referring_page(request, url),
        undo_url=f"{url}/{step.undo}?seen={statement_hash(found)}",
        undo_target="#memory" if is_on_its_page else "",
    )


def _answer_forgotten(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Say who forgot what the person looks at, and offer to restore it. Raises NotFoundError where it never was."""
    seat = request.seat
    found = access_memory(seat.caller, memory_id, with_forgotten=True)
    with workspace_scope(seat.caller):
        last = memory_revisions(seat.caller, found).first()
    url = view_models.detail_url(seat, found)
    is_on_its_page = request.htmx.target == "memory"
    return show_success(
        request,
        f"{last.actor_label if last else 'An agent'} forgot this meanwhile. Nothing was changed.",
        fragment=lambda: render_detail(request, memory_id) if is_on_its_page else _row_answer(request, memory_id),
        back=referring_page(request, url),
        tone="warning",
        undo_url=f"{url}/{Verb.RESTORE}",
        undo_label="Restore",
        undo_target="#memory" if is_on_its_page else "",
    )


@require_POST
@console_page
def purge(request: ConsoleRequest) -> HttpResponse:
    """Forget every stale memory, and show which."""
    removed = purge_stale(caller=request.seat.caller.alone())
    for gone in removed:  # they are answered as they were
        gone.node.is_deleted = True
    shown = view_models.build_rows(request.seat, removed[:MAX_SHOWN_AS_PURGED])
    total = f"{len(removed):,} forgotten just now" + (f", {len(shown)} shown" if len(shown) < len(removed) else "")
    look = parse_list_query(QueryDict(f"view={View.STALE}"))
    many = "memory" if len(removed) == 1 else "memories"
    return show_success(
        request,
        f"Forgot {len(removed):,} stale {many}. Each can be restored, from the Bin.",
        fragment=lambda: _list_answer(request, look, Listing(shown, total=total)),
        back=view_models.list_url(request.seat, View.REVIEW, state=facets.Hidden.FORGOTTEN),
    )


@require_safe
@console_page
def spaces(request: ConsoleRequest) -> HttpResponse:
    """Render the users, agents and custom spaces that this person may know of, with what is in each."""
    caller = request.seat.caller
    given, asked = read_address(SpaceListForm, request.GET)
    filters, kind, words = Filters(given, NOT_FILTERS), asked.kind or "", asked.q.strip()
    with workspace_scope(caller):
        found = find_spaces(caller, kind=kind, words=words)
        page = read_page(request, found, SpacePages(), counted_as=("space", "spaces"))
    context = {
        "listing": page.listing(view_models.space_lines(request.seat, list_spaces(caller, page.records))),
        "chips": view_models.space_chips(filters),
        "clear_url": filters.clear_url,
        "kept": filters.hidden_fields(without={"q", "cursor"}),
        "query": words,
        "sees_all": not caller.binding.allowed,
        "may_erase": is_owner(caller),
    }
    template = "memory/_spaces.html" if request.htmx.target == "spaces-view" else "memory/spaces.html"
    return render(request, template, context)


def _list_memories(request: ConsoleRequest, look: MemoryListQuery) -> Listing[MemoryRow]:
    """Return the page of a list that the address asks for, in an open scope."""
    caller, oldest_first = request.seat.caller, look.view == View.STALE
    if look.view == View.REVIEW:
        found = facets.hidden_memories(caller, look.hidden).filter(look.narrow.condition())
    elif look.view == View.STALE:
        found = stale_memories(caller).filter(look.narrow.condition())
    else:
        found = memories_matching(caller, look.narrow, with_forgotten=True)
    page = read_page(request, found, TimePages(LEARNED, is_oldest_first=oldest_first))
    total = count_in_words(found, "memory", "memories") if look.filters.are_set else ""
    current = rewind_memories(caller, page.records, look.narrow.moments)
    return page.listing(build_list_rows(request.seat, page.records, look, current), total=total)


def _search_memories(request: ConsoleRequest, look: MemoryListQuery) -> Listing[MemoryRow]:
    found = search_memories(caller=request.seat.caller, query=look.query, narrow=look.narrow, limit=MAX_HITS)
    rows = build_hit_rows(request.seat, found, look)
    strong = count_strong(
        [(hit.found.score, "keyword" in hit.found.places, hit.found.confidence) for hit in found.hits]
    )
    total = hits_in_words(strong, method=found.method, latency_ms=found.latency_ms)
    return Listing(rows[:strong], total=total, is_scored=True, weaker=rows[strong:])


def _list_answer(
    request: ConsoleRequest, look: MemoryListQuery, listing: Listing[MemoryRow] | None = None
) -> HttpResponse:
    """Render what a search or a purge has found, otherwise the list that the address asks for."""
    with workspace_scope(request.seat.alone().caller):
        context = _list_context(request, look, listing or _list_memories(request, look))
    template = "memory/_view.html" if request.htmx.target == "memory-view" else "memory/list.html"
    return render(request, template, context)


def _list_context(request: ConsoleRequest, look: MemoryListQuery, listing: Listing[MemoryRow]) -> dict[str, Any]:
    """Return what the templates of a list show, in an open scope."""
    seat = request.seat.alone()
    counts = facets.census(seat.caller)
    context: dict[str, Any] = {
        "look": look,
        "listing": listing,
        "counts": counts,
        "tabs": view_models.tabs(seat, look.view, counts, look.bar.query),
        "chips": view_models.filter_chips(look, counts, facets.facets(seat.caller, look.unfiltered)),
        "clear_url": look.filters.clear_url,
        "bar": build_bar(seat, look.view),
        "by_day": not look.query,
        "may_write": seat.caller.may(Right.WRITE),
        "may_purge": seat.caller.may(Right.ADMIN),
    }
    if look.view == View.STALE:
        context["stale_count"] = facets.stale_count(seat.caller)
    if look.view == View.PINNED and not listing.previous and not look.bar.is_set:
        candidates = pin_recommendations(seat.caller, limit=MAX_RECOMMENDED)
        context["recommended"] = view_models.build_rows(seat, candidates)
    if request.htmx.target == "memory-view":
        return context
    budget = facts_budget(seat.caller)
    frame = {"kept": view_models.search_filters(look), "banners": view_models.banners(seat, budget)}
    return context | frame | {"form": RememberForm()}


def _redirect_to_memory(request: ConsoleRequest, kept: Remembered, *, asked: Kind) -> HttpResponse:
    """Lead to where the new memory stands, or to the one that already says the same."""
    seat, memory = request.seat, kept.memory
    detail = view_models.detail_url(seat, memory)
    if kept.is_new:
        text = f"Remembered. {TRANSITIONS[Verb.PROMOTE if asked == Kind.FACT else Verb.DEMOTE].meaning}"
        back = view_models.list_url(seat, View.FACTS if asked == Kind.FACT else View.SUGGESTIONS)
        undo = {"undo_url": f"{detail}/{Verb.FORGET}", "undo_target": f'[data-key="memory-{memory.pk}"]'}
    else:
        hint = " It is suppressed: unsuppress it to have it recalled." if memory.is_suppressed else ""
        text, back, undo = f"Already remembered: this {memory.kind} says exactly that.{hint}", detail, {}

    def fragment() -> HttpResponse:
        takes_row = kept.is_new and "takes_row" in request.POST
        return _answer_remembered(request, memory, detail) if takes_row else redirect_without_reload(back)

    return show_success(request, text, fragment=fragment, back=back, **undo)


def _answer_remembered(request: ConsoleRequest, memory: Memory, detail: str) -> HttpResponse:
    """Stay where the person is: an empty form for the next one, and the row on top of the list."""
    context = {"form": RememberForm(), "row": view_models.build_row(request.seat, memory), "selects": True}
    answer = render(request, "memory/_remembered.html", context | {"by_day": True})
    return trigger_client_event(answer, "remembered", {"url": detail})


def _row_answer(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Render the row again, and the tabs of the list that it stands in, whose numbers have changed."""
    seat = request.seat
    row = view_models.build_row(seat, access_memory(seat.caller, memory_id, with_forgotten=True))
    shown = view_models.list_around_row(seat, page_of_call(request))
    return render(request, "memory/_row.html", {"row": row, **shown})
