"""Any order of verbs leads where the lifecycle says: a small model beside the product, and the graph beside both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.stores.graph import graph
from ontology.graph.services.graph_doctor import graph_drift
from ontology.graph.services.projection import CYPHER, project_pending
from tests.cast import Answer, RestClient

VERBS = ("promote", "demote", "pin", "unpin", "suppress", "unsuppress", "forget", "force", "restore")


@dataclass(frozen=True)
class Life:
    """Where a memory stands, as a person would tell it."""

    kind: str = "memory"
    pinned: bool = False
    suppressed: bool = False
    is_deleted: bool = False

    def after(self, verb: str) -> Life | int:
        """The next state, or the status of the refusal."""
        if self.is_deleted and verb not in {"forget", "force", "restore"}:
            return 404
        if verb == "forget" and self.pinned and not self.is_deleted:
            return 409
        changes: dict[str, dict[str, str | bool]] = {
            "promote": {"kind": "fact"},
            "demote": {"kind": "memory"},
            "pin": {"pinned": True},
            "unpin": {"pinned": False},
            "suppress": {"suppressed": True},
            "unsuppress": {"suppressed": False},
            "forget": {"is_deleted": True},
            "force": {"is_deleted": True},
            "restore": {"is_deleted": False},
        }
        return replace(self, **changes[verb])  # type: ignore[arg-type]  # each value belongs to its field


@settings(max_examples=12)
@given(verbs=st.lists(st.sampled_from(VERBS), min_size=5, max_size=15))
def test_every_order_of_verbs_leads_where_the_lifecycle_says(acme: RestClient, verbs: list[str]) -> None:
    memory_id = str(acme.remembered("Tea is ordered on Mondays.", source="user")["id"])
    life, steps = Life(), 1

    for verb in verbs:
        answer = _take(acme, memory_id, verb)
        after = life.after(verb)
        if isinstance(after, int):
            assert answer.status_code == after
            continue
        steps += after != life
        life = after
        memory = answer.json()
        assert Life(*(memory[name] for name in ("kind", "pinned", "suppressed", "is_deleted"))) == life

    assert len(acme.get(f"memories/{memory_id}/history").json()["results"]) == steps
    found = acme.post("memories/search", {"query": "tea", "mode": "keyword"}).json()["results"]
    assert [hit["memory"]["id"] for hit in found] == [memory_id] * (not (life.suppressed or life.is_deleted))
    _take(acme, memory_id, "force")  # the next example remembers the same text


@pytest.mark.usefixtures("_clean_graph")
def test_the_graph_follows_every_life(acme: RestClient) -> None:
    for number, verb in enumerate(VERBS):
        memory_id = str(acme.remembered(f"Tea {number}.")["id"])
        for step in (verb, *VERBS[number:]):
            _take(acme, memory_id, step)

    project_pending(workspace_id=acme.workspace_id, graph=graph())

    drift = graph_drift(workspace_id=acme.workspace_id, graph=graph())
    assert (drift.is_none, drift.compared) == (True, len(VERBS))


def _take(client: RestClient, memory_id: str, verb: str) -> Answer:
    if verb in {"forget", "force"}:
        return client.delete(f"memories/{memory_id}", {"force": verb == "force"})
    return client.post(f"memories/{memory_id}/{verb}")


@pytest.fixture
def _clean_graph(acme: RestClient) -> Iterator[None]:
    yield
    graph().write(CYPHER["clear"], workspace_id=acme.workspace_id, limit=10_000)
