"""Console pages of proposals: what is offered to a space, what is there already, and deciding."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.errors import ProductError
from memory.memories.proposals import services
from memory.memories.proposals.context_processors import count_in_rail
from memory.memories.proposals.forms import AcceptForm
from memory.memories.proposals.models import Proposal, ProposalStatus
from memory.memories.proposals.selectors import access_proposal, proposals_in_status
from memory.memories.proposals.view_models import build_card, reviewing_caller
from memory.memories.selectors import access_memory
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import NamedSpaces
from workspaces.http.console import (
    ConsoleRequest,
    console_page,
    redirect_without_reload,
    show_refusal,
    show_success,
)

# Each is searched for what is like it; more come up as these are decided.
MAX_CARDS = 10


@require_safe
@console_page
def listing(request: ConsoleRequest) -> HttpResponse:
    """Render what waits for a decision, the oldest first."""
    return _review_answer(request)


@require_POST
@console_page
def propose(request: ConsoleRequest, memory_id: UUID) -> HttpResponse:
    """Offer a memory to `shared`, from its own page."""
    seen = request.POST.get("seen", "")
    proposed = services.propose_memory(caller=request.seat.caller, memory_id=memory_id, seen=seen)
    back = reverse("memory-detail", args=[request.seat.workspace.slug, memory_id])
    text = "Proposed to shared. A person decides under Review; until then it stays in its own space alone."
    if not proposed.is_new:
        text = "Proposed before. It waits under Review for a person to decide."
    return show_success(request, text, fragment=lambda: redirect_without_reload(back), back=back)


@require_POST
@console_page
def accept(request: ConsoleRequest, proposal_id: UUID) -> HttpResponse:
    """Copy what was offered into the space, in other words if they were typed."""
    request.seat.caller.require(Right.FACTS)
    proposal = access_proposal(request.seat.caller, proposal_id)
    is_edited = "content" in request.POST
    form = AcceptForm.of(proposal, request.POST if is_edited else {"content": proposal.content})
    if not form.is_valid():
        return _review_answer(request, refused=(proposal, form), status=422)
    caller = reviewing_caller(request.seat, proposal)
    try:
        decided = services.accept_proposal(
            caller=caller, proposal_id=proposal_id, content=form.cleaned_data["content"] if is_edited else None
        )
    except services.AlreadyDecidedError as error:
        return _answer_decision(request, error.detail)
    except ProductError as error:
        show_refusal(form, error)
        return _review_answer(request, refused=(proposal, form), status=422)
    text = f"Accepted. Agents that read {decided.space} can recall it."
    if decided.memory_id and access_memory(caller, decided.memory_id).origin_id != decided.origin_id:
        text = f"Accepted. {decided.space.capitalize()} said the same already, so nothing was added."
    return _answer_decision(request, text)


@require_POST
@console_page
def reject(request: ConsoleRequest, proposal_id: UUID) -> HttpResponse:
    """Keep what was offered out of the space."""
    proposal = access_proposal(request.seat.caller, proposal_id)
    try:
        services.reject_proposal(caller=reviewing_caller(request.seat, proposal), proposal_id=proposal_id)
    except services.AlreadyDecidedError as error:
        return _answer_decision(request, error.detail)
    return _answer_decision(request, "Rejected. It stays in its own space, and can be proposed again.")


@require_POST
@console_page
def withdraw(request: ConsoleRequest, proposal_id: UUID) -> HttpResponse:
    """Take back what a space of the person offered."""
    proposal = access_proposal(request.seat.caller, proposal_id)
    caller = request.seat.caller.naming(NamedSpaces(space=proposal.origin_space))
    try:
        services.withdraw_proposal(
            caller=caller.reading([caller.reach.written, proposal.space_id]), proposal_id=proposal_id
        )
    except services.AlreadyDecidedError as error:
        return _answer_decision(request, error.detail)
    return _answer_decision(request, "Withdrawn. It stays in its own space, and can be proposed again.")


def _answer_decision(request: ConsoleRequest, text: str) -> HttpResponse:
    back = _review_url(request.seat)
    return show_success(request, text, fragment=lambda: _review_answer(request), back=back)


def _review_answer(
    request: ConsoleRequest, *, refused: tuple[Proposal, AcceptForm] | None = None, status: int = 200
) -> HttpResponse:
    seat = request.seat
    with workspace_scope(seat.caller):
        waiting = list(proposals_in_status(seat.caller, ProposalStatus.PENDING).order_by("pk")[: MAX_CARDS + 1])
    forms = {refused[0].pk: refused[1]} if refused else {}
    context = {
        "cards": [build_card(seat, proposal, forms.get(proposal.pk)) for proposal in waiting[:MAX_CARDS]],
        "has_more": len(waiting) > MAX_CARDS,
        "count": count_in_rail(seat.caller),
    }
    template = "review/_review.html" if request.htmx.target == "review" else "review/page.html"
    return render(request, template, context, status=status)


def _review_url(seat: ConsoleContext) -> str:
    return reverse("review", args=[seat.workspace.slug])
