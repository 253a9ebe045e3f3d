"""Console pages of conversations: the list, one with its episodes, what can be done to it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from conversations.messages.selectors import access_conversation, conversation_messages, last_messages
from conversations.models import Conversation
from conversations.observations.selectors import observation_state
from conversations.plans.view_models import conversation_work
from conversations.search.services.message_search import search_messages
from core.http.time_pages import TimePages
from core.http.url_parameters import path_id
from memory.episodes.conversations.forms import ConversationListForm
from memory.episodes.conversations.view_models import (
    ConversationAction,
    confirmation,
    confirmations,
    conversation_lines,
    detail_url,
    group_sessions,
    hit_lines,
    statement_outcome,
)
from memory.episodes.selectors import (
    Summed,
    access_episode,
    conversations_listed,
    episodes_with_deleted,
    episodes_with_statements,
    sums_of_episodes,
)
from memory.episodes.services.consolidation import consolidate_for_a_while
from memory.episodes.services.conversation_deletion import delete_conversation
from memory.episodes.services.end_conversation import end_conversation
from memory.episodes.services.episode_deletion import delete_episode, restore_episode
from memory.episodes.services.manual_closures import close_statement, reopen_statement
from memory.recall.receipts.selectors import receipts_behind_answers
from memory.recall.receipts.view_models import list_url
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    redirect_to_its_space,
    redirect_without_reload,
    show_success,
)
from workspaces.http.console_lists import MAX_HITS, hits_in_words, read_address, read_page
from workspaces.settings.workspace_settings import is_memory_enabled

MAX_MESSAGES = 50
MAX_EPISODES = 20


@require_safe
@console_page
def listing(request: ConsoleRequest) -> HttpResponse:
    """Render the workspace's conversations, the last used first, or the messages that a search finds."""
    seat = request.seat.alone()
    _, asked = read_address(ConversationListForm, request.GET)
    query = asked.q.strip()
    context: dict[str, Any] = {"query": query, "may_write": seat.caller.may(Right.WRITE)}
    context |= _message_hits(seat, query) if query else _conversation_list(request, seat)
    template = "conversations/_view.html" if request.htmx.target == "conversations-view" else "conversations/list.html"
    return render(request, template, context)


@require_safe
@console_page
def detail(request: ConsoleRequest, conversation_id: UUID) -> HttpResponse:
    """One conversation: its messages by session, its episodes, and what can be done to it."""
    found = access_conversation(request.seat.caller, conversation_id)
    return redirect_to_its_space(request, found.space_id) or _detail_answer(request, conversation_id)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def act(request: ConsoleRequest, conversation_id: UUID, act: ConversationAction) -> HttpResponse:
    """Ask before an act, on a page of its own where there is no script; a POST does it."""
    caller = request.seat.caller
    caller.require(Right.WRITE)
    found = access_conversation(caller, conversation_id)
    asked = confirmation(request.seat, found, act)
    typed = request.POST.get("typed", "")
    if request.method != "POST" or typed.strip().lower() != asked.word:
        context = {"conversation": found, "asked": asked, "is_mistyped": request.method == "POST"}
        template = "conversations/_confirm_form.html" if request.htmx else "conversations/confirm.html"
        return render(request, template, context, status=422 if request.method == "POST" else 200)
    if act == ConversationAction.DELETE:
        return _respond_deleted(request, found)
    text = _consolidate(request, found) if act == ConversationAction.CONSOLIDATE else _end(request, found)
    back = detail_url(request.seat, found)
    return show_success(request, text, fragment=lambda: redirect_without_reload(back), back=back)


@require_POST
@console_page
def change_episode(request: ConsoleRequest, episode_id: UUID, deletes: bool) -> HttpResponse:
    """Delete an episode from everything that is read, or restore it."""
    seat = request.seat
    change = delete_episode if deletes else restore_episode
    episode = change(caller=seat.caller, episode_id=episode_id)
    back = detail_url(seat, access_conversation(seat.caller, episode.conversation_id))
    text = "Deleted. It is in no context, search or chat from now on." if deletes else "Restored."
    return show_success(request, text, fragment=lambda: redirect_without_reload(back), back=back)


@require_POST
@console_page
def change_statement(request: ConsoleRequest, statement_id: UUID, closes: bool) -> HttpResponse:
    """Close a statement of an episode that is not true, or open it again."""
    seat = request.seat
    change = close_statement if closes else reopen_statement
    statement = change(caller=seat.caller, statement_id=statement_id)
    undo = reverse("statement-reopen" if closes else "statement-close", args=[seat.workspace.slug, statement_id])
    back = detail_url(seat, access_conversation(seat.caller, statement.conversation_id))
    outcome = statement_outcome(statement)
    return show_success(
        request,
        f"{outcome.done} {outcome.meaning}",
        fragment=lambda: _episode_answer(request, statement.episode_id),
        back=f"{back}#statement-{statement_id}",
        undo_url="" if statement.successor_id else undo,
        undo_target=f"#episode-{statement.episode_id}",
    )


