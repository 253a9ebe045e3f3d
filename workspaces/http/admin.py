"""Staff pages: the list of workspaces and the one that was entered, its keys, people and audit record; all accounts."""

from __future__ import annotations

from functools import partial
from typing import Any, cast
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin as AccountAdmin
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.template.response import SimpleTemplateResponse
from django.urls import URLPattern, path
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from core.clock import utc_now
from core.errors import InvalidError
from core.stores.queue import count_by_path, schedule_states, waiting_tasks
from workspaces.access.client_address import client_address
from workspaces.access.scope import directory_scope
from workspaces.access.staff_sessions import enter_workspace, leave_workspace
from workspaces.access.worker_heartbeats import attendance
from workspaces.accounts.services.account_audit import record_account_change
from workspaces.http.admin_base import (
    CHOICE,
    NO_HISTORY,
    ReadOnly,
    StaffAdmin,
    TenantAdmin,
    choose,
    inside_workspace,
    staff_caller,
    staff_workspace,
)
from workspaces.http.staff_forms import EnterForm
from workspaces.keys.services import revoke_key
from workspaces.models import ApiKey, AuditEvent, ConnectedApp, Membership, User, Workspace
from workspaces.oauth.services.connected_apps import withdraw_app

admin.site.unregister(Group)  # rights do not come from groups here
# Registrations and tokens, of every workspace at once: staff see what was let into the one that they entered.
# The queue: its tables say what is run, and pages of them would read pickles.
MAX_QUEUED_READ = 5_000
UNSEEN = {"oauth2_provider", "django_q"}
admin.site.unregister([model for model in admin.site._registry if model._meta.app_label in UNSEEN])


@admin.register(Workspace)
class WorkspaceAdmin(ReadOnly, StaffAdmin):
    """Where staff begin: the list shows names only; the workspace that was entered has a page."""

    actions = None
    list_display = ("name", "slug", "created_at", "way_in")
    list_display_links = None
    search_fields = ("name", "slug")
    ordering = ("name",)
    fields = ("name", "slug", "id", "config", "is_deleted", "deleted_at", "created_at", "updated_at")

    def get_urls(self) -> list[URLPattern]:
        enter = self.admin_site.admin_view(require_http_methods(["GET", "HEAD", "POST"])(self.enter))
        leave = self.admin_site.admin_view(require_POST(self.leave))
        health = self.admin_site.admin_view(require_safe(self.health))
        own = [
            path("<uuid:workspace_id>/enter/", enter, name="staff_enter"),
            path("leave/", leave, name="staff_leave"),
            path("health/", health, name="staff_health"),
        ]
        return own + super().get_urls()

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        with directory_scope():
            response = super().changelist_view(request, extra_context)
            if isinstance(response, SimpleTemplateResponse):
                response.render()
        return response

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> Any:
        view = partial(super().changeform_view, request, object_id, form_url, NO_HISTORY)
        return inside_workspace(request, view, object_type="workspace", object_id=object_id)

    def enter(self, request: HttpRequest, workspace_id: UUID) -> HttpResponse:
        """Ask for the reason, and enter with it."""
        user, address = cast(User, request.user), client_address(request)
        workspace = staff_workspace(user, workspace_id, address)
        form = EnterForm(request.POST if request.method == "POST" else None)
        if form.is_valid():
            try:
                enter_workspace(user=user, workspace_id=workspace_id, address=address, **form.cleaned_data)
            except InvalidError as error:
                form.add_error("reason", error.problems[0].detail)
            else:
                self._leave(request)
                choose(request, workspace)
                return redirect("admin:workspaces_workspace_change", workspace_id)
        context = {
            **self.admin_site.each_context(request),
            "title": f"Enter {workspace.name}",
            "workspace": workspace,
            "form": form,
        }
        return render(request, "admin/enter_workspace.html", context, status=422 if form.is_bound else 200)

    def health(self, request: HttpRequest) -> HttpResponse:
        """Render the workers, the queue and the schedule of the installation: names, numbers and times only."""
        context = {
            **self.admin_site.each_context(request),
            "title": "Queue and schedule",
            "attendance": attendance(),
            "waiting": waiting_tasks(),
            "paths": count_by_path(most=MAX_QUEUED_READ),
            "most": MAX_QUEUED_READ,
            "lines": schedule_states(now=utc_now()),
        }
        return render(request, "admin/queue_health.html", context)

    def leave(self, request: HttpRequest) -> HttpResponse:
        self._leave(request)
        return redirect("admin:workspaces_workspace_changelist")

    def _leave(self, request: HttpRequest) -> None:
        if caller := staff_caller(request):
            leave_workspace(caller=caller)
            del request.session[CHOICE]

    @admin.display(description="")
    def way_in(self, workspace: Workspace) -> str:
        return render_to_string("admin/way_in.html", {"workspace": workspace})


