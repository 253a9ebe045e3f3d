"""What the page Settings → Data shows of imports: how far each is, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from transfer.imports.selectors import pending_upload, workspace_imports
from transfer.imports.services.workspace_import import import_progress
from transfer.models import Import, ImportStatus
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext

MAX_SHOWN = 20


@dataclass(frozen=True, slots=True)
class ImportLine:
    """An import: `done` of `lines` while it is at work, then its report or why nothing was changed."""

    job: Import
    url: str
    lines: int = 0
    done: int = 0

    @property
    def is_running(self) -> bool:
        """Whether the worker has it, or will."""
        return self.job.status == ImportStatus.QUEUED

    @property
    def refusal(self) -> str:
        """Why it was refused."""
        return str(self.job.error.get("detail") or self.job.error.get("title") or "")

    @property
    def counts(self) -> list[tuple[str, int]]:
        """What it brought, by kind, without what it had none of."""
        return [
            (kind.replace("_", " "), number) for kind, number in self.job.report.get("counts", {}).items() if number
        ]


def import_lines(seat: ConsoleContext) -> list[ImportLine]:
    """Return the latest imports of the workspace."""
    with workspace_scope(seat.caller):
        jobs = list(workspace_imports(seat.caller)[:MAX_SHOWN])
    return [import_line(seat, job) for job in jobs]


def import_line(seat: ConsoleContext, job: Import) -> ImportLine:
    """Return one import."""
    url = reverse("settings-import", args=[seat.workspace.slug, job.id])
    if job.status != ImportStatus.QUEUED:
        return ImportLine(job, url)
    lines = pending_upload(seat.caller, job)["lines"]
    return ImportLine(job, url, lines, min(import_progress(caller=seat.caller, import_id=job.id) or 0, lines))
