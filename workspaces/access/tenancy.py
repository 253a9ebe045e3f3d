"""The abstract base of every table that belongs to a workspace, and the filter by workspace that all of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from django.db import models
from django_rls.policies import CustomPolicy

from core.ids import new_id
from core.migrations import tenant_policies
from workspaces.access.callers import Caller

if TYPE_CHECKING:  # django-rls ships no types; to the type checker its base is an ordinary model
    from django.db.models import Model as RLSModel
else:
    from django_rls.models import RLSModel

TENANT_POLICIES = [CustomPolicy(policy.name, policy.expression) for policy in tenant_policies()]


Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


class TenantQuerySet(models.QuerySet[Row_co]):
    """Rows of a table that belongs to a workspace."""

    def of(self, caller: Caller) -> Self:
        """Return the rows of the caller's workspace: what row security lets through as well, and what indexes serve."""
        return self.filter(workspace_id=caller.workspace_id)


class TenantManager(models.Manager[Row_co]):
    """The manager of a table that belongs to a workspace."""

    def get_queryset(self) -> TenantQuerySet[Row_co]:
        return TenantQuerySet(self.model, using=self._db)

    def of(self, caller: Caller) -> TenantQuerySet[Row_co]:
        """Return the rows of the caller's workspace."""
        return self.get_queryset().of(caller)


class TenantModel(RLSModel):
    """A row of one workspace. Its migration must carry `ForceRowSecurity`; a post-migrate check insists."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey("workspaces.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)

    # Not django-rls's manager: its notion of a context is not ours (workspaces.access.scope).
    objects: ClassVar[TenantManager[Any]] = TenantManager()

    class Meta:
        abstract = True
        rls_policies = TENANT_POLICIES
