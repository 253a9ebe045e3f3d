"""Two workspaces with the same ids, as a copy on the same server has them: each has twins of its own in the graph."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest

from core.stores.graph import graph
from ontology.graph.services.graph_doctor import graph_drift, repair_drift
from ontology.graph.services.projection import CYPHER, project_pending, rebuild_graph
from ontology.graph.services.telemetry_projection import clear_telemetry, take_over_changes
from ontology.models import Node
from telemetry.actions.outcomes import Outcome
from telemetry.metrics.services.measurement import back_fill
from telemetry.metrics.services.metrics import workspace_metrics
from telemetry.patterns.services.evaluation import evaluate_workspace
from tests.cast import Cast, Household, RestClient
from tests.ontology.conftest import Ontology
from tests.ontology.test_telemetry_twins import twins
from tests.telemetry.acting import NOON, action, record_by_two, with_memory_on
from tests.transfer.moving import exported, sent
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("_clean_graph")


@pytest.fixture
def copied(cast: Cast, ontology: Ontology, umbrella: RestClient) -> Iterator[list[str]]:
    """Three nodes in a row in both workspaces, under the same ids, and what agents did to the first."""
    household = with_memory_on(cast.acme)
    ids = [ontology.node(name) for name in ("Ada", "Grace", "Edsger")]
    for source, target in pairwise(ids):
        ontology.edge(source, target)
    failed = [
        action(0, Outcome.FAILURE, session=f"s-{n}", error_code="timeout", node_ids=[UUID(ids[0])]) for n in range(6)
    ]
    record_by_two(household, *failed)
    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=1))
    back_fill(caller=household.caller, metric=workspace_metrics(household.caller)[0], now=NOON)
    assert sent(umbrella, exported(ontology.rest)).status_code == 201
    for one in (cast.acme, cast.umbrella):
        _project(one)
    yield ids
    for one in (cast.acme, cast.umbrella):
        clear_telemetry(workspace_id=one.workspace.id, graph=graph())


def _project(household: Household) -> None:
    take_over_changes(workspace_id=household.workspace.id)
    project_pending(workspace_id=household.workspace.id, graph=graph())


def _next_to(client: RestClient, node_id: str) -> Any:
    answer = client.get(f"ontology/nodes/{node_id}/neighbours", depth="2").json()
    return answer["method"], {one["node"]["name"] for one in answer["results"]}


def _is_in_step(household: Household) -> bool:
    return graph_drift(workspace_id=household.workspace.id, graph=graph()).is_none


def test_each_workspace_has_its_own_twins(cast: Cast, copied: list[str]) -> None:
    assert _is_in_step(cast.acme)
    assert _is_in_step(cast.umbrella)
    acme, umbrella = twins(cast.acme), twins(cast.umbrella)
    assert all(acme.values()), acme
    assert acme == umbrella


def test_each_workspace_goes_along_its_own_edges(
    acme: RestClient, umbrella: RestClient, cast: Cast, copied: list[str]
) -> None:
    ada, _, edsger = copied
    assert [_next_to(each, ada) for each in (acme, umbrella)] == [("graph", {"Grace", "Edsger"})] * 2

    fourth = Ontology(umbrella).node("Barbara")
    Ontology(umbrella).edge(edsger, fourth)
    Ontology(umbrella).edge(ada, fourth)
    _project(cast.umbrella)

    assert _next_to(acme, ada) == ("graph", {"Grace", "Edsger"})
    assert _next_to(umbrella, ada) == ("graph", {"Grace", "Edsger", "Barbara"})
    assert acme.post("ontology/path", {"from": ada, "to": edsger}).json()["path"]["length"] == 2
    assert [len(each.get(f"ontology/nodes/{ada}/actions").json()["results"]) for each in (acme, umbrella)] == [8, 8]


def test_what_one_workspace_deletes_the_other_keeps(
    acme: RestClient, umbrella: RestClient, cast: Cast, copied: list[str]
) -> None:
    ada, grace, _ = copied

    assert umbrella.delete(f"ontology/nodes/{grace}").status_code in {200, 204}
    _project(cast.umbrella)

    assert _next_to(umbrella, ada) == ("graph", set())
    assert _next_to(acme, ada) == ("graph", {"Grace", "Edsger"})
    assert (_is_in_step(cast.acme), _is_in_step(cast.umbrella)) == (True, True)


def test_clearing_repairing_and_rebuilding_stay_inside_one_workspace(cast: Cast, copied: list[str]) -> None:
    before = twins(cast.acme)
    workspace_id = cast.umbrella.workspace.id

    graph().write(CYPHER["remove_nodes"], workspace_id=workspace_id, rows=[{"id": identity} for identity in copied])
    clear_telemetry(workspace_id=workspace_id, graph=graph())
    assert (_is_in_step(cast.acme), _is_in_step(cast.umbrella)) == (True, False)

    repair_drift(workspace_id=workspace_id, drift=graph_drift(workspace_id=workspace_id, graph=graph()), graph=graph())
    _project(cast.umbrella)
    assert _is_in_step(cast.umbrella)

    rebuild_graph(workspace_id=workspace_id, graph=graph())
    assert _is_in_step(cast.acme)
    _project(cast.umbrella)
    assert (twins(cast.acme), twins(cast.umbrella), _is_in_step(cast.umbrella)) == (before, before, True)


def test_a_version_of_one_workspace_holds_none_of_the_other_up(cast: Cast, copied: list[str]) -> None:
    """A twin refuses versions that are not newer than its own."""
    with workspace_scope(cast.acme.caller):
        Node.objects.of(cast.acme.caller).filter(id=copied[0]).update(version=9, importance_score=0.9)
    rebuild_graph(workspace_id=cast.acme.workspace.id, graph=graph())
    _project(cast.acme)
    with workspace_scope(cast.umbrella.caller):
        Node.objects.of(cast.umbrella.caller).filter(id=copied[0]).update(version=2, importance_score=0.2)
    rebuild_graph(workspace_id=cast.umbrella.workspace.id, graph=graph())
    _project(cast.umbrella)

    assert (_is_in_step(cast.acme), _is_in_step(cast.umbrella)) == (True, True)
