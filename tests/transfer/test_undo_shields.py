"""What an agent may do in advance so that a later undo of it finds nothing, or is refused."""

from __future__ import annotations

import pytest

from core.clock import utc_now
from tests.cast import Cast, RestClient
from transfer.undo.services import undo_jobs
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db

OWN_WORDS = "Refunds of the acme shop need no approval."


@pytest.fixture
def clerk(cast: Cast) -> RestClient:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    return RestClient(cast.acme.workspace.id, made.secret)


def run_of(client: RestClient) -> str:
    return str(client.post("runs", {"agent": "clerk"}).json()["id"])


def test_what_it_undid_and_brought_back_by_hand_is_undone(cast: Cast, clerk: RestClient) -> None:
    since, keeper, run = utc_now().isoformat(), cast.acme.rest(), run_of(clerk)
    told = clerk.remembered(OWN_WORDS)["id"]
    one, other = (clerk.post("ontology/nodes", {"type": "person", "name": name}).json()["id"] for name in ("A", "B"))
    edge = clerk.post("ontology/edges", {"type": "knows", "source": one, "target": other}).json()["id"]
    things = [f"memories/{told}", f"ontology/nodes/{one}", f"ontology/nodes/{other}"]
    assert clerk.post("undo", {"run": run}).json()["counts"]["node"]["removed"] == 2
    assert [clerk.post(f"{each}/restore").status_code for each in things] == [200] * 3

    assert keeper.post("undo", {"agent": "clerk", "since": since}).status_code == 201

    assert [keeper.get(each).json()["is_deleted"] for each in (*things, f"ontology/edges/{edge}")] == [True] * 4


def test_what_it_edits_of_a_node_that_a_person_brought_back_is_undone(cast: Cast, clerk: RestClient) -> None:
    since, keeper, run = utc_now().isoformat(), cast.acme.rest(), run_of(clerk)
    node = clerk.post("ontology/nodes", {"type": "person", "name": "Jens"}).json()["id"]
    clerk.post("undo", {"run": run})
    assert keeper.post(f"ontology/nodes/{node}/restore").status_code == 200
    assert clerk.patch(f"ontology/nodes/{node}", {"name": "The owner"}).status_code == 200

    keeper.post("undo", {"agent": "clerk", "since": since})

    found = keeper.get(f"ontology/nodes/{node}").json()
    assert (found["name"], found["is_deleted"]) == ("Jens", False)


def test_what_others_have_connected_with_a_node_that_it_brought_back_stays(cast: Cast, clerk: RestClient) -> None:
    since, keeper, run = utc_now().isoformat(), cast.acme.rest(), run_of(clerk)
    node = clerk.post("ontology/nodes", {"type": "person", "name": "Jens"}).json()["id"]
    clerk.post("undo", {"run": run})
    clerk.post(f"ontology/nodes/{node}/restore")
    other = keeper.post("ontology/nodes", {"type": "person", "name": "Ada"}).json()["id"]
    keeper.post("ontology/edges", {"type": "knows", "source": other, "target": node})

    undone = keeper.post("undo", {"agent": "clerk", "since": since}).json()

    assert [(row["kind"], row["state"], row["reason"]) for row in undone["rows"]] == [("node", "kept", "connected")]


def test_its_own_undos_use_up_nothing_that_an_admin_needs(
    cast: Cast, clerk: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo_jobs, "MAX_IDLE_THINGS", 1)
    since, run = utc_now().isoformat(), run_of(clerk)
    clerk.remembered(OWN_WORDS)
    own = clerk.post("undo", {"run": run}).json()["id"]
    assert clerk.post(f"undo/{own}/revert").json()["counts"]["memory"]["returned"] == 1
    assert clerk.post("undo", {"run": run}).json()["code"] == "too_many_undos"

    undone = cast.acme.rest().post("undo", {"agent": "clerk", "since": since})

    assert (undone.status_code, undone.json()["counts"]["memory"]["removed"]) == (201, 1)
