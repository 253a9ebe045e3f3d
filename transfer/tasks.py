"""Tasks of transfers: bringing in what was sent, again where a worker died, and letting go what nobody started."""

from __future__ import annotations

from uuid import UUID

from transfer.services import importing, storing
from workspaces.callers import system_caller
from workspaces.selectors import all_workspace_ids


def run_import(workspace_id: str, import_id: str) -> None:
    """Bring an import in, or say in it why not. Delivered again it finds the row locked, or the import over."""
    importing.run_import(caller=system_caller(UUID(workspace_id), "import"), import_id=UUID(import_id))


def delete_abandoned() -> int:
    """On the schedule: in every workspace, imports that were begun a day ago and never started."""
    return sum(storing.delete_abandoned(caller=system_caller(identity, "import")) for identity in all_workspace_ids())


def resume_interrupted() -> int:
    """On the schedule: in every workspace, imports that were started and whose worker died."""
    return sum(
        importing.resume_interrupted(caller=system_caller(identity, "import")) for identity in all_workspace_ids()
    )
