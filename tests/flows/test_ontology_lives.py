"""Whatever happens to nodes, edges, relays and the graph server: rows, vectors and graph agree in the end.

`ONTOLOGY_LIVES=100 make test ARGS="-k everything_agrees"` lives a hundred lives instead of the usual number.
"""

from __future__ import annotations

import atexit
import json
import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from typing import Any
from unittest.mock import patch
from uuid import UUID

import pytest
from django.core.management import call_command
from neo4j import GraphDatabase

from core.clock import utc_now
from core.stores.graph import BoltGraph, GraphStatement, graph
from llm.embedding.services.backlog import embed_pending
from ontology.graph import tasks as graph_tasks
from ontology.graph.services.graph_doctor import graph_drift
from ontology.graph.services.projection import CYPHER, waiting_entries
from ontology.graph.tasks import project_workspace
from ontology.matching.tasks import match_workspace
from ontology.models import GOVERNED_TYPES, Connection, Edge, Merge, MergeCandidate, Node
from ontology.search.services.node_embeddings import NODE_VECTORS
from tests.cast import Answer, Cast, Household, RestClient
from tests.flows.outages import without
from workspaces.access.leases import HeldLease
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

OPERATIONS = 200
# Each takes seconds; three of them are quick enough for every run.
LIVES, FEW = int(os.environ.get("ONTOLOGY_LIVES", "25")), 3
NAMES = ("Ada", "Bob", "Eve", "Grace", "Acme Corp", "Tea")


class KilledError(Exception):
    """What a killed process does not get to raise."""


