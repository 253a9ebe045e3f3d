"""Console pages that sum up: Home, and one agent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from core.clock import utc_now
from core.errors import NotFoundError
from memory.memories import facets
from memory.memories.review.context_processors import format_count
from memory.memories.review.item_kinds import ItemKind
from memory.memories.review.selectors import count_queue
from memory.memories.selectors import facts_budget, pin_recommendations
from memory.memories.view_models import build_rows
from memory.recall.overview import selectors, view_models
from telemetry.patterns.selectors import workspace_patterns
from telemetry.sequences.selectors import workspace_sequences
from telemetry.sequences.view_models import tabs, timeline_lines
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import ConsoleRequest, console_page
from workspaces.oauth.selectors import known_agents, plain_agent_name

NEW_FOR = timedelta(days=1)
MAX_AGENTS, MAX_CITED, MAX_SEQUENCES, MAX_WAITING = 8, 5, 10, 99


@require_safe
@console_page
def home_page(request: ConsoleRequest) -> HttpResponse:
    """Render what is new, what needs a person, and how it goes."""
    seat, now = request.seat.alone(), utc_now()
    with workspace_scope(seat.caller):
        waiting = count_queue(seat.caller, most=MAX_WAITING)
        context = _home_context(seat, waiting, now=now)
    if seat.caller == request.seat.caller:  # then the rail need not count again
        context["review_count"] = format_count(sum(waiting.values()))
    return render(request, "home/page.html", context)


def _home_context(seat: ConsoleContext, waiting: Mapping[ItemKind, int], *, now: datetime) -> dict[str, Any]:
    """Return what Home shows, in an open scope."""
    caller, since = seat.caller, now - NEW_FOR
    learned = selectors.recently_learned(caller, since=since, now=now)
    counts, budget = facets.census(caller), facts_budget(caller)
    agents = selectors.recent_agents(caller, now=now)
    patterns = workspace_patterns(caller, {"suppressed": False}).promoted().count()
    return {
        "learned": learned,
        "bars": view_models.bars(learned.days),
        "newest": build_rows(seat, learned.newest),
        "contexts": selectors.recent_contexts(caller, since=since),
        "counts": counts,
        "budget": budget,
        "unused_facts": selectors.count_unused_facts(caller, most=facets.MAX_COUNTED),
        "most": facets.MAX_COUNTED,
        "cited": build_rows(seat, pin_recommendations(caller, limit=MAX_CITED)),
        "needs": view_models.needs(seat, waiting, budget=budget, patterns=patterns, most=MAX_WAITING),
        "agents": view_models.agent_lines(seat, agents[:MAX_AGENTS], now=now),
        "active_agents": sum(one.is_active(now) for one in agents),
        "may_write": caller.may(Right.WRITE),
        "may_switch": caller.may(Right.WRITE),
    }


@require_safe
@console_page
def agent_page(request: ConsoleRequest) -> HttpResponse:
    """Render one agent: whether it is at work, what it reads and writes, what fails and what helps."""
    seat, now = request.seat.alone(), utc_now()
    name = request.GET.get("name", "")[:120]
    with workspace_scope(seat.caller):
        found = selectors.find_agent(seat.caller, name, now=now) if "\x00" not in name else None
        if found is None:
            raise NotFoundError()
        work = selectors.agent_work(seat.caller, name)
        sequences = list(workspace_sequences(seat.caller, {"agent": name})[:MAX_SEQUENCES])
    context = {
        "tabs": tabs(seat, ""),
        "line": view_models.agent_lines(seat, [found], now=now)[0],
        "calls": view_models.call_lines(work.calls),
        "looked_at": work.looked_at,
        "failures": view_models.failure_lines(seat, work.failures),
        "memories": build_rows(seat, work.memories),
        "sequences": timeline_lines(seat, sequences),
        "timeline_url": reverse("agents", args=[seat.workspace.slug]),
        "may_undo": seat.caller.may(Right.ADMIN) and _has_key_or_app(seat.caller, name),
    }
    return render(request, "home/agent.html", context)


def _has_key_or_app(caller: Caller, name: str) -> bool:
    """Return whether a key or app has this name, by which its writes are known: runs and reports may name any agent."""
    return plain_agent_name(name) in {known for _, known in known_agents(caller)}
