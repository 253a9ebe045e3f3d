"""Imports of whole workspaces: what was sent so far, and what became of it."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from core.clock import utc_now
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
