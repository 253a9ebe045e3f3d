"""Console page of a context's receipt."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from memory.recall.selectors import access_receipt, conversation_of_receipt, recalled_things
from memory.recall.view_models import receipt_blocks, receipt_dropped, receipt_pairs
from workspaces.http.console import ConsoleRequest, console_page


@require_safe
@console_page
def receipt(request: ConsoleRequest, receipt_id: UUID) -> HttpResponse:
    """Render why a context held what it held. The receipt keeps ids only, so the texts are those of now."""
    seat = request.seat
    found = access_receipt(seat.caller, receipt_id)
    things = recalled_things(seat.caller, found)
    context = {
        "receipt": found,
        "arms": receipt_blocks(seat, found, things),
        "dropped": receipt_dropped(seat, found, things),
        "pairs": receipt_pairs(seat, found, conversation_of_receipt(seat.caller, found)),
    }
    return render(request, "memory/receipt.html", context)
