"""Keys of operators, and what was done with them. They belong to the installation, as accounts do."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from core.clock import utc_now
from core.ids import new_id


class OperatorKey(models.Model):
    """A key that makes workspaces and opens none. Belongs to the installation; only a SHA-256 of the secret is kept."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=120)
    hint = models.CharField(max_length=24)
    secret_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=utc_now, editable=False)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[OperatorKey]] = models.Manager()

    class Meta:
        db_table = "operator_keys"

    def __str__(self) -> str:
        return self.name


class OperatorEvent(models.Model):
    """What was done to an operator's key, and with it. Rows are added, never changed.

    `object_id` is the workspace that was founded; it stays when that is erased.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key = models.ForeignKey(OperatorKey, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=64)
    object_id = models.CharField(max_length=64, blank=True)
    address = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    objects: ClassVar[models.Manager[OperatorEvent]] = models.Manager()

    class Meta:
        db_table = "operator_events"

    def __str__(self) -> str:
        return f"{self.action} {self.object_id}".strip()


class WorkspaceFounding(models.Model):
    """A workspace that an operator's key has made. Belongs to the installation; the workspace may be erased since.

    `call` is a digest of the idempotency key under which it was made, empty without one; `api_key_id` is the admin key
    that was answered.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    key = models.ForeignKey(OperatorKey, on_delete=models.PROTECT, related_name="+")
    made_id = models.UUIDField(unique=True)
    api_key_id = models.UUIDField(null=True)
    call = models.CharField(max_length=64, blank=True)
    request_sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField(default=utc_now, editable=False)

    objects: ClassVar[models.Manager[WorkspaceFounding]] = models.Manager()

    class Meta:
        db_table = "workspace_foundings"
        constraints = [
            models.UniqueConstraint(fields=["key", "call"], condition=~Q(call=""), name="one_workspace_per_call")
        ]

    def __str__(self) -> str:
        return str(self.made_id)
