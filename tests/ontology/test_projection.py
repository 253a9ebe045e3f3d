"""The outbox and the graph, against a real Bolt server: in step after every change, and again after every trouble."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command

from core.clock import utc_now
from core.stores.graph import (
    BoltGraph,
    GraphStatement,
    GraphUnavailableError,
    UnscopedStatementError,
    graph,
    statements,
)
from memory.memories.services.memory_writer import NewMemory, remember
from ontology.graph import tasks as graph_tasks
from ontology.graph.services.graph_doctor import Drift, graph_drift, repair_drift
from ontology.graph.services.projection import CYPHER, PROJECTION_LEASE, project_pending, rebuild_graph, waiting_entries
from ontology.graph.tasks import project_all
from ontology.models import GraphOutbox
from tests.cast import Cast, RestClient
from tests.together import together
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

TWINS = GraphStatement("twins", "MATCH (n:OntologyNode {workspace_id: $workspace_id}) RETURN properties(n) AS twin")


@pytest.fixture(autouse=True)
def _clean_graph(cast: Cast) -> Iterator[None]:
    yield
    for household in (cast.acme, cast.umbrella):
        graph().write(CYPHER["clear"], workspace_id=household.workspace.id, limit=10_000)


def project(client: RestClient) -> int:
    return project_pending(workspace_id=client.workspace_id, graph=graph())


def drift(client: RestClient) -> Drift:
    return graph_drift(workspace_id=client.workspace_id, graph=graph())


def twins(client: RestClient) -> dict[str, dict[str, Any]]:
    rows = graph().read(TWINS, workspace_id=client.workspace_id)
    return {row["twin"]["id"]: row["twin"] for row in rows}


def test_a_memorys_life_is_projected_step_by_step(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea is ordered on Mondays.", importance=0.8)["id"]
    assert drift(acme).missing == (UUID(memory_id),)

    project(acme)
    twin = {"id": memory_id, "workspace_id": str(acme.workspace_id), "type": "memory", "importance": 0.8, "version": 1}
    assert twins(acme) == {memory_id: twin}, "A twin holds structure only, never text."

    acme.post(f"memories/{memory_id}/promote")
    assert drift(acme).outdated == (UUID(memory_id),)
    project(acme)
    assert twins(acme)[memory_id]["type"] == "fact"

    acme.delete(f"memories/{memory_id}")
    assert drift(acme).superfluous == (UUID(memory_id),)
    project(acme)
    assert twins(acme) == {}

    acme.post(f"memories/{memory_id}/restore")
    project(acme)
    assert twins(acme)[memory_id]["version"] == 4
    assert (drift(acme).is_none, drift(acme).compared, waiting_entries(workspace_id=acme.workspace_id)) == (True, 1, 0)


def test_projecting_again_is_harmless(cast: Cast) -> None:
    acme = cast.acme.rest()
    memory_id = acme.remembered("Tea.")["id"]
    project(acme)
    before = twins(acme)

    _queue_again(cast, memory_id)

    assert project(acme) == 3
    assert (twins(acme), project(acme)) == (before, 0)


def test_a_late_projection_never_overwrites_a_newer_one(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]
    acme.post(f"memories/{memory_id}/promote")
    project(acme)

    for version in (1, 2):
        late = {"id": memory_id, "type": "memory", "version": version, "importance": 0.0}
        graph().write(CYPHER["put_nodes"], workspace_id=acme.workspace_id, rows=[late])

    assert (twins(acme)[memory_id]["type"], drift(acme).is_none) == ("fact", True)


def test_twins_of_another_workspace_are_out_of_reach(acme: RestClient, umbrella: RestClient) -> None:
    mine, theirs = acme.remembered("Tea.")["id"], umbrella.remembered("Tea.")["id"]
    project(acme)
    project(umbrella)

    graph().write(CYPHER["remove_nodes"], workspace_id=acme.workspace_id, rows=[{"id": theirs}])
    graph().write(CYPHER["clear"], workspace_id=acme.workspace_id, limit=10)

    assert (list(twins(acme)), list(twins(umbrella))) == ([], [theirs])
    assert drift(acme).missing == (UUID(mine),)


def test_the_doctor_repairs_what_is_missing_superfluous_or_wrong(cast: Cast) -> None:
    acme = cast.acme.rest()
    lost, wrong = acme.remembered("Tea.")["id"], acme.remembered("Coffee.")["id"]
    project(acme)
    stray = str(uuid4())
    graph().write(CYPHER["remove_nodes"], workspace_id=acme.workspace_id, rows=[{"id": lost}])
    newer = [{"id": identity, "type": "rumour", "version": 99, "importance": 0.0} for identity in (wrong, stray)]
    graph().write(CYPHER["put_nodes"], workspace_id=acme.workspace_id, rows=newer)

    found = drift(acme)
    assert found == Drift((UUID(lost),), (UUID(stray),), (UUID(wrong),), compared=2)

    assert repair_drift(workspace_id=acme.workspace_id, drift=found, graph=graph()) == 3
    project(acme)
    assert (drift(acme).is_none, set(twins(acme))) == (True, {lost, wrong})


def test_the_graph_can_be_dropped_and_rebuilt(acme: RestClient) -> None:
    kept = {acme.remembered(f"Tea {number}.")["id"] for number in range(3)}
    acme.delete(f"memories/{acme.remembered('Gone.')['id']}")
    project(acme)

    assert rebuild_graph(workspace_id=acme.workspace_id, graph=graph()) == 3
    assert twins(acme) == {}

    project(acme)
    assert (set(twins(acme)), drift(acme).is_none) == (kept, True)


def test_the_commands_tell_repair_and_rebuild(acme: RestClient) -> None:
    acme.remembered("Tea.")
    with pytest.raises(CommandError, match="differs"):
        run("graph_doctor")

    assert "1 missing" in run("graph_doctor", repair=True)
    assert "No difference in 2 workspaces, 1 nodes, 0 edges." in run("graph_doctor")
    assert "1 nodes and edges queued" in run("rebuild_graph", workspace=acme.workspace_id)
    assert "No difference in 1 workspaces" in run("graph_doctor", workspace=acme.workspace_id)


def run(command: str, **options: Any) -> str:
    told = StringIO()
    call_command(command, stdout=told, **options)
    return told.getvalue()


@pytest.mark.parametrize(("left", "applied"), [(timedelta(seconds=20), 0), (timedelta(seconds=-1), 1)])
def test_one_relay_at_a_time_and_a_dead_one_is_replaced(cast: Cast, left: timedelta, applied: int) -> None:
    acme = cast.acme.rest()
    acme.remembered("Tea.")
    with workspace_scope(cast.acme.caller):
        Lease.objects.create(
            workspace_id=acme.workspace_id, name=PROJECTION_LEASE, holder=uuid4(), until=utc_now() + left
        )

    assert project(acme) == applied
    assert waiting_entries(workspace_id=acme.workspace_id) == 1 - applied


class Stumbling(BoltGraph):
    """The real graph, whose connection breaks after a write got through."""

    def __init__(self, real: BoltGraph) -> None:
        self._real = real

    def write(self, statement: GraphStatement, *, workspace_id: UUID, **parameters: Any) -> list[dict[str, Any]]:
        self._real.write(statement, workspace_id=workspace_id, **parameters)
        raise GraphUnavailableError


def test_what_may_not_have_arrived_is_sent_again(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]

    with pytest.raises(GraphUnavailableError):
        project_pending(workspace_id=acme.workspace_id, graph=Stumbling(graph()))
    assert waiting_entries(workspace_id=acme.workspace_id) == 1

    assert (project(acme), list(twins(acme)), drift(acme).is_none) == (1, [memory_id], True)


def test_the_schedule_finds_what_a_lost_nudge_left(acme: RestClient, umbrella: RestClient) -> None:
    for client in (acme, umbrella):
        client.remembered("Tea.")

    assert (project_all(), project_all()) == (2, 0)
    assert (drift(acme).is_none, drift(umbrella).is_none) == (True, True)


@pytest.mark.django_db(transaction=True)
def test_relays_at_once_apply_every_entry_once_and_in_order(cast: Cast) -> None:
    household = cast.acme
    for number in range(30):
        remember(caller=household.caller, new=NewMemory(f"Tea {number}."))
    relay = partial(project_pending, workspace_id=household.workspace.id, graph=graph())

    applied = together([relay] * 4)
    last = relay()

    assert sum(applied) + last == 30
    assert graph_drift(workspace_id=household.workspace.id, graph=graph()).is_none


def test_a_statement_without_a_workspace_is_refused() -> None:
    with pytest.raises(UnscopedStatementError):
        GraphStatement("everything", "MATCH (n) RETURN n")
    for nothing in (None, "", "01a2009e-0000-7000-8000-000000000000"):
        for run in (graph().read, graph().write, graph().glance):
            with pytest.raises(UnscopedStatementError):
                run(TWINS, workspace_id=nothing)  # type: ignore[arg-type]  # what a careless caller might pass
    for path in Path(__file__).parents[2].rglob("*.cypher"):
        assert statements(path)


def _queue_again(cast: Cast, memory_id: str) -> None:
    with workspace_scope(cast.acme.caller):
        for _ in range(3):
            GraphOutbox.objects.create(workspace_id=cast.acme.workspace.id, entity="node", entity_id=memory_id)


def test_on_the_schedule_a_dead_graph_is_asked_once_for_all_workspaces(
    acme: RestClient, umbrella: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Dead:
        def ping(self) -> None:
            asked.append("ping")
            raise GraphUnavailableError()

    for client in (acme, umbrella):
        client.post("ontology/nodes", {"type": "person", "name": "Ada"})
    monkeypatch.setattr(graph_tasks, "graph", Dead)

    assert project_all() == 0

    assert asked == ["ping"]
    assert all(waiting_entries(workspace_id=client.workspace_id) for client in (acme, umbrella))
