"""Staff pages of erasures: which workspaces were deleted, by whom, and the receipts. Nothing is changed there."""

from __future__ import annotations

import json

from django.contrib import admin
from django.http import HttpRequest

from transfer.erasure.schemas import WorkspaceErasureResponse
from transfer.models import WorkspaceErasure
from workspaces.http.admin_base import ReadOnly, StaffAdmin


@admin.register(WorkspaceErasure)
class WorkspaceErasureAdmin(ReadOnly, StaffAdmin):
    """Belongs to the installation, and holds nothing of what was in a workspace."""

    actions = None
    list_display = ("id", "erased_id", "actor_kind", "actor_id", "requested_at", "finished_at", "waits_for")
    fields = ("receipt",)
    search_fields = ("id", "erased_id")
    ordering = ("-requested_at",)

    @admin.display(description="Receipt")
    def receipt(self, erasure: WorkspaceErasure) -> str:
        return json.dumps(WorkspaceErasureResponse.of_erasure(erasure).as_json(), indent=2)

    def get_readonly_fields(self, request: HttpRequest, obj: object = None) -> tuple[str, ...]:
        return ("receipt",)
