"""Staff pages of patterns: what keeps going wrong, and the advice that agents get about it."""

from __future__ import annotations

from django.contrib import admin

from telemetry.models import Pattern
from workspaces.http.admin_base import TenantAdmin


@admin.register(Pattern)
class PatternAdmin(TenantAdmin):
    """Patterns, the newest first, retired and suppressed ones among them."""

    object_type = "pattern"
    actions = None
    list_display = ("action_type", "node_type", "error_code", "status", "support", "attempts", "suppressed_at")
    list_filter = ("status",)
    ordering = ("-id",)
    fields = readonly_fields = (
        *("action_type", "node_type", "error_code", "status", "support", "attempts", "confidence"),
        *("recommendation", "recommended_by", "annotation", "annotated_by", "suppressed_at", "suppressed_by"),
        *("shown", "shown_failed", "held_out", "held_out_failed", "promoted_at", "retired_at", "created_at"),
    )
