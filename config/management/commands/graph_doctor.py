"""`manage.py graph_doctor`: compare the graph with PostgreSQL, and repair it when asked."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core.errors import ProductError
from core.stores.graph import graph
from ontology.graph.services.graph_doctor import Drift, graph_drift, repair_drift
from ontology.graph.services.projection import project_pending, waiting_entries
from workspaces.access.selectors import all_workspace_ids


class Command(BaseCommand):
    help = "Compare the graph and the vectors with PostgreSQL, workspace by workspace; exit with 1 when they differ."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--workspace", type=UUID, help="only this workspace")
        parser.add_argument("--repair", action="store_true", help="bring the graph in line with PostgreSQL")

    def handle(self, *args: Any, workspace: UUID | None = None, repair: bool = False, **options: Any) -> None:
        try:
            found = [
                self._examine(identity, repair=repair)
                for identity in ([workspace] if workspace else all_workspace_ids())
            ]
        except ProductError as error:
            raise CommandError(error.detail) from error
        if not all(drift.is_none for drift in found):
            raise CommandError("The graph differs from PostgreSQL. Run graph_doctor --repair.")
        self.stdout.write(
            f"No difference in {len(found):,} workspaces, {sum(drift.compared for drift in found):,} nodes, "
            f"{sum(drift.edges.compared for drift in found):,} edges."
        )

    def _examine(self, identity: UUID, *, repair: bool) -> Drift:
        drift = graph_drift(workspace_id=identity, graph=graph())
        if repair and not drift.is_none:
            repair_drift(workspace_id=identity, drift=drift, graph=graph())
            project_pending(workspace_id=identity, graph=graph())
            self._tell(identity, drift, "repaired")
            drift = graph_drift(workspace_id=identity, graph=graph())
        if not drift.is_none:
            self._tell(identity, drift, f"{waiting_entries(workspace_id=identity):,} outbox entries wait")
        return drift

    def _tell(self, identity: UUID, drift: Drift, note: str) -> None:
        nodes, edges = (
            f"{len(found.missing):,} missing, {len(found.superfluous):,} superfluous, {len(found.outdated):,} outdated"
            for found in (drift, drift.edges)
        )
        self.stdout.write(
            f"{identity}  nodes: {nodes}; edges: {edges}; {len(drift.lost_vectors):,} vectors lost; "
            f"{len(drift.histories):,} agent histories differ; {note}"
        )
