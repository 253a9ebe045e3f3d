"""Imports of whole workspaces, what was sent so far and what became of it; erasures of whole workspaces."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.clock import utc_now
from core.ids import new_id
from workspaces.access.tenancy import SpacedManager, SpacedModel


class ImportStatus(models.TextChoices):
    """An import takes parts until it is started; then it waits for the worker, and is done or refused."""

    OPEN = "open"
    QUEUED = "queued"
    DONE = "done"
    REFUSED = "refused"


class Import(SpacedModel):
    """One export that is brought into this workspace. `report` says what was kept, `error` why nothing was."""

    status = models.CharField(max_length=8, choices=ImportStatus.choices, default=ImportStatus.OPEN)
    author = models.CharField(max_length=200)
    report = models.JSONField(default=dict, blank=True)
    error = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=utc_now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[SpacedManager[Import]] = SpacedManager()

    class Meta:
        db_table = "imports"
        indexes = [models.Index(fields=["workspace", "-id"], name="imports_newest")]

    def __str__(self) -> str:
        return f"import {self.id}"


class ImportPart(SpacedModel):
    """Some lines of an import, compressed: of the export (deleted once it is in), or of the map from old ids to new."""

    of = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="parts", db_constraint=False, db_index=False)
    is_map = models.BooleanField(default=False)
    number = models.PositiveIntegerField()
    lines = models.PositiveIntegerField()
    data = models.BinaryField()

    objects: ClassVar[SpacedManager[ImportPart]] = SpacedManager()

    class Meta:
        db_table = "import_parts"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "of", "is_map", "number"], name="one_import_part_per_number")
        ]

    def __str__(self) -> str:
        return f"part {self.number} of {self.of_id}"


class WorkspaceErasure(models.Model):
    """The erasure of a workspace and its receipt: ids and numbers, nothing of what was in it.

    Belongs to the installation, since it is still there when the workspace is not. `rows` counts what was deleted so
    far, by table or store, `planned` what there was when it began. `person_id` and `key_hash` say who may read it: the
    person who asked, or who made the key that asked, and that key itself. `checks` is empty until nothing was found.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    erased_id = models.UUIDField(unique=True)
    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=64)
    person_id = models.UUIDField(null=True, blank=True)
    key_hash = models.CharField(max_length=64, blank=True)
    planned = models.JSONField(default=dict)
    rows = models.JSONField(default=dict)
    waits_for = models.CharField(max_length=12, blank=True)
    checks = models.JSONField(default=list)
    requested_at = models.DateTimeField(default=utc_now)
    finished_at = models.DateTimeField(null=True, blank=True)
    rechecked_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[models.Manager[WorkspaceErasure]] = models.Manager()

    class Meta:
        db_table = "workspace_erasures"
        verbose_name = "workspace erasure"
        indexes = [
            models.Index(fields=["person_id"], name="workspace_erasures_of_person"),
            models.Index(fields=["key_hash"], name="workspace_erasures_of_key"),
        ]

    def __str__(self) -> str:
        return f"erasure of {self.erased_id}"
