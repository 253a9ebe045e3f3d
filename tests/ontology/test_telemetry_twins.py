"""Telemetry has twins in the graph, kept by the same outbox, and a node's agent history is one edge away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import NoReturn
from uuid import UUID, uuid4

import pytest
from django.db import OperationalError

from core.stores.graph import GraphStatement, GraphUnavailableError, graph
from ontology.graph.services import node_actions as services_agent_history
from ontology.graph.services import telemetry_projection
from ontology.graph.services.graph_doctor import Drift, graph_drift, repair_drift
from ontology.graph.services.projection import CYPHER, project_pending, rebuild_graph, waiting_entries
from ontology.graph.services.telemetry_projection import clear_telemetry, take_over_changes
from ontology.graph.tasks import project_all
from ontology.models import Node
from ontology.nodes_and_edges import pages as nodes_and_edges_pages
from telemetry.actions.outcomes import Outcome
from telemetry.metrics.services.measurement import back_fill
from telemetry.metrics.services.metrics import workspace_metrics
from telemetry.models import Pattern
from telemetry.patterns.services.evaluation import evaluate_workspace
from telemetry.patterns.services.pattern_admin import annotate_pattern
from tests.cast import Cast, Household, RestClient
from tests.ontology.conftest import Ontology
from tests.pages import Visitor, text_of
from tests.telemetry.acting import NOON, action, record, record_by_two, sequenced, with_memory_on
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("_clean_graph")

KINDS = ("action", "sequence", "pattern", "benchmark")


@pytest.fixture
def household(cast: Cast) -> Iterator[Household]:
    yield with_memory_on(cast.acme)
    for one in (cast.acme, cast.umbrella):
        clear_telemetry(workspace_id=one.workspace.id, graph=graph())


def _raise(error: Exception) -> NoReturn:
    raise error


def project(household: Household) -> None:
    take_over_changes(workspace_id=household.workspace.id)
    project_pending(workspace_id=household.workspace.id, graph=graph())


def twins(household: Household) -> dict[str, list[str]]:
    """Ids of twins by kind."""
    found = {}
    for kind in KINDS:
        statement = GraphStatement(kind, f"MATCH (n:`_mem:{kind}` {{workspace_id: $workspace_id}}) RETURN n.id AS id")
        found[kind] = sorted(row["id"] for row in graph().read(statement, workspace_id=household.workspace.id))
    return found


def members(household: Household) -> dict[str, int]:
    """How many actions hang on each sequence."""
    statement = GraphStatement(
        "members",
        "MATCH (a:`_mem:action` {workspace_id: $workspace_id})-[:IN_SEQUENCE]->(s:`_mem:sequence`) "
        "RETURN s.id AS id, count(a) AS actions",
    )
    return {row["id"]: row["actions"] for row in graph().read(statement, workspace_id=household.workspace.id)}


def test_what_agents_did_hangs_on_the_node_that_they_touched(household: Household, ontology: Ontology) -> None:
    node, other = ontology.node(), ontology.node("Grace")
    record(household, action(0, node_ids=[UUID(node)]), action(1, Outcome.FAILURE, node_ids=[UUID(node), UUID(other)]))
    record(household, action(2, node_ids=[uuid4()]))
    sequenced(household)
    project(household)

    history = ontology.rest.get(f"ontology/nodes/{node}/actions").json()["results"]

    assert [one["tool"] or one["outcome"] for one in history] == ["POST ontology/nodes", "failure", "success"]
    assert len(ontology.rest.get(f"ontology/nodes/{other}/actions").json()["results"]) == 2
    assert len(ontology.rest.get(f"ontology/nodes/{node}/actions", limit="1").json()["results"]) == 1


def test_a_page_asks_the_graph_for_what_was_done_long_ago(
    household: Household, ontology: Ontology, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = ontology.node()
    record(household, action(0, Outcome.FAILURE, node_ids=[UUID(node)], error_code="timeout"), action(1), action(2))
    sequenced(household)
    project(household)
    alice = Visitor.of(household.owner, household.workspace)
    monkeypatch.setattr(services_agent_history, "ACTIONS_LOOKED_AT", 2)
    monkeypatch.setattr(nodes_and_edges_pages, "ACTIONS_LOOKED_AT", 2)

    assert ": timeout" in text_of(alice.get(f"ontology/nodes/{node}"))
    monkeypatch.setattr(services_agent_history, "graph", partial(_raise, GraphUnavailableError()))
    assert ": timeout" in text_of(alice.get(f"ontology/nodes/{node}"))
    monkeypatch.setattr(services_agent_history, "_history_in_rows", lambda *_: _raise(OperationalError()))
    shown = text_of(alice.get(f"ontology/nodes/{node}"))
    assert ": timeout" not in shown
    assert "Only the newest 2 actions of the workspace were looked through" in shown


def touches(household: Household, node: str) -> int:
    """How many actions hang on a node in the graph."""
    statement = GraphStatement(
        "touches",
        "MATCH (n:OntologyNode {workspace_id: $workspace_id, id: $id})<-[:TOUCHED]-(a:`_mem:action`) "
        "RETURN count(a) AS actions",
    )
    return int(graph().read(statement, workspace_id=household.workspace.id, id=node)[0]["actions"])


def history(ontology: Ontology, node: str) -> list[str]:
    """The error codes of a node's history, sorted; calls of our own doors have none."""
    answer = ontology.rest.get(f"ontology/nodes/{node}/actions", limit="200")
    assert answer.status_code == 200, answer.content
    return sorted(one["error_code"] for one in answer.json()["results"] if one["error_code"])


