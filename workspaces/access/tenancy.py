"""The abstract base of every table that belongs to a workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.db import models
from django_rls.policies import CustomPolicy

from core.ids import new_id
from core.migrations import tenant_policies

if TYPE_CHECKING:  # django-rls ships no types; to the type checker its base is an ordinary model
    from django.db.models import Model as RLSModel
else:
    from django_rls.models import RLSModel

TENANT_POLICIES = [CustomPolicy(policy.name, policy.expression) for policy in tenant_policies()]


class TenantModel(RLSModel):
    """A row of one workspace. Its migration must carry `ForceRowSecurity`; a post-migrate check insists."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey("workspaces.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)

    # Not django-rls's manager: its notion of a context is not ours (workspaces.access.scope).
    objects: ClassVar[models.Manager[Any]] = models.Manager()

    class Meta:
        abstract = True
        rls_policies = TENANT_POLICIES
