"""Staff pages of the outbox: what the graph has not learnt of yet."""

from __future__ import annotations

from django.contrib import admin

from ontology.models import GraphOutbox
from workspaces.http.admin_base import TenantAdmin


@admin.register(GraphOutbox)
class GraphOutboxAdmin(TenantAdmin):
    """Entries that wait for the relay, the oldest first; an empty list means that the graph is current."""

    object_type = "graph_outbox"
    actions = None
    list_display = ("id", "entity", "entity_id", "source_id", "target_id", "created_at")
    list_filter = ("entity",)
    ordering = ("id",)
    fields = readonly_fields = ("id", "entity", "entity_id", "source_id", "target_id", "created_at")