@admin.register(ApiKey)
class ApiKeyAdmin(TenantAdmin):
    """Keys without their secrets; revoking is the one thing that staff may do to them."""

    object_type = "api_key"
    actions = ("revoke",)
    list_display = ("name", "hint", "scopes", "last_used_at", "expires_at", "revoked_at")
    fields = ("name", "hint", "scopes", "created_by", "created_at", "last_used_at", "expires_at", "revoked_at")
    ordering = ("-id",)

    @admin.action(description="Revoke the selected keys for good")
    def revoke(self, request: HttpRequest, keys: QuerySet[ApiKey]) -> None:
        caller = staff_caller(request)
        if caller is None:
            return
        for key_id in keys.values_list("id", flat=True):
            revoke_key(caller=caller, key_id=key_id)
        messages.success(request, "Revoked. Agents that use these keys are answered 401 from now on.")


@admin.register(ConnectedApp)
class ConnectedAppAdmin(TenantAdmin):
    """Programs that people let in; withdrawing is the one thing that staff may do to them."""

    object_type = "connected_app"
    actions = ("withdraw",)
    list_display = ("name", "user", "scopes", "last_used_at", "revoked_at")
    list_select_related = ("user",)
    fields = ("name", "user", "scopes", "created_at", "last_used_at", "revoked_at")
    ordering = ("-id",)

    @admin.action(description="Withdraw the selected apps for good")
    def withdraw(self, request: HttpRequest, apps: QuerySet[ConnectedApp]) -> None:
        caller = staff_caller(request)
        if caller is None:
            return
        for app_id in apps.values_list("id", flat=True):
            withdraw_app(caller=caller, app_id=app_id)
        messages.success(request, "Withdrawn. Their calls are answered 401 from now on.")


@admin.register(Membership)
class MembershipAdmin(TenantAdmin):
    """The people of the workspace."""

    object_type = "membership"
    actions = None
    list_display = ("user", "role", "created_at")
    list_filter = ("role",)
    list_select_related = ("user",)
    fields = ("user", "role", "created_at")
    ordering = ("user__email",)


@admin.register(AuditEvent)
class AuditEventAdmin(TenantAdmin):
    """Who did what, newest first; the visits of staff are among it."""

    object_type = "audit_event"
    actions = None
    list_display = ("when", "action", "actor_label", "actor_kind", "object_type", "object_id", "reason", "address")
    list_filter = ("action", "actor_label", "actor_kind")
    search_fields = ("object_id",)
    fields = (
        *("created_at", "action", "actor_kind", "actor_label", "actor_id"),
        *("object_type", "object_id", "address", "details"),
    )
    ordering = ("-created_at", "-id")

    @admin.display(description="Reason")
    def reason(self, event: AuditEvent) -> str:
        return str(event.details.get("reason", ""))

    @admin.display(description="When (UTC)", ordering="created_at")
    def when(self, event: AuditEvent) -> str:
        return f"{event.created_at:%Y-%m-%d %H:%M:%S}"


@admin.register(User)
class UserAdmin(AccountAdmin, StaffAdmin):  # type: ignore[type-arg]  # it takes no argument when it runs
    """Accounts, for those who hold Django's rights on them. One that did something is deactivated, never deleted.

    Only superusers make people staff or superusers, and change the accounts of those.
    """

    form, add_form, change_password_form = UserChangeForm, UserCreationForm, AdminPasswordChangeForm
    list_display = ("email", "name", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_active")
    search_fields = ("email", "name")
    ordering = ("email",)
    filter_horizontal = ()
    fieldsets = (
        (
            None,
            {"fields": ("email", "is_email_confirmed", "name", "password", "is_active", "is_staff", "is_superuser")},
        ),
    )
    add_fieldsets = ((None, {"fields": ("email", "name", "password1", "password2")}),)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if cast(User, request.user).is_superuser else ("is_staff", "is_superuser")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        editor = cast(User, request.user)
        is_above = isinstance(obj, User) and (obj.is_staff or obj.is_superuser) and obj != editor
        return super().has_change_permission(request, obj) and (editor.is_superuser or not is_above)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        with transaction.atomic():  # with its event; the other pages have a transaction of Django's
            return super().user_change_password(request, id, form_url)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """Record the change as well: Django calls this for both forms, of fields and of the password, once saved."""
        if not add and form.changed_data:
            record_account_change(
                staff=cast(User, request.user),
                user=form.user if isinstance(form, AdminPasswordChangeForm) else form.instance,
                fields=form.changed_data,
                address=client_address(request),
            )
        return super().construct_change_message(request, form, formsets, add)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
