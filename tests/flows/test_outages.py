"""The graph and Valkey may die: what people and agents do goes on, and everything catches up afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django_q.models import OrmQ

from core.stores.graph import graph
from core.stores.queue import queued_paths
from llm.embedding.services.backlog import EMBED_TASK
from llm.embedding.tasks import embed_workspace
from ontology.graph.services.graph_doctor import graph_drift
from ontology.graph.services.projection import CYPHER, waiting_entries
from ontology.graph.tasks import project_all, project_workspace
from ontology.nodes_and_edges.services.outbox import PROJECT_TASK
from tests.cast import Cast, RestClient
from tests.flows.outages import without
from tests.memory.citing import cite

pytestmark = [pytest.mark.alone, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _clean_graph(cast: Cast) -> Iterator[None]:
    yield
    graph().write(CYPHER["clear"], workspace_id=cast.acme.workspace.id, limit=10_000)


def test_without_the_graph_everything_goes_on_and_afterwards_nothing_is_missing(cast: Cast, settings: Any) -> None:
    acme, workspace_id = cast.acme.rest(), cast.acme.workspace.id
    before = acme.remembered("Tea is ordered on Mondays.")["id"]
    project_workspace(str(workspace_id))

    with without("graph", settings):
        goes_on(acme)
        acme.delete(f"memories/{before}")
        waited = waiting_entries(workspace_id=workspace_id)
        assert waited >= 3
        assert (project_workspace(str(workspace_id)), project_all()) == (0, 0)
        assert waiting_entries(workspace_id=workspace_id) == waited
        assert ready(Client())["graph"]["state"] == "failing"

    assert project_all() == waited
    assert waiting_entries(workspace_id=workspace_id) == 0
    assert graph_drift(workspace_id=workspace_id, graph=graph()).is_none
    assert ready(Client())["graph"]["state"] == "ok"


def test_without_valkey_everything_goes_on_and_tasks_are_still_queued(cast: Cast, settings: Any) -> None:
    acme = cast.acme.rest()

    with without("valkey", settings):
        goes_on(acme)
        assert {PROJECT_TASK, EMBED_TASK} <= set(queued())
        assert project_workspace(str(cast.acme.workspace.id)) > 0
        assert ready(Client())["redis"]["state"] == "failing"
        pages_answer(cast)

    assert ready(Client())["redis"]["state"] == "ok"


def test_many_changes_wake_each_task_once_until_it_runs(cast: Cast) -> None:
    acme = cast.acme.rest()
    project_workspace(str(acme.workspace_id))
    embed_workspace(str(acme.workspace_id))
    OrmQ.objects.all().delete()

    for number in range(5):
        acme.remembered(f"Tea {number}.")
    assert Counter(queued()) == {EMBED_TASK: 1, PROJECT_TASK: 1}

    OrmQ.objects.all().delete()  # as a worker does with what it has begun; the other was lost
    project_workspace(str(acme.workspace_id))
    acme.remembered("Coffee.")
    assert queued() == [PROJECT_TASK]


def test_a_refused_write_wakes_nobody(cast: Cast) -> None:
    acme = cast.acme.rest()
    twins = [acme.remembered(text)["id"] for text in ("Tea.", "Coffee.")]
    project_workspace(str(acme.workspace_id))
    OrmQ.objects.all().delete()

    assert acme.patch(f"memories/{twins[0]}", {"content": "Coffee."}).status_code == 409

    assert queued() == []


def goes_on(acme: RestClient) -> None:
    """What an agent and a person do with a memory, all of it."""
    memory_id = acme.remembered("Coffee is ordered on Fridays.")["id"]
    found = acme.post("memories/search", {"query": "coffee", "mode": "keyword"}).json()["results"]
    assert [hit["memory"]["id"] for hit in found] == [memory_id]
    for verb in ("pin", "promote", "suppress", "unsuppress"):
        assert acme.post(f"memories/{memory_id}/{verb}").status_code == 200
    assert acme.patch(f"memories/{memory_id}", {"content": "Coffee is ordered daily."}).status_code == 200
    cite(acme, memory_id)
    assert acme.get(f"memories/{memory_id}").json()["times_referenced"] == 1


def pages_answer(cast: Cast) -> None:
    person = Client()
    person.force_login(cast.bob)
    for page in ("workspace", "settings-memory"):
        answer = person.get(reverse(page, args=[cast.acme.workspace.slug]), follow=True)
        assert answer.status_code == 200, page


def ready(client: Client) -> dict[str, Any]:
    return dict(client.get("/readyz").json()["checks"])


def queued() -> list[str]:
    return queued_paths()
