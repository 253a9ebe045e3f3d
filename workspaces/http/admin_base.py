"""Base classes of the admin pages of every app: the one workspace that a staff member entered, and its audit events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.template.response import SimpleTemplateResponse

from core.errors import NotFoundError
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller
from workspaces.access.client_address import client_address
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace_as_staff
from workspaces.models import User, Workspace

if TYPE_CHECKING:  # unfold ships no types; to the type checker its bases are Django's
    from django.contrib.admin import ModelAdmin, TabularInline

    StaffAdmin = ModelAdmin[Any]
    StaffInline = TabularInline[Any, Any]
else:
    from unfold.admin import ModelAdmin as StaffAdmin
    from unfold.admin import TabularInline as StaffInline

CHOICE = "staff_workspace"
# Django's own history knows only what was changed in the admin, which is nothing; the audit record knows all.
NO_HISTORY = {"show_history": False}


class ReadOnly:
    """Every staff member may look, and rows are changed here through services only."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return admin.site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.site.has_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Let an address narrow a list by its filters alone: guessing would read any other column, in the list of
        workspaces without entering one."""
        filters: Sequence[Any] = getattr(self, "list_filter", ())
        return lookup.split("__", maxsplit=1)[0] in {getattr(each, "parameter_name", each) for each in filters}


class TenantAdmin(ReadOnly, StaffAdmin):
    """Rows of the entered workspace. Every page that shows some writes `staff.read` with type and id, never content."""

    object_type: ClassVar[str]
    list_per_page = 50
    show_full_result_count = False  # counting a million rows for a line above the list

    def get_queryset(self, request: HttpRequest) -> Any:
        """Row security shows nothing else anyway; the column is named for the sake of the indexes."""
        choice, rows = request.session.get(CHOICE), super().get_queryset(request)
        return rows.filter(workspace_id=choice["id"]) if choice else rows.none()

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        view = partial(super().changelist_view, request, extra_context)
        return inside_workspace(request, view, object_type=self.object_type)

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        view = partial(super().changeform_view, request, object_id, form_url, NO_HISTORY)
        return inside_workspace(request, view, object_type=self.object_type, object_id=object_id)


class TenantInline(ReadOnly, StaffInline):
    """Rows that hang on the one that a page shows."""

    extra = 0
    hide_title = True


def choose(request: HttpRequest, workspace: Workspace) -> None:
    """Keep the workspace for this session; its name stands on every admin page."""
    request.session[CHOICE] = {"id": str(workspace.id), "name": workspace.name}


def staff_workspace(user: User, workspace_id: UUID, address: str) -> Workspace:
    """Return a workspace that staff may enter, without a trace in it. Raises NotFoundError."""
    with workspace_scope(access_workspace_as_staff(user=user, workspace_id=workspace_id, address=address)):
        return Workspace.objects.get(id=workspace_id)


def staff_caller(request: HttpRequest) -> Caller | None:
    """Return the staff member inside the workspace that this session entered; None before that, or when it is gone."""
    choice = request.session.get(CHOICE)
    if choice is None:
        return None
    try:
        return access_workspace_as_staff(
            user=cast(User, request.user), workspace_id=UUID(choice["id"]), address=client_address(request)
        )
    except NotFoundError:
        del request.session[CHOICE]
        return None


def inside_workspace(
    request: HttpRequest, view: Callable[[], HttpResponseBase], *, object_type: str, object_id: str | None = None
) -> HttpResponseBase:
    """Render the view's answer, rendered while the workspace is open, together with the event that says who saw it."""
    caller = staff_caller(request)
    if caller is None:
        context = {**admin.site.each_context(request), "title": "Choose a workspace"}
        return render(request, "admin/choose_workspace.html", context)
    with workspace_scope(caller):
        response = view()
        if isinstance(response, SimpleTemplateResponse):  # anything else, such as a redirect, shows nothing
            response.render()
            shown = _spell_id(object_id) if object_id else ""
            record_event(caller=caller, action="staff.read", object_type=object_type, object_id=shown)
    return response


def _spell_id(object_id: str) -> str:
    """Return the one spelling of an id that an address may spell in several ways: of a UUID, or of a number."""
    text = unquote(object_id)
    return str(int(text)) if text.isascii() and text.isdigit() else str(UUID(text))
