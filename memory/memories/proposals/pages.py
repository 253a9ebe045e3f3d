"""Console page of proposals: offering a memory to what is shared."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_POST

from memory.memories.proposals import services
from workspaces.http.console import ConsoleRequest, console_page, redirect_without_reload, show_success


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
