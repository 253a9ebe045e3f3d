"""What one user's runs cite of what all read is not seen by the others: not in counts, ranks, times or lists."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine

from core.clock import utc_now
from tests.cast import Cast, RestClient

ALICE = "user=alice"


def run_cites(acme: RestClient, *marks: str, space: str = ALICE, **ending: Any) -> dict[str, Any]:
    """Finish a run of a space whose output has these marks; return the answer."""
    run = acme.post(f"runs?{space}", {"agent": "clerk"}).json()["id"]
    body = {"status": "succeeded", "output": " ".join(f"[{mark}]" for mark in marks), **ending}
    first = acme.post(f"runs/{run}/finish?{space}", body).json()
    again = acme.post(f"runs/{run}/finish?{space}", body).json()
    assert [each["counted"] for each in again["citations"]] == [False] * len(again["citations"])
    return dict(first)


def seen(acme: RestClient, memory: str, **spaces: str) -> list[Any]:
    """Return what a call sees of a memory: the row, its citations, its place in lists and searches."""
    paths = (f"memories/{memory}", f"memories/{memory}/citations", "memories/pin-recommendations", "memories/stale")
    found = [acme.get(path, **spaces).json() for path in paths]
    hits = acme.post("memories/search", {"query": "tea", **spaces}).json()["results"]
    return [*found, [(hit["memory"], hit["score"], hit["confidence"]) for hit in hits]]


@pytest.fixture
def shared_memory(acme: RestClient) -> str:
    with time_machine.travel(utc_now() - timedelta(days=100)):
        acme.remembered("Tea is ordered on Thursdays.")
        return str(acme.remembered("Tea is ordered on Mondays.")["id"])


@pytest.mark.parametrize("others", [{}, {"user": "bob"}, {"user": "bob", "agent": "clerk"}])
def test_a_private_run_changes_nothing_that_others_see(
    acme: RestClient, shared_memory: str, others: dict[str, str]
) -> None:
    before = seen(acme, shared_memory, **others)

    answer = run_cites(acme, f"mem:{shared_memory}")

    assert (answer["citations"], answer["unresolved"]) == ([{"memory_id": shared_memory, "counted": True}], [])
    assert seen(acme, shared_memory, **others) == before


def test_the_user_sees_their_own_citation_once(acme: RestClient, shared_memory: str) -> None:
    answer = run_cites(acme, f"mem:{shared_memory}", f"mem:{shared_memory}")

    [cited] = acme.get(f"memories/{shared_memory}/citations", user="alice").json()["results"]
    assert (cited["run"]["id"], cited["counted"]) == (answer["run"]["id"], True)


@pytest.mark.parametrize(("space", "times"), [("space=shared", 1), (ALICE, 0)])
def test_a_run_counts_in_its_own_space(acme: RestClient, shared_memory: str, space: str, times: int) -> None:
    mine = acme.remembered("Alice drinks tea.", user="alice")["id"]
    run_cites(acme, f"mem:{shared_memory}", f"mem:{mine}", space=space)

    assert acme.get(f"memories/{shared_memory}").json()["times_referenced"] == times
    assert acme.get(f"memories/{mine}", user="alice").json()["times_referenced"] == 1 - times


def test_nodes_count_like_memories(acme: RestClient) -> None:
    node = acme.post("ontology/nodes", {"type": "person", "name": "Dana Voss"}).json()["id"]
    before = acme.get(f"ontology/nodes/{node}").json()

    assert run_cites(acme, f"node:{node}")["nodes"] == [{"node_id": node, "counted": True}]
    asked = acme.post("ontology/ask", {"question": "Who is Dana Voss?", "user": "alice"})
    assert [each["node_id"] for each in asked.json()["citations"]] == [node], asked.content

    assert acme.get(f"ontology/nodes/{node}").json() == before
    run_cites(acme, f"node:{node}", space="space=shared")
    assert acme.get(f"ontology/nodes/{node}").json()["reference_count"] == before["reference_count"] + 1


def test_a_purge_spares_what_any_user_has_cited_and_the_list_does_not_tell(
    cast: Cast, acme: RestClient, shared_memory: str
) -> None:
    run_cites(acme, f"mem:{shared_memory}")
    assert len(acme.get("memories/stale").json()["results"]) == 2

    removed = acme.post("memories/stale/purge").json()["removed"]

    assert [each["content"] for each in removed] == ["Tea is ordered on Thursdays."]
    assert acme.get(f"memories/{shared_memory}").json()["is_deleted"] is False
