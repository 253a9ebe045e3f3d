"""Imports of whole workspaces, what was sent so far and what became of it; undos; erasures of whole workspaces."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from core.clock import utc_now
from core.ids import new_id
from transfer.undo.decisions import UndoAct
from workspaces.access.tenancy import SpacedManager, SpacedModel, TenantManager, TenantModel


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


class UndoTarget(models.TextChoices):
    """What an undo takes back: the writes of a run, of an import, or of an agent since a time."""

    RUN = "run"
    IMPORT = "import"
    AGENT = "agent"


class UndoStatus(models.TextChoices):
    """An undo is applied in steps, and can be reverted once, in steps as well."""

    APPLYING = "applying"
    DONE = "done"
    REVERTING = "reverting"
    REVERTED = "reverted"


class Undo(TenantModel):
    """One undo, and who asked for it. `subject` is the id of the run or import, or the agent as it was named.

    `rights` are those of the caller who asked last, for it or for its reversal: steps are taken with these and no
    others. What was written after `until` stays. `has_more` says that there was more than one undo takes back.
    `written_space` is the space of the call that asked for it, by which those who are bound to spaces find it again.
    """

    target = models.CharField(max_length=8, choices=UndoTarget.choices)
    subject = models.CharField(max_length=200)
    since = models.DateTimeField(null=True, blank=True)
    until = models.DateTimeField()
    is_everywhere = models.BooleanField(default=False)
    written_space = models.UUIDField(null=True, blank=True)
    has_more = models.BooleanField(default=False)
    status = models.CharField(max_length=9, choices=UndoStatus.choices, default=UndoStatus.APPLYING)
    actor_kind = models.CharField(max_length=10)
    actor_id = models.CharField(max_length=64, blank=True)
    actor_label = models.CharField(max_length=200, blank=True)
    rights = ArrayField(models.CharField(max_length=10), default=list)
    reverter_kind = models.CharField(max_length=10, blank=True)
    reverter_id = models.CharField(max_length=64, blank=True)
    reverter_label = models.CharField(max_length=200, blank=True)
    requested_at = models.DateTimeField(default=utc_now)
    finished_at = models.DateTimeField(null=True, blank=True)
    reverted_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[TenantManager[Undo]] = TenantManager()

    class Meta:
        db_table = "undos"
        indexes = [
            models.Index(fields=["workspace", "-id"], name="undos_newest"),
            models.Index(
                fields=["workspace"], condition=models.Q(status__in=["applying", "reverting"]), name="undos_unfinished"
            ),
        ]

    def __str__(self) -> str:
        return f"undo {self.id}"

    @property
    def is_running(self) -> bool:
        return self.status in {UndoStatus.APPLYING, UndoStatus.REVERTING}


class UndoItemState(models.TextChoices):
    """A thing waits, is taken back, or stays; when the undo is reverted it is returned, or left as it is."""

    WAITING = "waiting"
    APPLIED = "applied"
    KEPT = "kept"
    RETURNED = "returned"
    LEFT = "left"


class UndoKind(models.TextChoices):
    """What a thing is that an undo is about."""

    MEMORY = "memory"
    FACT = "fact"
    NODE = "node"
    EDGE = "edge"
    MERGE = "merge"


class UndoItem(SpacedModel):
    """One thing that an undo is about, in the space of the thing. It holds ids and counts, nothing of what was stored.

    `act` removes what was created or reverts what was changed, by taking `steps` of its history back. `step_count` is
    how long that history was when it was last looked at, so that what others do meanwhile is noticed; `made` are the
    steps that the undo and its reversal made themselves. `reason` and `by` say why a thing stays.
    """

    undo = models.ForeignKey(Undo, on_delete=models.CASCADE, related_name="items", db_constraint=False, db_index=False)
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=8, choices=UndoKind.choices)
    item_id = models.UUIDField()
    act = models.CharField(max_length=8, choices=[(act.value, act.value.capitalize()) for act in UndoAct])
    state = models.CharField(max_length=8, choices=UndoItemState.choices, default=UndoItemState.WAITING)
    reason = models.CharField(max_length=40, blank=True)
    by = models.CharField(max_length=200, blank=True)
    steps = ArrayField(models.UUIDField(), default=list)
    made = ArrayField(models.UUIDField(), default=list)
    step_count = models.PositiveIntegerField(default=0)

    objects: ClassVar[SpacedManager[UndoItem]] = SpacedManager()

    class Meta:
        db_table = "undo_items"
        constraints = [models.UniqueConstraint(fields=["workspace", "undo", "position"], name="undo_items_in_order")]
        indexes = [models.Index(fields=["workspace", "item_id"], name="undo_items_of_thing")]

    def __str__(self) -> str:
        return f"{self.act} {self.kind} {self.item_id}"


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
