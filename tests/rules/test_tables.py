"""Every table of a workspace is protected, whichever way it came into the database."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.apps import apps

from config.row_security_policies import refuse_unprotected_tables, tenant_tables
from tests.rules.source import APPS
from workspaces.access.callers import system_caller
from workspaces.access.tenancy import TenantModel

pytestmark = pytest.mark.django_db

# Rows of the installation, not of a workspace.
SHARED = {
    "attempt_counters",
    "external_identities",
    "operator_events",
    "operator_keys",
    "second_factors",
    "users",
    "worker_heartbeats",
    "workspace_erasures",
    "workspace_foundings",
    "workspaces",
}


def test_every_tenant_table_has_a_forced_policy() -> None:
    refuse_unprotected_tables(using="default")


def test_every_tenant_table_can_be_narrowed_to_a_workspace() -> None:
    caller = system_caller(UUID(int=7), "test")
    of_workspaces = [model for model in apps.get_models() if issubclass(model, TenantModel)]

    assert len(of_workspaces) > 30
    for model in of_workspaces:
        statement = str(model.objects.of(caller).query)
        assert f'"{model._meta.db_table}"."workspace_id" = {caller.workspace_id}' in statement, model


def test_every_model_of_ours_belongs_to_a_workspace_or_is_shared_on_purpose() -> None:
    ours = [model for model in apps.get_models() if model._meta.app_label in APPS and model._meta.managed]
    bare = {model._meta.db_table for model in ours if not issubclass(model, TenantModel)}

    assert bare - SHARED == set()
    assert {model._meta.db_table for model in ours} - SHARED <= {table.name for table in tenant_tables()}
