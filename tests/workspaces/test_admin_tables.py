"""Tables of the staff admin: readable inside the entered workspace alone, and changed by nothing but named actions."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from llm.models import PromptRun
from memory.memories.services.memory_writer import NewMemory, remember
from memory.models import ContextReceipt, EpisodeStatement, MemoryEpisode, Run
from ontology.models import GraphOutbox
from telemetry.models import Action, Pattern
from tests.cast import PASSWORD, Cast
from workspaces.access.scope import workspace_scope
from workspaces.http.admin_base import TenantAdmin
from workspaces.models import User

# What a superuser may do to rows of an entered workspace, each through a service that leaves its own audit event.
ALLOWED_ACTIONS = {
    "workspaces.apikey": {"revoke"},
    "workspaces.connectedapp": {"withdraw"},
    "memory.memoryepisode": {"delete_softly", "restore"},
}
READABLE = {MemoryEpisode, EpisodeStatement, PromptRun, Run, Action, Pattern, ContextReceipt, GraphOutbox}
# What belongs to the installation, and to no workspace.
UNENTERED = {"workspaces.workspace", "workspaces.user", "transfer.workspaceerasure"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def root() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("root@staff.example", PASSWORD, name="Root"))
    return client


def _pages() -> dict[str, Any]:
    return {model._meta.label_lower: page for model, page in admin.site._registry.items()}


def test_all_that_an_audit_needs_has_a_page() -> None:
    assert {model._meta.label_lower for model in READABLE} <= _pages().keys()


def test_every_table_of_a_workspace_is_read_only_but_for_named_actions(root: Client, rf: Any) -> None:
    request = rf.get("/admin/")
    request.user = User.objects.get(email="root@staff.example")
    for label, page in _pages().items():
        if label in UNENTERED:
            continue
        assert isinstance(page, TenantAdmin), label
        assert set(page.get_actions(request)) == ALLOWED_ACTIONS.get(label, set()), label
        assert not any(getattr(page, f"has_{verb}_permission")(request) for verb in ("add", "change", "delete")), label
        for inline in page.get_inline_instances(request):
            verbs = ("add", "change", "delete")
            assert not any(getattr(inline, f"has_{verb}_permission")(request, None) for verb in verbs), label


@pytest.mark.parametrize("label", sorted(set(_pages()) - UNENTERED))
def test_each_list_opens_and_each_address_that_writes_is_refused(cast: Cast, root: Client, label: str) -> None:
    remember(caller=cast.acme.caller, new=NewMemory("Acme orders tea on Mondays."))
    root.post(reverse("admin:staff_enter", args=[cast.acme.workspace.id]), {"reason": "Ticket 4711: a check"})
    name = f"admin:{label.replace('.', '_')}"
    page = root.get(reverse(f"{name}_changelist"))
    assert page.status_code == 200
    assert page.content.decode().count("<main") == 1

    model = next(one for one in admin.site._registry if one._meta.label_lower == label)
    with workspace_scope(cast.acme.caller):
        rows = list(model._default_manager.values_list("pk", flat=True)[:1])
    known = rows[0] if rows else uuid4()
    for verb in ("add", "change", "delete"):
        address = reverse(f"{name}_{verb}", args=[] if verb == "add" else [known])
        assert root.post(address, {"post": "yes", "name": "x"}).status_code in {302, 403}, verb
    with workspace_scope(cast.acme.caller):
        assert list(model._default_manager.filter(pk__in=rows).values_list("pk", flat=True)) == rows
    if rows:
        assert root.get(reverse(f"{name}_change", args=[known])).status_code == 200


def test_rows_of_another_workspace_are_in_no_list(cast: Cast, root: Client) -> None:
    remember(caller=cast.acme.caller, new=NewMemory("Acme orders tea on Mondays."))
    with workspace_scope(cast.acme.caller):
        Run.objects.create(workspace_id=cast.acme.workspace.id, agent="acme-runner")
        waiting = GraphOutbox.objects.values_list("entity_id", flat=True)[0]
    root.post(reverse("admin:staff_enter", args=[cast.umbrella.workspace.id]), {"reason": "Ticket 4711: a check"})

    assert "acme-runner" not in root.get(reverse("admin:memory_run_changelist")).content.decode()
    assert str(waiting) not in root.get(reverse("admin:ontology_graphoutbox_changelist")).content.decode()
