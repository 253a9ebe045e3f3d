"""The abstract base of every table that belongs to a workspace, and the filter by workspace that all of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, TypeVar

from django.db import models
from django.db.models import Case, Value, When
from django_rls.policies import CustomPolicy

from core.errors import NotFoundError
from core.ids import new_id
from core.migrations import workspace_policies
from core.space_migrations import CurrentSpace, space_policies
from workspaces.access.callers import Caller
from workspaces.access.spaces import OtherSpaceError

if TYPE_CHECKING:  # django-rls ships no types; to the type checker its base is an ordinary model
    from django.db.models import Model as RLSModel
else:
    from django_rls.models import RLSModel

TENANT_POLICIES = [CustomPolicy(policy.name, policy.expression) for policy in workspace_policies()]
SPACE_POLICIES = [CustomPolicy(p.name, p.expression, operation=p.operation) for p in space_policies()]


Row_co = TypeVar("Row_co", bound=models.Model, covariant=True)


class TenantQuerySet(models.QuerySet[Row_co]):
    """Rows of a table that belongs to a workspace."""

    def of(self, caller: Caller) -> Self:
        """Return the rows of the caller's workspace: what row security lets through as well, and what indexes serve."""
        return self.filter(workspace_id=caller.workspace_id)


class SpacedQuerySet(TenantQuerySet[Row_co]):
    """Rows of a table that is divided into spaces."""

    def of(self, caller: Caller) -> Self:
        """Return the rows of the caller's workspace that are in a space which it reads."""
        rows = super().of(caller)
        return rows if caller.reach.every else rows.filter(space_id__in=caller.reach.read)

    def in_written_space(self, caller: Caller) -> Self:
        """Return the rows of the space that the caller writes into: among these, names and texts occur once."""
        return super().of(caller).filter(space_id=caller.reach.written)

    def prefer_written_space(self, caller: Caller) -> Self:
        """Return the rows that the caller reads, those of the space that it writes into before the others."""
        is_other = Case(When(space_id=caller.reach.written, then=Value(0)), default=Value(1))
        return self.of(caller).order_by(is_other, "space_id")


def refuse_absent(rows: models.QuerySet[Any], *, lock: bool = False) -> NoReturn:
    """Raise NotFoundError; or OtherSpaceError where a lock was wanted, and only for reading the rows are there.

    For an open scope.
    """
    if lock and rows.exists():
        raise OtherSpaceError()
    raise NotFoundError()


class TenantManager(models.Manager[Row_co]):
    """The manager of a table that belongs to a workspace."""

    def get_queryset(self) -> TenantQuerySet[Row_co]:
        return TenantQuerySet(self.model, using=self._db)

    def of(self, caller: Caller) -> TenantQuerySet[Row_co]:
        """Return the rows of the caller's workspace."""
        return self.get_queryset().of(caller)


class SpacedManager(TenantManager[Row_co]):
    """The manager of a table that is divided into spaces."""

    def get_queryset(self) -> SpacedQuerySet[Row_co]:
        return SpacedQuerySet(self.model, using=self._db)

    def of(self, caller: Caller) -> SpacedQuerySet[Row_co]:
        """Return the rows of the caller's workspace that are in a space which it reads."""
        return self.get_queryset().of(caller)

    def in_written_space(self, caller: Caller) -> SpacedQuerySet[Row_co]:
        """Return the rows of the space that the caller writes into."""
        return self.get_queryset().in_written_space(caller)

    def prefer_written_space(self, caller: Caller) -> SpacedQuerySet[Row_co]:
        """Return the rows that the caller reads, those of the space that it writes into before the others."""
        return self.get_queryset().prefer_written_space(caller)


class TenantModel(RLSModel):
    """A row of one workspace. Its migration must carry `ForceRowSecurity`; a post-migrate check insists."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey("workspaces.Workspace", on_delete=models.CASCADE, related_name="+", db_index=False)

    # Not django-rls's manager: its notion of a context is not ours (workspaces.access.scope).
    objects: ClassVar[TenantManager[Any]] = TenantManager()

    class Meta:
        abstract = True
        rls_policies = TENANT_POLICIES


class SpacedModel(TenantModel):
    """A row of one space of a workspace; a new one belongs to the space that the open scope writes into."""

    space_id = models.UUIDField(db_default=CurrentSpace(), editable=False)

    objects: ClassVar[SpacedManager[Any]] = SpacedManager()

    class Meta:
        abstract = True
        rls_policies = SPACE_POLICIES
