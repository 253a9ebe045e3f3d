"""`manage.py rebuild_graph`: drop a workspace's part of the graph and project it again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core.errors import ProductError
from core.graph import graph
from ontology.services.projection import project_pending, rebuild_graph
from workspaces.selectors import all_workspace_ids


class Command(BaseCommand):
    help = "Empty the graph of one workspace, or of all, and project it again from PostgreSQL."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", type=UUID, help="only this workspace")

    def handle(self, *args: Any, workspace: UUID | None = None, **options: Any) -> None:
        try:
            for identity in [workspace] if workspace else all_workspace_ids():
                queued = rebuild_graph(workspace_id=identity, graph=graph())
                applied = project_pending(workspace_id=identity, graph=graph())
                self.stdout.write(f"{identity}  {queued:,} nodes and edges queued, {applied:,} outbox entries applied")
        except ProductError as error:
            raise CommandError(error.detail) from error
