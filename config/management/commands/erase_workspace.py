"""`manage.py erase_workspace`: delete a workspace for good, as the operator; its receipt, and what is not finished."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core.errors import ProductError
from transfer.erasure.schemas import WorkspaceErasureResponse
from transfer.erasure.services.workspace_erasure import count_workspace, erase_workspace
from transfer.models import WorkspaceErasure
from workspaces.access.callers import ActorKind, Caller, Right


class Command(BaseCommand):
    help = "Delete a workspace for good. The worker does it; asked again, this prints how far it is, and the receipt."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("workspace", type=UUID, metavar="WORKSPACE_ID")
        parser.add_argument("--confirm", metavar="NAME", help="the name of the workspace, or its slug")
        parser.add_argument("--dry-run", action="store_true", help="only count what would go")

    def handle(self, *args: Any, workspace: UUID, confirm: str | None, dry_run: bool, **options: Any) -> None:
        known = WorkspaceErasure.objects.filter(erased_id=workspace).first()
        if known is not None:
            self._print(WorkspaceErasureResponse.of_erasure(known))
            return
        operator = Caller(workspace, ActorKind.SYSTEM, "erase_workspace", "erase_workspace", frozenset(Right))
        try:
            if dry_run:
                self._print(WorkspaceErasureResponse.of_content(count_workspace(caller=operator)))
            elif confirm is None:
                raise CommandError("Give --confirm NAME with the name of the workspace, or --dry-run.")
            else:
                self._print(WorkspaceErasureResponse.of_erasure(erase_workspace(caller=operator, confirm=confirm)))
        except ProductError as error:
            raise CommandError(error.detail) from error

    def _print(self, found: WorkspaceErasureResponse) -> None:
        self.stdout.write(json.dumps(found.as_json(), indent=2))
