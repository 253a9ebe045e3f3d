"""Staff pages of runs: pieces of work of agents, and which nodes their outputs cited."""

from __future__ import annotations

from django.contrib import admin

from memory.models import Run
from workspaces.http.admin_base import TenantAdmin


@admin.register(Run)
class RunAdmin(TenantAdmin):
    """Runs of agents, the newest first. Outputs are not kept."""

    object_type = "run"
    actions = None
    list_display = ("started_at", "agent", "conversation", "status", "finished_at")
    list_filter = ("status",)
    ordering = ("-id",)
    fields = readonly_fields = (
        *("agent", "conversation", "status", "started_at", "finished_at"),
        *("cited_nodes", "unresolved", "malformed", "over_limit"),
    )
