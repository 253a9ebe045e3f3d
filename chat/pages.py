"""Console pages of asking: one conversation with what is remembered; answers stream where there is script, and are
computed again with one memory suppressed or edited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any
from uuid import UUID

from django.http import HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from chat import view_models
from chat.forms import ChatForm
from chat.services.recomputed_answer import access_answer, answer_unkept, recompute_answer
from chat.services.turns import Answered, Event, Failed, take_turn
from conversations.messages.selectors import access_conversation
from conversations.messages.services.titles import title_conversation
from conversations.models import Conversation
from core.errors import InvalidError, ProductError
from core.http.event_streams import EVENT_STREAM, stream_response
from core.http.slow_page_marker import waits
from memory.recall.receipts.forms import CorrectionForm
from memory.recall.receipts.services.corrections import correct_memory
from memory.recall.receipts.view_models import explain_tabs
from memory.recall.services.conversation_window import conversation_window
from workspaces.access.callers import Right
from workspaces.http.console import ConsoleRequest, console_page, redirect_to_its_space


@waits
@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def ask(request: ConsoleRequest) -> HttpResponseBase:
    """Render the page that asks, and take its questions: this address has the threads for slow models."""
    if request.method == "POST":
        return _answer_question(request)
    is_new = "new" in request.GET or "question" in request.GET
    latest = None if is_new else view_models.latest_conversation(request.seat.caller)
    return redirect(view_models.ask_url(request.seat, latest)) if latest else _render(request, None)


@require_safe
@console_page
def conversation(request: ConsoleRequest, conversation_id: UUID) -> HttpResponse:
    """One conversation, ready for the next question."""
    found = access_conversation(request.seat.caller, conversation_id)
    return redirect_to_its_space(request, found.space_id) or _render(request, found)


@waits
@require_POST
@console_page
def recompute(request: ConsoleRequest, conversation_id: UUID, message_id: UUID) -> HttpResponse:
    """Compute an answer again, after a memory that it cites was suppressed or edited with the same click."""
    caller = request.seat.caller
    found = access_conversation(caller, conversation_id)
    given = access_answer(caller, found, message_id)
    form = CorrectionForm(request.POST)
    correction = form.correction() if form.is_valid() else None
    try:
        if correction:
            correct_memory(caller=caller, correction=correction)
        now = recompute_answer(caller=caller, conversation=found, given=given)
    except ProductError as error:
        refused = view_models.Recomputed(message_id, refusal=error.detail)
        return _render_recomputed(request, found, given.message.id, refused, status=422)
    shown = view_models.build_recomputed(request.seat, found, message_id, now, correction, before=given.message.content)
    return _render_recomputed(request, found, given.message.id, shown)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page
def redirect_old_address(request: ConsoleRequest, conversation_id: UUID | None = None) -> HttpResponse:
    """Redirect the addresses that asking had before, for good, with what they name."""
    slug = request.seat.workspace.slug
    if conversation_id:
        access_conversation(request.seat.caller, conversation_id)
        address = reverse("ask-conversation", args=[slug, conversation_id])
    else:
        address = reverse("ask", args=[slug])
    query = request.GET.urlencode()
    is_form = request.method == "POST" and "message" in request.POST
    if not is_form and (question := request.POST.get("question", "")):  # the form of Things → Ask had it in its body
        given = QueryDict(query, mutable=True)
        given["question"] = question
        return redirect(f"{address}?{given.urlencode()}")
    return redirect(f"{address}?{query}" if query else address, permanent=True, preserve_request=is_form)


def _answer_question(request: ConsoleRequest) -> HttpResponseBase:
    """Take a turn: as a stream for the script, otherwise as the whole page with the answer on it."""
    caller = request.seat.caller
    is_stream = request.headers.get("Accept") == EVENT_STREAM
    form = ChatForm(request.POST)
    given = request.POST.get("conversation", "")
    is_known = bool(given) and not given.startswith(view_models.own_prefix(caller))
    if is_stream or is_known:  # who may only read is answered once, of which nothing is kept
        caller.require(Right.WRITE)
    if not form.is_valid():
        if is_stream:
            raise InvalidError(" ".join(str(problem) for problems in form.errors.values() for problem in problems))
        return _render(request, _find_conversation(request, given), form=form, status=422)
    if not caller.may(Right.WRITE):
        return _render_unkept(request, form)
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
    return _render(request, found, trace=trace, failed=failed, status=failed.status if failed else 200)


def _render_unkept(request: ConsoleRequest, form: ChatForm) -> HttpResponse:
    """Answer a viewer: once, and nothing of it is kept."""
    question = form.cleaned_data["message"]
    answer = answer_unkept(caller=request.seat.caller, question=question)
    turns = view_models.unkept_turns(request.seat, question, answer)
    return _render(request, None, form=form, turns=turns, trace=view_models.build_trace(answer.context))


def _render_recomputed(
    request: ConsoleRequest,
    found: Conversation,
    message_id: UUID,
    shown: view_models.Recomputed,
    *,
    status: int = 200,
) -> HttpResponse:
    if not request.htmx:
        return _render(request, found, recomputed=shown, status=status)
    answer = access_answer(request.seat.caller, found, message_id)
    [turn] = view_models.turn_lines(request.seat, found, [answer.message], recomputed=shown)
    context = {"turn": turn, "may_write": request.seat.caller.may(Right.WRITE)}
    return render(request, "chat/_turn.html", context, status=status)


def _render(
    request: ConsoleRequest,
    found: Conversation | None,
    *,
    form: ChatForm | None = None,
    turns: Sequence[view_models.TurnLine] | None = None,
    trace: view_models.TurnTrace | None = None,
    failed: ProductError | None = None,
    recomputed: view_models.Recomputed | None = None,
    status: int = 200,
) -> HttpResponse:
    seat = request.seat
    window = conversation_window(caller=seat.caller, conversation=found) if found else None
    messages = window.messages if window else []
    address = str(found.id) if found else view_models.new_key(seat.caller)
    question = request.GET.get("question", "")
    context = {
        "tabs": explain_tabs(seat, "ask"),
        "conversation": found,
        "episodes": window.episodes if window else [],
        "turns": turns or view_models.turn_lines(seat, found, messages, recomputed=recomputed),
        "recents": view_models.recents(seat, found),
        "banners": view_models.banners(seat, found),
        "form": form or ChatForm(initial={"conversation": address, "message": question}),
        "address": address,
        "trace": trace,
        "failure": failed.detail if failed else "",
        "unanswered": messages[-1] if messages and messages[-1].role == "user" else None,
        "knows_you": seat.space == seat.own_space,
        "own_space": seat.own_space,
        "may_write": seat.caller.may(Right.WRITE),
    }
    return render(request, "chat/page.html", context, status=status)
