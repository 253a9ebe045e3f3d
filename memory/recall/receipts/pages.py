"""Console pages of the place Explain: contexts of every agent, one of them and what would change it, runs, the search
lab."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import ProductError
from core.http.slow_page_marker import waits
from core.ids import abbreviate_id, parse_id
from memory.citations.selectors import access_run, workspace_runs
from memory.episodes.conversations.view_models import statement_outcome
from memory.memories.selectors import memories_by_id
from memory.memories.sessions.selectors import with_named_session
from memory.models import ContextReceipt, Run, RunCitation
from memory.recall.layers.base import ContextRequest
from memory.recall.receipts.forms import RerunForm, RunsQuery, SearchLabForm
from memory.recall.receipts.preview_views import build_comparison, build_preview, named_ids
from memory.recall.receipts.schemas import ReceiptsQuery
from memory.recall.receipts.selectors import (
    find_next_runs,
    find_question,
    name_conversations,
    newest_sources,
    receipts_of_run,
    recent_agents,
    workspace_receipts,
)
from memory.recall.receipts.services.corrections import change_statement, correct_memory
from memory.recall.receipts.services.reproduction import NotReproducibleError, Reproduction, reproduce_context
from memory.recall.receipts.services.rerun import Rerun, rerun_context
from memory.recall.receipts.view_models import (
    build_reproduction,
    build_token_shares,
    context_lines,
    explain_tabs,
    receipt_blocks,
    receipt_dropped,
    receipt_pairs,
    receipt_url,
)
from memory.recall.selectors import access_receipt, conversation_of_receipt, recalled_things, things_by_id
from memory.recall.services.context import preview_context
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.http.console import ConsoleRequest, console_page, show_refusal
from workspaces.http.console_lists import Filters, chip_groups, read_address, read_page
from workspaces.http.console_moments import MomentBar, read_moment_bar
from workspaces.settings.workspace_settings import memory_settings

MAX_AGENTS_OFFERED = 8
MAX_CITED = 100
# In an address: show all rows of a context. With 150 of them a page takes 24 KB.
ALL = "all"


@require_safe
@console_page
def contexts(request: ConsoleRequest) -> HttpResponse:
    """Render the contexts that agents were given in this space, newest first."""
    caller = request.seat.caller
    given, asked = read_address(ReceiptsQuery, request.GET)
    with workspace_scope(caller):
        found = workspace_receipts(caller, asked.narrow()).filter(space_id=caller.reach.written)
        page = read_page(request, found, counted_as=("context", "contexts"))
        runs = find_next_runs(caller, page.records)
        agents = recent_agents(caller, limit=MAX_AGENTS_OFFERED)
    filters = Filters(given, separator="")
    offered = list(dict.fromkeys([*agents, *([asked.agent] if asked.agent else [])]))
    held = [filters.chip("memory", "Held one thing", str(asked.memory))] if asked.memory else []
    where = []
    if asked.conversation:
        name = _short_name(asked.conversation, name_conversations(caller, {asked.conversation}))
        where.append(filters.chip("conversation", name, asked.conversation))
    groups = [
        ("Agents", [filters.chip("agent", each, each, alone=True) for each in offered]),
        ("Conversation", where),
        ("Holding", held),
    ]
    context = {
        "tabs": explain_tabs(request.seat, "explain"),
        "listing": page.listing(context_lines(request.seat, page.records, runs)),
        "groups": chip_groups(groups),
        "clear_url": filters.clear_url,
    }
    return render(request, "explain/contexts.html", context)


@require_safe
@console_page
def receipt(request: ConsoleRequest, receipt_id: UUID) -> HttpResponse:
    """Render why a context held what it held: the text where it was kept, and what its items say now."""
    with workspace_scope(request.seat.caller):
        found = access_receipt(request.seat.caller, receipt_id)
        return _render_receipt(request, found, _empty_form(request, found))


@waits
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def rerun(request: ConsoleRequest, receipt_id: UUID) -> HttpResponse:
    """Run a context again with something changed; a memory may be suppressed or edited, or a statement closed, with the
    same click."""
    seat = request.seat
    found = access_receipt(seat.caller, receipt_id)
    if request.method != "POST":
        return redirect("receipt", seat.workspace.slug, receipt_id)
    form = RerunForm(request.POST)
    if not form.is_valid():
        return _render_receipt(request, found, form, status=422)
    correction, change = form.correction(), form.statement_change()
    done = ""
    try:
        if correction:
            correct_memory(caller=seat.caller, correction=correction)
            done = correction.past
        elif change:
            done = statement_outcome(change_statement(caller=seat.caller, change=change)).done
        again = rerun_context(caller=seat.caller, receipt=found, wanted=form.request())
    except ProductError as error:
        show_refusal(form, error)
        return _render_receipt(request, found, form, done=done, status=200 if done else 422)
    return _render_receipt(request, found, form, again=again, done=done)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def reproduce(request: ConsoleRequest, receipt_id: UUID) -> HttpResponse:
    """Write the text of a context again from what is kept of that time, and say whether it is the same."""
    seat = request.seat
    found = access_receipt(seat.caller, receipt_id)
    if request.method != "POST":
        return redirect("receipt", seat.workspace.slug, receipt_id)
    form = _empty_form(request, found)
    try:
        reproduced = reproduce_context(caller=seat.caller, receipt=found)
    except NotReproducibleError as error:
        refused = RerunForm({})
        refused.is_valid()
        show_refusal(refused, error)
        return _render_receipt(request, found, refused, status=409)
    return _render_receipt(request, found, form, reproduced=reproduced)


@require_safe
@console_page
def runs(request: ConsoleRequest) -> HttpResponse:
    """Render the runs of this space, newest first."""
    seat = request.seat.alone()
    given, asked = read_address(RunsQuery, request.GET)
    with workspace_scope(seat.caller):
        found = workspace_runs(seat.caller)
        if asked.known_status:
            found = found.filter(status=asked.known_status)
        if asked.agent:
            found = found.filter(agent=asked.agent)
        page = read_page(request, found, counted_as=("run", "runs"))
        counted = _count_citations(seat.caller, page.records)
        names = name_conversations(seat.caller, {each.conversation for each in page.records if each.conversation})
    filters = Filters(given, separator="")
    statuses = [filters.chip("status", label, value, alone=True) for value, label in RUN_STATUSES]
    named = [filters.chip("agent", asked.agent, asked.agent)] if asked.agent else []
    context = {
        "tabs": explain_tabs(seat, "explain-runs"),
        "listing": page.listing(
            [
                (each, counted.get(each.id, 0) + len(each.cited_nodes), _short_name(each.conversation, names))
                for each in page.records
            ]
        ),
        "groups": chip_groups([("Status", statuses), ("Agent", named)]),
        "clear_url": filters.clear_url,
    }
    return render(request, "explain/runs.html", context)


@require_safe
@console_page
def run(request: ConsoleRequest, run_id: UUID) -> HttpResponse:
    """One run: how it ended, what it was given before, and what its output cited."""
    seat = request.seat
    found = access_run(seat.caller, run_id)
    reader = with_named_session(seat.caller, found.conversation)
    with workspace_scope(reader):
        given = receipts_of_run(reader, found)
        cited = RunCitation.objects.of(reader).filter(run=found).order_by("id").values_list("memory_id", flat=True)
        memories = memories_by_id(reader, list(cited[:MAX_CITED]))
    things = things_by_id(reader, {str(each) for each in found.cited_nodes[:MAX_CITED]})
    shown = {str(each) for receipt in given for each in receipt.chosen_ids}
    context = {
        "run": found,
        "conversation": _short_name(found.conversation, name_conversations(reader, {found.conversation})),
        "lines": context_lines(seat, given, {each.id: found for each in given}),
        "memories": [(each, str(each.pk) in shown) for each in memories.values()],
        "nodes": [(identity, thing) for identity, thing in things.items()],
        "unresolved": found.unresolved,
        "may_undo": seat.caller.may(Right.ADMIN),
    }
    return render(request, "explain/run.html", context)


@waits
@require_safe
@console_page
def search_lab(request: ConsoleRequest) -> HttpResponse:
    """Search every layer as a context does, and show what each arm thought of it. Leaves no receipt."""
    seat = request.seat
    form = SearchLabForm(request.GET if "q" in request.GET else None)
    shown, bar = None, None
    if form.is_valid():
        given = form.cleaned_data
        wanted = ContextRequest(
            given["q"],
            token_budget=given["token_budget"],
            mode=given["mode"] or "hybrid",
            moments=form.moments(),
        )
        found = preview_context(caller=seat.caller, wanted=wanted)
        bar = MomentBar.build(request.GET, as_of=given["as_of"], known_at=given["known_at"])
        ids = named_ids(found)
        sources = newest_sources(seat.caller, [each for one in ids if (each := parse_id(one))])
        things = things_by_id(seat.caller, ids, form.moments())
        shown = build_preview(seat, found, things, sources, is_raw=given["raw"])
    raw_url = f"?{urlencode({**request.GET.dict(), 'raw': 'true'})}"
    context = {
        "tabs": explain_tabs(seat, "explain-search"),
        "form": form,
        "shown": shown,
        "raw_url": raw_url,
        "all_url": "" if ALL in request.GET else f"?{urlencode({**request.GET.dict(), ALL: 'yes'})}",
        "bar": bar,
    }
    return render(request, "explain/search.html", context, status=200 if not form.errors else 422)


def _short_name(address: str, names: Mapping[str, str]) -> str:
    """Return what a list calls a conversation, which calls may have named by its id."""
    return names.get(address) or abbreviate_id(address)


RUN_STATUSES = (("failed", "Failed"), ("succeeded", "Succeeded"), ("cancelled", "Cancelled"), ("running", "Running"))


def _render_receipt(
    request: ConsoleRequest,
    found: ContextReceipt,
    form: RerunForm,
    *,
    again: Rerun | None = None,
    reproduced: Reproduction | None = None,
    done: str = "",
    status: int = 200,
) -> HttpResponse:
    seat = request.seat
    things = recalled_things(seat.caller, found)
    sources = newest_sources(seat.caller, found.chosen_ids)
    blocks = receipt_blocks(seat, found, things, sources)
    context: dict[str, Any] = {
        "receipt": found,
        "form": form,
        "done": done,
        "compared": None,
        "may_write": seat.caller.may(Right.WRITE),
        "may_decide": seat.caller.may(Right.FACTS),
        "undo": form.cleaned_data["suppress"] if done else None,
        "undo_statement": form.cleaned_data["close"] if done else None,
        "blocks": blocks,
        "all_url": "" if ALL in request.GET else f"{receipt_url(seat, found.id)}?{ALL}=yes",
    }
    if again:
        ids = named_ids(again.context)
        now = with_named_session(seat.caller, found.conversation)
        more = newest_sources(now, [each for one in ids if (each := parse_id(one))])
        preview = build_preview(seat, again.context, things_by_id(now, ids, form.moments()), more)
        moments = form.moments()
        context["bar"] = MomentBar.build(QueryDict(), as_of=moments.as_of, known_at=moments.known_at)
        context["compared"] = build_comparison(seat, again, preview, blocks)
    if reproduced:
        missing = things_by_id(
            with_named_session(seat.caller, found.conversation), {each.id for each in reproduced.missing}
        )
        context["reproduced"] = build_reproduction(seat, reproduced, missing)
    if request.htmx and (again or done or reproduced):
        part = "explain/_reproduced.html" if reproduced else "explain/_again.html"
        return render(request, part, context | {"is_swapped": True})
    with workspace_scope(seat.caller):
        followed = find_next_runs(seat.caller, [found]).get(found.id)
    conversation = conversation_of_receipt(seat.caller, found)
    context |= {
        "dropped": receipt_dropped(seat, found, things),
        "shares": build_token_shares(blocks),
        "pairs": receipt_pairs(seat, found, conversation, followed),
        "question": found.question or form.initial.get("query", ""),
        "run": followed,
        "conversation": conversation,
        "keeps_contexts": memory_settings(seat.workspace).keep_contexts,
    }
    template = "explain/_refused.html" if request.htmx and request.method == "POST" else "explain/context.html"
    return render(request, template, context, status=status)


def _empty_form(request: ConsoleRequest, found: ContextReceipt) -> RerunForm:
    question = find_question(request.seat.caller, found)
    bar = read_moment_bar(request.GET)
    moment = {"as_of": bar.as_of, "known_at": bar.known_at}
    return RerunForm(initial={"query": question, "token_budget": found.token_budget, "mode": "hybrid", **moment})


def _count_citations(caller: Caller, found: list[Run]) -> dict[UUID, int]:
    cited = RunCitation.objects.of(caller).filter(run__in=found).values_list("run_id", flat=True)
    counted: dict[UUID, int] = {}
    for identity in cited:
        counted[identity] = counted.get(identity, 0) + 1
    return counted