@dataclass
class Interrupted:
    """The real graph, and something that happens at its next write: before it, or after it went through."""

    real: BoltGraph
    happens: Callable[[], None]
    is_late: bool

    def read(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[dict[str, Any]]:
        return self.real.read(statement, workspace_id=workspace_id, **parameters)

    def ping(self) -> None:
        self.real.ping()

    def write(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[dict[str, Any]]:
        happens, self.happens = self.happens, lambda: None
        if not self.is_late:
            happens()
        rows = self.real.write(statement, workspace_id=workspace_id, **parameters)
        if self.is_late:
            happens()
        return rows


@dataclass
class Life:
    """Somebody who does things at random to the ontology of a workspace."""

    household: Household
    dice: random.Random
    reach_graph: Callable[[], BoltGraph] = graph
    done: dict[str, int] = field(default_factory=dict)

    @property
    def rest(self) -> RestClient:
        return self.household.rest()

    def act(self) -> None:
        operation = self.dice.choices(list(OPERATION_WEIGHTS), list(OPERATION_WEIGHTS.values()))[0]
        self.done[operation] = self.done.get(operation, 0) + 1
        answer = getattr(self, operation)()
        assert answer is None or answer.status_code in {200, 201, 404, 409}, (operation, answer.content)

    def create_node(self) -> Answer:
        connection = self._any(Connection, is_deleted=False) if self.dice.random() < 0.4 else None
        body = {"type": "person", "name": self.dice.choice(NAMES), "connection": connection and str(connection)}
        return self.rest.post("ontology/nodes", body)

    def create_many(self) -> Answer:
        lines = [{"type": "thing", "name": self.dice.choice(NAMES)} for _ in range(self.dice.randint(1, 8))]
        return self._bulk("nodes", lines)

    def connect(self) -> Answer:
        return self.rest.post("ontology/edges", self._edge())

    def connect_many(self) -> Answer:
        return self._bulk("edges", [self._edge() for _ in range(self.dice.randint(1, 8))])

    def edit_node(self) -> Answer:
        changes = self.dice.choice([{"name": self.dice.choice(NAMES)}, {"type": "dog"}, {"properties": {"n": 1}}])
        return self.rest.patch(f"ontology/nodes/{self._any(Node)}", changes)

    def edit_edge(self) -> Answer:
        return self.rest.patch(f"ontology/edges/{self._any(Edge)}", {"type": self.dice.choice(["knows", "has"])})

    def delete_node(self) -> Answer:
        return self.rest.delete(f"ontology/nodes/{self._any(Node, is_deleted=False)}")

    def restore_node(self) -> Answer:
        return self.rest.post(f"ontology/nodes/{self._any(Node, is_deleted=True)}/restore")

    def delete_edge(self) -> Answer:
        return self.rest.delete(f"ontology/edges/{self._any(Edge, is_deleted=False)}")

    def restore_edge(self) -> Answer:
        return self.rest.post(f"ontology/edges/{self._any(Edge, is_deleted=True)}/restore")

    def remember(self) -> Answer:
        return self.rest.post("memories", {"content": f"{self.dice.choice(NAMES)} likes {self.dice.randint(1, 9)}."})

    def change_memory(self) -> Answer:
        memory = self._any(Node, type__in=GOVERNED_TYPES)
        verb = self.dice.choice(["promote", "suppress", "restore", ""])
        return self.rest.post(f"memories/{memory}/{verb}") if verb else self.rest.delete(f"memories/{memory}")

    def merge(self) -> Answer:
        keep, absorb = self._any(Node, is_deleted=False), self._any(Node, is_deleted=False)
        if keep == absorb:
            return None
        return self.rest.post("ontology/merge", {"keep": str(keep), "absorb": str(absorb)})

    def undo(self) -> Answer:
        return self.rest.post(f"ontology/merges/{self._any(Merge, undone_at=None)}/undo")

    def keep_apart(self) -> Answer:
        match_workspace(str(self.rest.workspace_id))
        return self.rest.post(f"ontology/merge-candidates/{self._any(MergeCandidate)}/keep-apart")

    def add_connection(self) -> Answer:
        return self.rest.post("ontology/connections", {"name": f"Connection {self.dice.randint(1, 3)}"})

    def delete_connection(self) -> Answer:
        return self.rest.delete(f"ontology/connections/{self._any(Connection, is_deleted=False)}")

    def relay(self) -> None:
        self._relay(self.reach_graph())

    def embed(self) -> None:
        embed_pending(NODE_VECTORS, workspace_id=self.rest.workspace_id, most=10_000)

    def kill_relay(self) -> None:
        """A relay dies at a write: its lease stays until it runs out."""

        def dies() -> None:
            raise KilledError

        dying = Interrupted(self.reach_graph(), dies, is_late=self.dice.random() < 0.5)
        with patch.object(HeldLease, "release"):
            self._relay(dying)

    def stall_relay(self) -> None:
        """A relay is held up for longer than its lease; meanwhile things change, and another relay does the work."""

        def stalls() -> None:
            self._lose_lease()
            for operation in (self.delete_node, self.restore_node, self.connect, self.relay):
                operation()

        self._relay(Interrupted(self.reach_graph(), stalls, is_late=False))

    def lose_graph(self) -> None:
        self.reach_graph = _no_graph

    def find_graph(self) -> None:
        self.reach_graph = graph

    def let_time_pass(self) -> None:
        self._lose_lease()

    def settle(self) -> None:
        """Everybody is back, and does what is left to do."""
        self.find_graph()
        self._lose_lease()
        while project_workspace(str(self.rest.workspace_id)):
            pass
        embed_pending(NODE_VECTORS, workspace_id=self.rest.workspace_id, most=10_000)

    def _relay(self, reached: BoltGraph | Interrupted) -> None:
        with patch.object(graph_tasks, "graph", lambda: reached), suppress(KilledError):
            project_workspace(str(self.rest.workspace_id))

    def _lose_lease(self) -> None:
        with workspace_scope(self.household.caller):
            Lease.objects.filter(workspace_id=self.rest.workspace_id).update(until=utc_now())

    def _edge(self) -> dict[str, str]:
        return {"type": "knows", "source": str(self._any(Node)), "target": str(self._any(Node))}

    def _any(self, model: Any, **which: Any) -> UUID:
        """A row of the workspace, or an id of nothing where there is none."""
        with workspace_scope(self.household.caller):
            ids = list(model.objects.filter(**which).order_by("id").values_list("id", flat=True))
        return self.dice.choice(ids) if ids else UUID(int=7 << 76 | 2 << 62)

    def _bulk(self, what: str, lines: list[dict[str, str]]) -> Answer:
        body = "\n".join(map(json.dumps, lines))
        return self.rest.raw("POST", f"ontology/{what}/bulk", body, content_type="application/x-ndjson")


OPERATION_WEIGHTS = {
    **{"create_node": 14, "create_many": 4, "connect": 14, "connect_many": 4},
    **{"edit_node": 6, "edit_edge": 4, "delete_node": 6, "restore_node": 5, "delete_edge": 4, "restore_edge": 4},
    **{"remember": 3, "change_memory": 4, "merge": 6, "undo": 5, "keep_apart": 1},
    **{"add_connection": 3, "delete_connection": 2, "relay": 8, "embed": 2},
    **{"kill_relay": 3, "stall_relay": 2, "lose_graph": 2, "find_graph": 4, "let_time_pass": 4},
}


@cache
def _no_graph() -> BoltGraph:
    """A client of a server that is not there."""
    driver = GraphDatabase.driver("bolt://127.0.0.1:1", connection_timeout=0.2, max_transaction_retry_time=0)
    atexit.register(driver.close)
    return BoltGraph(driver, "graph")


def live(household: Household, seed: int) -> Life:
    life = Life(household, random.Random(seed))
    for _ in range(OPERATIONS):
        life.act()
    return life


def agree(life: Life) -> None:
    life.settle()
    workspace_id = life.rest.workspace_id
    drift = graph_drift(workspace_id=workspace_id, graph=graph())
    assert drift.is_none, (life.done, drift)
    assert waiting_entries(workspace_id=workspace_id) == 0
    with workspace_scope(life.household.caller):
        assert not Node.objects.filter(needs_embedding=True).exists()
        assert Node.objects.filter(embedding=None).count() == 0
    told = StringIO()
    call_command("graph_doctor", workspace=workspace_id, stdout=told)
    assert "No difference" in told.getvalue()


@pytest.fixture(autouse=True)
def _clean_graph(cast: Cast) -> Iterator[None]:
    yield
    graph().write(CYPHER["clear"], workspace_id=cast.acme.workspace.id, limit=10_000)


@pytest.mark.parametrize("seed", range(FEW))
def test_everything_agrees_in_the_end(cast: Cast, seed: int) -> None:
    agree(live(cast.acme, seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(FEW, LIVES))
def test_everything_agrees_in_the_end_of_many_lives(cast: Cast, seed: int) -> None:
    agree(live(cast.acme, seed))


@pytest.mark.alone
@pytest.mark.slow
def test_everything_agrees_after_the_graph_server_was_really_killed(cast: Cast, settings: Any) -> None:
    life = Life(cast.acme, random.Random(LIVES))
    for _ in range(2):
        for _ in range(OPERATIONS // 4):
            life.act()
        life.find_graph()
        life.relay()
        with without("graph", settings):
            for _ in range(OPERATIONS // 4):
                life.act()
    agree(life)
