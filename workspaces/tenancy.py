"""The abstract base of every table that belongs to a workspace."""

from __future__ import annotations

from django.db import models
from django_rls.models import RLSModel
from django_rls.policies import CustomPolicy

from core.ids import new_id
from core.migrations import tenant_policies

TENANT_POLICIES = [CustomPolicy(policy.name, policy.expression) for policy in tenant_policies()]


class TenantModel(RLSModel):  # type: ignore[misc]  # django-rls ships no types
    """A row of one workspace. Its migration must carry `ForceRowSecurity`; a post-migrate check insists."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey("workspaces.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)

    class Meta:
        abstract = True
        rls_policies = TENANT_POLICIES
