"""What tests of the ontology stand on: nodes and edges over REST, and a graph that is emptied afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from core.stores.graph import graph
from ontology.graph.services.projection import CYPHER, project_pending
from tests.cast import Cast, RestClient


@dataclass(frozen=True)
class Ontology:
    """An agent that keeps nodes and edges."""

    rest: RestClient

    def node(self, name: str = "Ada", **fields: Any) -> str:
        """Create a node; answer its id."""
        answer = self.rest.post("ontology/nodes", {"type": "person", "name": name, **fields})
        assert answer.status_code == 201, answer.content
        return str(answer.json()["id"])

    def edge(self, source: str, target: str, **fields: Any) -> str:
        """Connect two nodes; answer the edge's id."""
        answer = self.rest.post("ontology/edges", {"type": "knows", "source": source, "target": target, **fields})
        assert answer.status_code in {200, 201}, answer.content
        return str(answer.json()["id"])

    def connection(self, name: str = "crm") -> str:
        return str(self.rest.post("ontology/connections", {"name": name}).json()["id"])

    def listed(self, what: str, **query: Any) -> list[str]:
        """The ids of a list, newest first."""
        answer = self.rest.get(f"ontology/{what}", **query)
        assert answer.status_code == 200, answer.content
        return [one["id"] for one in answer.json()["results"]]

    def beside(self, node_id: str, **query: Any) -> list[str]:
        """The names of a node's neighbours, in the order of the answer."""
        answer = self.rest.get(f"ontology/nodes/{node_id}/neighbours", **query)
        assert answer.status_code == 200, answer.content
        return [one["node"]["name"] for one in answer.json()["results"]]

    def project(self) -> int:
        return project_pending(workspace_id=self.rest.workspace_id, graph=graph())


@pytest.fixture
def ontology(acme: RestClient) -> Ontology:
    """Acme's agent."""
    return Ontology(acme)


@pytest.fixture
def _clean_graph(cast: Cast) -> Iterator[None]:
    yield
    for household in (cast.acme, cast.umbrella):
        graph().write(CYPHER["clear"], workspace_id=household.workspace.id, limit=10_000)
