"""Staff pages of calls of models: what each was for, how it ended, what it cost; neither prompts nor answers."""

from __future__ import annotations

from django.contrib import admin

from llm.models import PromptRun
from workspaces.http.admin_base import TenantAdmin


@admin.register(PromptRun)
class PromptRunAdmin(TenantAdmin):
    """Calls of models, the newest first."""

    object_type = "prompt_run"
    actions = None
    list_display = ("created_at", "kind", "provider", "model", "status", "input_tokens", "output_tokens", "credits")
    list_filter = ("status",)
    ordering = ("-id",)
    fields = readonly_fields = (
        *("created_at", "kind", "provider", "model", "status", "outcome", "prompt_sha256"),
        *("input_tokens", "output_tokens", "credits", "latency_ms"),
    )