def _episode_answer(request: ConsoleRequest, episode_id: UUID) -> HttpResponse:
    caller = request.seat.caller
    context = {
        "episode": access_episode(caller, episode_id),
        "is_open": True,
        "may_change": caller.may(Right.ADMIN),
        "may_decide": caller.may(Right.FACTS),
    }
    return render(request, "conversations/_episode.html", context)


def _message_id(request: ConsoleRequest, name: str) -> UUID | None:
    """Return the id of a message that the address names."""
    return path_id(request.GET[name]) if name in request.GET else None


def _conversation_list(request: ConsoleRequest, seat: ConsoleContext) -> dict[str, Any]:
    with workspace_scope(seat.caller):
        page = read_page(
            request,
            conversations_listed(seat.caller),
            TimePages("used_at"),
            counted_as=("conversation", "conversations"),
        )
        sums = sums_of_episodes(seat.caller, page.records)
    return {"listing": page.listing(conversation_lines(seat, page.records, sums))}


def _message_hits(seat: ConsoleContext, query: str) -> dict[str, Any]:
    found = search_messages(caller=seat.caller, query=query, limit=MAX_HITS)
    with workspace_scope(seat.caller):
        named = Conversation.objects.of(seat.caller).in_bulk({hit.message.conversation_id for hit in found.hits})
    hits = hit_lines(seat, found.hits, named)
    return {"hits": hits, "total": hits_in_words(len(hits), method=found.method, latency_ms=found.latency_ms)}


def _consolidate(request: ConsoleRequest, conversation: Conversation) -> str:
    made = consolidate_for_a_while(caller=request.seat.caller, conversation=conversation)
    turns = made.turn_count
    if not made.is_finished:
        return f"Consolidated {turns:,} messages so far. The rest goes on in the background."
    if not turns:
        return "Nothing to consolidate: no messages are old enough, or another process is at work on it."
    number = "1 episode" if len(made.episodes) == 1 else f"{len(made.episodes):,} episodes"
    return f"Consolidated. {turns:,} messages became {number}."


def _end(request: ConsoleRequest, conversation: Conversation) -> str:
    ended = end_conversation(caller=request.seat.caller, conversation=conversation.id)
    return f"Ended. {ended.sentence}"


def _respond_deleted(request: ConsoleRequest, conversation: Conversation) -> HttpResponse:
    delete_conversation(caller=request.seat.caller, conversation=conversation.id)
    back = reverse("conversations", args=[request.seat.workspace.slug])
    return show_success(
        request, "Deleted, with everything that hung on it.", fragment=lambda: redirect_without_reload(back), back=back
    )


def _detail_answer(request: ConsoleRequest, conversation_id: UUID) -> HttpResponse:
    seat, caller = request.seat, request.seat.caller
    found = access_conversation(caller, conversation_id)
    before, whole, at = (_message_id(request, name) for name in ("before", "whole", "at"))
    shown = last_messages(caller, found, last=MAX_MESSAGES + 1, before=at or before)
    with workspace_scope(caller):
        if at:  # what a search has found ends the page
            shown = [*shown, *conversation_messages(caller, found).filter(id=at)]
        shows = episodes_with_deleted if caller.may(Right.ADMIN) else episodes_with_statements
        episodes = list(shows(caller, found)[: MAX_EPISODES + 1])
        sums = sums_of_episodes(caller, [found])
        message_count = conversation_messages(caller, found).count()
        observed = observation_state(caller, found)
    context = {
        "conversation": found,
        "message_count": message_count,
        "summed": sums.get(found.id, Summed()),
        "sessions": group_sessions(
            shown[-MAX_MESSAGES:], whole=whole, receipts=receipts_behind_answers(caller, found, shown)
        ),
        "contexts_url": list_url(seat, conversation=found.key),
        "earlier": shown[-MAX_MESSAGES].id if len(shown) > MAX_MESSAGES else None,
        "before": at or before,
        "whole_url": f"{detail_url(seat, found)}?{f'before={before}&' if before else f'at={at}&' if at else ''}",
        "episodes": episodes[:MAX_EPISODES],
        "has_more_episodes": len(episodes) > MAX_EPISODES,
        "confirmations": confirmations(seat, found),
        "work": conversation_work(caller, found),
        "may_write": caller.may(Right.WRITE),
        "may_delete_episodes": caller.may(Right.ADMIN),
        "may_decide": caller.may(Right.FACTS),
        "is_memory_enabled": is_memory_enabled(seat.workspace),
        "observed": observed,
    }
    return render(request, "conversations/detail.html", context)
