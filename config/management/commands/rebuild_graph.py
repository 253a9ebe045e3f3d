"""`manage.py rebuild_graph`: drop a workspace's part of the graph and project it again."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from core.errors import ProductError
from core.stores.graph import GraphUnavailableError, GraphUnreadableError, graph
from embedded import Home, LaunchError, control
from ontology.graph.services.projection import project_pending, queue_all, rebuild_graph
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import all_workspace_ids


class Command(BaseCommand):
    help = "Empty the graph of one workspace, or of all, and project it again from PostgreSQL."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", type=UUID, help="only this workspace")
        parser.add_argument(
            "--queue", action="store_true", help="only queue everything: the worker projects it. For an empty graph"
        )

    def handle(self, *args: Any, workspace: UUID | None = None, queue: bool = False, **options: Any) -> None:
        try:
            is_new = self._renew_damaged_store()
            try:
                self._project(workspace, queue=queue, is_new=is_new)
            except GraphUnavailableError as error:
                graph().ping()  # raises when the server is away
                if is_new:
                    raise
                # It answers, and fails over something that the sample did not hold.
                self._renew_store(error)
                self._project(workspace, queue=queue, is_new=True)
        except (ProductError, LaunchError) as error:
            raise CommandError(str(error)) from error

    def _project(self, workspace: UUID | None, *, queue: bool, is_new: bool) -> None:
        # A store that was made again has lost every workspace.
        identities = [workspace] if workspace and not is_new else all_workspace_ids()
        graph().prepare()
        for identity in identities:
            self._queue(identity) if queue else self._rebuild(identity)

    def _renew_damaged_store(self) -> bool:
        """Set a store aside that cannot be read; return whether it did."""
        try:
            graph().probe()
        except GraphUnreadableError as error:
            self._renew_store(error)
            return True
        return False

    def _renew_store(self, error: ProductError) -> None:
        """Have the supervisor of an embedded graph server set its store aside. Raises `error` for any other server."""
        home = Home(Path(settings.HOME))
        if not home.is_address(settings.GRAPH_URL):
            raise error
        self.stdout.write("The graph server cannot read its data: it is set aside and made again.")
        control.renew(home, "graph")

    def _queue(self, identity: UUID) -> None:
        caller = maintenance_caller(identity, "rebuild")
        with workspace_scope(caller):
            queued = queue_all(caller)
        self.stdout.write(f"{identity}  {queued:,} nodes and edges queued for the worker")

    def _rebuild(self, identity: UUID) -> None:
        queued = rebuild_graph(workspace_id=identity, graph=graph())
        applied = project_pending(workspace_id=identity, graph=graph())
        self.stdout.write(f"{identity}  {queued:,} nodes and edges queued, {applied:,} outbox entries applied")
