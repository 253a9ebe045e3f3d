"""Staff pages of actions: what agents did, on what, and how it ended."""

from __future__ import annotations

from django.contrib import admin

from telemetry.models import Action
from workspaces.http.admin_base import TenantAdmin


@admin.register(Action)
class ActionAdmin(TenantAdmin):
    """Actions of agents, the newest first."""

    object_type = "action"
    actions = None
    list_display = ("occurred_at", "agent", "action_type", "tool", "node_type", "outcome", "error_code", "latency_ms")
    list_filter = ("outcome",)
    ordering = ("-id",)
    fields = readonly_fields = (
        *("occurred_at", "agent", "session", "reporter", "is_trusted", "action_type", "tool", "node_type", "node_ids"),
        *("outcome", "error_code", "latency_ms"),
    )
