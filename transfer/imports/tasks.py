"""Tasks of transfers: bringing in what was sent, again where a worker died, and deleting what was never started."""

from __future__ import annotations

from uuid import UUID

from transfer.imports.services import import_jobs, workspace_import
from workspaces.access.callers import maintenance_caller, system_caller
from workspaces.access.every_workspace import sum_over_workspaces


def run_import(workspace_id: str, import_id: str) -> None:
    """Bring an import in, or say in it why not. Delivered again it finds the row locked, or the import over."""
    workspace_import.run_import(caller=system_caller(UUID(workspace_id), "import"), import_id=UUID(import_id))


def delete_abandoned() -> int:
    """On the schedule: in every workspace, imports that were begun a day ago and never started."""
    return sum_over_workspaces(
        lambda identity: import_jobs.delete_abandoned(caller=maintenance_caller(identity, "import"))
    )


def resume_interrupted() -> int:
    """On the schedule: in every workspace, imports that were started and whose worker died."""
    return sum_over_workspaces(
        lambda identity: workspace_import.resume_interrupted(caller=maintenance_caller(identity, "import"))
    )