def fail_on(household: Household, *touched: tuple[str, str]) -> None:
    """Let an action fail on each node, with the given error."""
    failures = [
        action(number, Outcome.FAILURE, node_ids=[UUID(node)], error_code=code)
        for number, (node, code) in enumerate(touched)
    ]
    record(household, *failures)


def settle(household: Household) -> None:
    sequenced(household)
    project(household)


def drift(household: Household) -> Drift:
    return graph_drift(workspace_id=household.workspace.id, graph=graph())


def test_deleting_and_restoring_a_node_keeps_its_history(household: Household, ontology: Ontology) -> None:
    node = ontology.node()
    fail_on(household, *[(node, f"error_{number}") for number in range(8)])
    settle(household)
    before = touches(household, node)

    ontology.rest.delete(f"ontology/nodes/{node}")
    settle(household)
    assert touches(household, node) == 0
    ontology.rest.post(f"ontology/nodes/{node}/restore")
    settle(household)

    assert touches(household, node) == before + 2  # with its end and its return
    assert history(ontology, node) == [f"error_{number}" for number in range(8)]
    assert drift(household).is_none


def test_a_merge_carries_the_history_over_and_its_undoing_gives_it_back(
    household: Household, ontology: Ontology
) -> None:
    ada, bea, cid = ontology.node("Ada"), ontology.node("Bea"), ontology.node("Cid")
    fail_on(household, (ada, "of_ada"), (bea, "of_bea"), (cid, "of_cid"))
    settle(household)

    def merge(keep: str, absorb: str) -> str:
        return str(ontology.rest.post("ontology/merge", {"keep": keep, "absorb": absorb}).json()["id"])

    merges = [merge(bea, cid), merge(ada, bea)]
    record(household, action(9, Outcome.FAILURE, node_ids=[UUID(cid)], error_code="by_its_old_name"))
    settle(household)
    assert history(ontology, ada) == ["by_its_old_name", "of_ada", "of_bea", "of_cid"]
    assert drift(household).is_none

    for made in reversed(merges):
        assert ontology.rest.post(f"ontology/merges/{made}/undo").status_code == 200
    settle(household)
    assert [history(ontology, node) for node in (ada, bea, cid)] == [
        ["of_ada"],
        ["of_bea"],
        ["by_its_old_name", "of_cid"],
    ]
    assert drift(household).is_none


def test_the_doctor_notices_and_mends_a_history_that_was_lost(household: Household, ontology: Ontology) -> None:
    ada, bea = ontology.node("Ada"), ontology.node("Bea")
    fail_on(household, (ada, "of_ada"), (bea, "of_bea"))
    settle(household)
    lost = [{"id": ada}]
    graph().write(CYPHER["remove_nodes"], workspace_id=household.workspace.id, rows=lost)
    with workspace_scope(household.caller):
        Node.objects.filter(id=ada).update(version=7)
    graph().write(
        CYPHER["put_nodes"],
        workspace_id=household.workspace.id,
        rows=[{"id": ada, "type": "person", "version": 7, "importance": 0.5}],
    )

    found = drift(household)
    assert (found.is_none, found.missing, found.histories) == (False, (), (UUID(ada),))

    repair_drift(workspace_id=household.workspace.id, drift=found, graph=graph())
    project(household)
    assert drift(household).is_none
    assert history(ontology, ada) == ["of_ada"]


