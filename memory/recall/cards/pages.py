"""The card that a link of the console shows on hover and focus: what stands behind its address, in a few lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlsplit
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.http import require_safe

from conversations.messages.selectors import access_conversation, conversation_messages, last_messages
from core.clock import utc_now
from core.errors import NotFoundError
from memory.citations.selectors import access_run
from memory.memories.review.selectors import is_merged
from memory.memories.selectors import access_memory, memory_revisions
from memory.memories.sessions.selectors import with_named_session
from memory.models import RunCitation
from memory.recall.cards import view_models
from memory.recall.cards.view_models import HoverCard
from memory.recall.overview.selectors import find_agent
from memory.recall.receipts.selectors import newest_sources
from memory.recall.selectors import access_receipt, conversation_of_receipt
from ontology.models import GOVERNED_TYPES
from ontology.nodes_and_edges.console_selectors import edge_counts
from ontology.nodes_and_edges.selectors import access_node
from workspaces.access.scope import workspace_scope
from workspaces.http.console import ConsoleRequest, console_page, redirect_to_its_space

# A card is small: what stands in the address of a link and is longer leads to none.
MAX_ADDRESS = 2_000


@require_safe
@console_page
def card(request: ConsoleRequest) -> HttpResponse:
    """Render the card of the page `of`; 404 with a card that says so for what is gone, foreign, or has none."""
    try:
        address = _read_address(request.GET.get("of", ""))
        match = _find_page(address.path)
        build = BUILDERS.get(match.url_name or "") if match else None
        if match is None or build is None or match.kwargs.get("slug") != request.seat.workspace.slug:
            raise NotFoundError()
        query = {name: values[-1] for name, values in parse_qs(address.query).items()}
        shown = build(request, match.kwargs, query)
    except NotFoundError:
        return render(request, "cards/_gone.html", status=404)
    return shown if isinstance(shown, HttpResponse) else render(request, "cards/_card.html", {"card": shown})


def _read_address(given: str) -> SplitResult:
    try:
        return urlsplit(given[:MAX_ADDRESS])
    except ValueError as error:  # such as http://[
        raise NotFoundError() from error


def _find_page(path: str) -> ResolverMatch | None:
    try:
        return resolve(path)
    except Resolver404:
        return None


def _show_memory(request: ConsoleRequest, ids: Mapping[str, Any], query: Mapping[str, str]) -> HoverCard | HttpResponse:
    return _memory_card(request, ids["memory_id"])


def _memory_card(request: ConsoleRequest, memory_id: UUID) -> HoverCard | HttpResponse:
    caller = request.seat.caller
    found = access_memory(caller, memory_id, with_forgotten=True)
    if away := redirect_to_its_space(request, found.space_id):
        return away
    source = newest_sources(caller, [found.pk]).get(found.pk)
    with workspace_scope(caller):
        last = memory_revisions(caller, found).first() if found.node.is_deleted else None
        merged = is_merged(caller, found)
    return view_models.memory_card(request.seat, found, source, last, is_merged=merged)


def _show_node(request: ConsoleRequest, ids: Mapping[str, Any], query: Mapping[str, str]) -> HoverCard | HttpResponse:
    caller = request.seat.caller
    found = access_node(caller, ids["node_id"], with_deleted=True)
    if found.type in GOVERNED_TYPES:
        return _memory_card(request, found.id)
    if away := redirect_to_its_space(request, found.space_id):
        return away
    with workspace_scope(caller):
        edges = edge_counts(caller, [found.id])[found.id]
    return view_models.node_card(request.seat, found, edges)


def _show_conversation(
    request: ConsoleRequest, ids: Mapping[str, Any], query: Mapping[str, str]
) -> HoverCard | HttpResponse:
    caller = request.seat.caller
    found = access_conversation(caller, ids["conversation_id"])
    if away := redirect_to_its_space(request, found.space_id):
        return away
    with workspace_scope(caller):
        number = conversation_messages(caller, found).order_by()[: view_models.MAX_COUNTED + 1].count()
    last = last_messages(caller, found, last=1)
    return view_models.conversation_card(request.seat, found, number, last[0] if last else None)


def _show_run(request: ConsoleRequest, ids: Mapping[str, Any], query: Mapping[str, str]) -> HoverCard:
    found = access_run(request.seat.caller, ids["run_id"])
    reader = with_named_session(request.seat.caller, found.conversation)
    with workspace_scope(reader):
        cited = RunCitation.objects.of(reader).filter(run=found).count() + len(found.cited_nodes)
    return view_models.run_card(request.seat, found, cited)


def _show_context(request: ConsoleRequest, ids: Mapping[str, Any], query: Mapping[str, str]) -> HoverCard:
    found = access_receipt(request.seat.caller, ids["receipt_id"])
    return view_models.context_card(request.seat, found, conversation_of_receipt(request.seat.caller, found))


def _show_agent(request: ConsoleRequest, ids: Mapping[str, Any], query: Mapping[str, str]) -> HoverCard:
    name, now = query.get("name", "")[:120], utc_now()
    found = find_agent(request.seat.alone().caller, name, now=now) if "\x00" not in name else None
    if found is None:
        raise NotFoundError()
    return view_models.agent_card(request.seat, found, now=now)


CardBuilder = Callable[[ConsoleRequest, Mapping[str, Any], Mapping[str, str]], HoverCard | HttpResponse]
# By the name of the page that a link leads to.
BUILDERS: Mapping[str, CardBuilder] = MappingProxyType(
    {
        "memory-detail": _show_memory,
        "ontology-node": _show_node,
        "conversation-detail": _show_conversation,
        "ask-conversation": _show_conversation,
        "explain-run": _show_run,
        "receipt": _show_context,
        "agent": _show_agent,
    }
)
