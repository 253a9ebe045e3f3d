"""What may be added, changed or deleted in the staff admin, by its most powerful account: nothing but accounts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import NoReverseMatch, reverse

from tests.cast import PASSWORD, Answer, Cast
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import AuditEvent, User

# Every permission of a superuser to change rows in the admin, with the reason for it.
ALLOWED = {
    ("workspaces.user", "add"): "people get accounts from an operator; an account alone opens no workspace",
    (
        "workspaces.user",
        "change",
    ): "deactivating and new passwords; each change is in the record of the person's workspaces",
}
NEW_PASSWORD = "another horse battery"

pytestmark = pytest.mark.django_db


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root@staff.example", PASSWORD, name="Root")


def test_a_superuser_may_change_accounts_and_no_other_row(rf: Any, root: User) -> None:
    request = SimpleNamespace(user=root, **vars(rf.get("/admin/")))
    found = {
        (model._meta.label_lower, verb)
        for model, page in admin.site._registry.items()
        for verb in ("add", "change", "delete")
        if getattr(page, f"has_{verb}_permission")(request)
    }

    assert found == set(ALLOWED)


def test_no_table_of_the_queue_or_of_sign_in_by_apps_has_a_page(root: User) -> None:
    client = _signed_in(root)
    for label in ("django_q", "oauth2_provider"):
        for model in apps.get_app_config(label).get_models():
            with pytest.raises(NoReverseMatch):
                reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    assert client.post("/admin/django_q/schedule/add/", {"func": "os.system"}).status_code == 404


def test_staff_with_djangos_right_to_change_accounts_make_nobody_staff_and_leave_superusers_alone(
    cast: Cast, root: User
) -> None:
    clerk = User.objects.create_user("clara@staff.example", PASSWORD, is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user", "add_user"]))
    client = _signed_in(clerk)

    form = {"email": "bob@acme.example", "name": "Bobby", "is_active": "on", "is_staff": "on", "is_superuser": "on"}
    assert client.post(_page("change", cast.bob), form).status_code == 302
    assert client.post(_page("change", clerk), {**form, "email": clerk.email}).status_code == 302
    assert _new_password(client, root).status_code == 403
    assert client.post(_page("change", root), {**form, "email": "mine@staff.example"}).status_code == 403

    assert list(User.objects.filter(is_superuser=True).values_list("email", flat=True)) == ["root@staff.example"]
    cast.bob.refresh_from_db()
    assert (cast.bob.name, cast.bob.is_staff) == ("Bobby", False)
    root.refresh_from_db()
    assert root.check_password(PASSWORD)


def test_a_password_set_by_staff_is_in_the_record_of_each_of_that_persons_workspaces(cast: Cast, root: User) -> None:
    found_workspace(owner=cast.bob, name="Bob's own")
    assert _new_password(_signed_in(root), cast.bob).status_code == 302

    cast.bob.refresh_from_db()
    assert cast.bob.check_password(NEW_PASSWORD)
    assert _changes(cast) == [("staff", "Root", str(cast.bob.id), "127.0.0.1", {"fields": ["password"]})]
    assert _changes_in_other_workspaces(cast) == [1, 0]


def test_what_else_staff_change_of_an_account_is_recorded_by_the_name_of_its_field(cast: Cast, root: User) -> None:
    client = _signed_in(root)
    form = {"email": "bob@evil.example", "name": "Bob", "is_staff": "on", "is_email_confirmed": "on"}
    assert client.post(_page("change", cast.bob), form).status_code == 302

    [(_, _, _, _, details)] = _changes(cast)
    assert sorted(details["fields"]) == ["email", "is_active", "is_staff"]
    assert "evil" not in str(details)


def _signed_in(user: User) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(user)
    return client


def _page(name: str, user: User) -> str:
    return reverse(f"admin:workspaces_user_{name}", args=[user.pk])


def _new_password(client: Client, user: User) -> Answer:
    form = {"usable_password": "true", "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    return client.post(reverse("admin:auth_user_password_change", args=[user.pk]), form)


def _changes(cast: Cast) -> list[tuple[Any, ...]]:
    """The changes of accounts in Acme's record."""
    with workspace_scope(cast.acme.caller):
        events = AuditEvent.objects.filter(action="account.changed")
        return list(events.values_list("actor_kind", "actor_label", "object_id", "address", "details"))


def _changes_in_other_workspaces(cast: Cast) -> list[int]:
    """Their number in Bob's own workspace, and in Umbrella."""
    from workspaces.access.selectors import access_workspace, member_workspaces

    own = next(workspace for workspace in member_workspaces(cast.bob) if workspace.name == "Bob's own")
    callers = [access_workspace(user=cast.bob, workspace_id=own.id), cast.umbrella.caller]
    counts = []
    for caller in callers:
        with workspace_scope(caller):
            counts.append(AuditEvent.objects.filter(action="account.changed").count())
    return counts
