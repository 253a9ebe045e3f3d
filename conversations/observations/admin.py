"""Staff pages of observations: the batches of a conversation, how each was made, and what it says."""

from __future__ import annotations

from django.contrib import admin

from conversations.models import Observation, ObservationBatch
from workspaces.http.admin_base import TenantAdmin, TenantInline


class ObservationInline(TenantInline):
    """The observations of a batch, in their order."""

    model = Observation
    fields = readonly_fields = ("text", "kind", "observed_at", "tokens")
    ordering = ("position",)


@admin.register(ObservationBatch)
class ObservationBatchAdmin(TenantAdmin):
    """Messages that were observed together, the newest first."""

    object_type = "observation_batch"
    list_display = ("conversation", "number", "state", "method", "failure", "message_count", "tokens", "created_at")
    list_filter = ("state", "method")
    list_select_related = ("conversation",)
    ordering = ("-id",)
    inlines = (ObservationInline,)
    fields = readonly_fields = (
        *("conversation", "number", "state", "method", "failure", "message_count", "source_tokens", "tokens"),
        *("period_start", "period_end", "created_at", "activated_at"),
    )
