"""Console pages of the chat: one conversation with what is remembered; answers stream where there is script."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from chat import view_models
from chat.forms import ChatForm
from chat.services.turns import Answered, Event, Failed, take_turn
from conversations.messages.selectors import access_conversation
from conversations.messages.services.titles import title_conversation
from conversations.models import Conversation
from core.errors import InvalidError, ProductError
from core.http.event_streams import EVENT_STREAM, stream_response
from core.http.slow_page_marker import waits
from memory.episodes.conversations.view_models import message_line
from memory.recall.receipts.view_models import explain_tabs
from memory.recall.services.conversation_window import conversation_window
from workspaces.access.callers import Right
from workspaces.http.console import ConsoleRequest, console_page, redirect_to_its_space


@waits
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def chat(request: ConsoleRequest) -> HttpResponseBase:
    """Render the page of a chat, and take its questions: this address has the threads for slow models."""
    if request.method == "POST":
        return _ask(request)
    latest = None if "new" in request.GET else view_models.latest_conversation(request.seat.caller)
    return redirect(view_models.chat_url(request.seat, latest)) if latest else _answer(request, None)


@require_safe
@console_page
def conversation(request: ConsoleRequest, conversation_id: UUID) -> HttpResponse:
    """One conversation, ready for the next question."""
    found = access_conversation(request.seat.caller, conversation_id)
    return redirect_to_its_space(request, found.space_id) or _answer(request, found)


def _ask(request: ConsoleRequest) -> HttpResponseBase:
    """Take a turn: as a stream for the script, otherwise as the whole page with the answer on it."""
    request.seat.caller.require(Right.WRITE)
    is_stream = request.headers.get("Accept") == EVENT_STREAM
    form = ChatForm(request.POST)
    if not form.is_valid():
        if is_stream:
            raise InvalidError(" ".join(str(problem) for problems in form.errors.values() for problem in problems))
        return _answer(
            request, _find_conversation(request, request.POST.get("conversation", "")), form=form, status=422
        )
    events = _turn(request, form.cleaned_data)
    if is_stream:
        return stream_response(view_models.stream_turn(request.seat, events))
    return _render_turn(request, form, events)


def _find_conversation(request: ConsoleRequest, address: str) -> Conversation | None:
    """Return the conversation at this address; None for a key that the page made for a new one, until it is used."""
    caller = request.seat.caller
    if not address or address.startswith(view_models.own_prefix(caller)):
        return None
    return access_conversation(caller.alone(), address)


def _turn(request: ConsoleRequest, given: dict[str, Any]) -> Iterator[Event]:
    """Yield the events of the turn. The first is there already, so that a refused question is an ordinary error."""
    caller, known = request.seat.caller, _find_conversation(request, given["conversation"])
    key = known.key if known else given["conversation"]
    events = take_turn(caller=caller, conversation=str(known.id) if known else key, message=given["message"])
    first = next(events)
    if key.startswith(view_models.own_prefix(caller)):
        title_conversation(caller=caller, key=key, text=given["message"])
    return chain([first], events)


def _render_turn(request: ConsoleRequest, form: ChatForm, events: Iterator[Event]) -> HttpResponse:
    *_, outcome = events
    found = access_conversation(request.seat.caller, form.cleaned_data["conversation"])
    failed = outcome.error if isinstance(outcome, Failed) else None
    trace = view_models.build_trace(outcome.context) if isinstance(outcome, Answered) else None
    return _answer(request, found, trace=trace, failed=failed, status=failed.status if failed else 200)


def _answer(
    request: ConsoleRequest,
    found: Conversation | None,
    *,
    form: ChatForm | None = None,
    trace: view_models.TurnTrace | None = None,
    failed: ProductError | None = None,
    status: int = 200,
) -> HttpResponse:
    seat = request.seat
    window = conversation_window(caller=seat.caller, conversation=found) if found else None
    said = [message_line(message) for message in window.messages] if window else []
    address = str(found.id) if found else view_models.new_key(seat.caller)
    context = {
        "tabs": explain_tabs(seat, "chat"),
        "conversation": found,
        "episodes": window.episodes if window else [],
        "said": said,
        "recents": view_models.recents(seat, found),
        "banners": view_models.banners(seat, found),
        "form": form or ChatForm(initial={"conversation": address}),
        "address": address,
        "trace": trace,
        "failure": failed.detail if failed else "",
        "unanswered": said[-1].message if said and said[-1].message.role == "user" else None,
        "knows_you": seat.space == seat.own_space,
        "own_space": seat.own_space,
        "may_write": seat.caller.may(Right.WRITE),
    }
    return render(request, "chat/page.html", context, status=status)