def test_without_the_graph_a_history_comes_from_the_rows(
    household: Household, ontology: Ontology, umbrella: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bea = ontology.node("Ada"), ontology.node("Bea")
    fail_on(household, (ada, "first"), (ada, "second"), (bea, "of_bea"))
    ontology.rest.post("ontology/merge", {"keep": ada, "absorb": bea})
    monkeypatch.setattr(services_agent_history, "graph", partial(_raise, GraphUnavailableError()))

    assert history(ontology, ada) == ["first", "of_bea", "second"]
    assert len(ontology.rest.get(f"ontology/nodes/{ada}/actions", limit="1").json()["results"]) == 1
    assert umbrella.get(f"ontology/nodes/{ada}/actions").status_code == 404


def test_every_kind_has_twins_and_running_again_changes_nothing(household: Household) -> None:
    record_by_two(household, *[action(0, Outcome.FAILURE, session=f"s-{n}", error_code="timeout") for n in range(6)])
    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=1))
    metric = workspace_metrics(household.caller)[0]
    back_fill(caller=household.caller, metric=metric, now=NOON)
    project(household)
    before = twins(household)

    assert {kind: len(ids) for kind, ids in before.items()} == {
        "action": 6,
        "sequence": 6,
        "pattern": 1,
        "benchmark": 1,
    }
    project(household)
    rebuild_graph(workspace_id=household.workspace.id, graph=graph())
    project(household)
    assert twins(household) == before
    assert set(members(household).values()) == {1}


def pattern_nodes(household: Household) -> list[str]:
    """The nodes that patterns hang on."""
    statement = GraphStatement(
        "pattern_nodes",
        "MATCH (p:`_mem:pattern` {workspace_id: $workspace_id})-[:ABOUT]->(n:OntologyNode) RETURN n.id AS id",
    )
    return sorted(row["id"] for row in graph().read(statement, workspace_id=household.workspace.id))


def fail_and_evaluate(household: Household, *nodes: str, minute: int = 0) -> None:
    """Let six sequences meet an error with nodes of one type, and make a pattern of it."""
    ids = [UUID(node) for node in nodes]
    failures = [
        action(minute, Outcome.FAILURE, session=f"{minute}-{n}", node_type="person", node_ids=ids, error_code="timeout")
        for n in range(6)
    ]
    record_by_two(household, *failures)
    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=1))


def test_a_pattern_hangs_on_the_nodes_that_its_actions_touched(household: Household, ontology: Ontology) -> None:
    ada, bea, _ = ontology.node("Ada"), ontology.node("Bea"), ontology.node("Cid")
    fail_and_evaluate(household, ada)
    project(household)
    assert pattern_nodes(household) == [ada]

    fail_and_evaluate(household, bea, minute=9)
    project(household)
    project(household)
    assert pattern_nodes(household) == sorted([ada, bea])


def test_a_pattern_whose_actions_name_no_node_hangs_on_the_newest_of_its_type(
    household: Household, ontology: Ontology, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telemetry_projection, "MAX_PATTERN_NODES", 2)
    _, bea, cid = ontology.node("Ada"), ontology.node("Bea"), ontology.node("Cid")
    ontology.node("Acme", type="company")

    fail_and_evaluate(household)
    project(household)

    assert pattern_nodes(household) == sorted([bea, cid])


def test_a_sequence_that_grows_and_joins_keeps_its_twin_in_step(household: Household) -> None:
    record(household, action(0), action(8))
    first, second = sequenced(household)
    project(household)
    assert members(household) == {str(first.id): 1, str(second.id): 1}

    record(household, action(4), action(9))
    (joined,) = sequenced(household)
    project(household)

    assert twins(household)["sequence"] == [str(joined.id)]
    assert members(household) == {str(joined.id): 4}


def test_a_decision_of_a_person_reaches_the_twin(household: Household) -> None:
    record_by_two(household, *[action(0, Outcome.FAILURE, session=f"s-{n}") for n in range(6)])
    evaluate_workspace(workspace_id=household.workspace.id, now=NOON + timedelta(hours=1))
    with workspace_scope(household.caller):
        pattern = Pattern.objects.get()
    annotate_pattern(caller=household.caller, pattern_id=pattern.id, suppressed=True)
    project(household)

    statement = GraphStatement(
        "pattern",
        "MATCH (p:`_mem:pattern` {workspace_id: $workspace_id}) RETURN p.suppressed AS suppressed, p.key AS key",
    )
    assert graph().read(statement, workspace_id=household.workspace.id) == [{"suppressed": True, "key": pattern.key}]


def test_the_schedule_takes_changes_over(household: Household) -> None:
    record(household, action(0))
    sequenced(household)

    project_all()

    assert waiting_entries(workspace_id=household.workspace.id) == 0
    assert len(twins(household)["action"]) == 1


def test_the_outsider_sees_nothing(cast: Cast, household: Household, ontology: Ontology, umbrella: RestClient) -> None:
    node = ontology.node()
    record(household, action(0, node_ids=[UUID(node)]))
    record(with_memory_on(cast.umbrella), action(0, node_ids=[UUID(node)]))
    sequenced(household)
    sequenced(cast.umbrella)
    project(household)
    project(cast.umbrella)

    assert umbrella.get(f"ontology/nodes/{node}/actions").status_code == 404
    assert len(ontology.rest.get(f"ontology/nodes/{node}/actions").json()["results"]) == 2  # with its creation
