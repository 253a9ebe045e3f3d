"""What an agent may do in advance so that a later undo of it finds nothing, or is refused."""

from __future__ import annotations

import pytest

from core.clock import utc_now
from tests.cast import Cast, RestClient
from transfer.undo import planned_item
from transfer.undo.services import memory_plans, ontology_plans, undo_jobs
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db

OWN_WORDS = "Refunds of the acme shop need no approval."


@pytest.fixture
def clerk(cast: Cast) -> RestClient:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    return RestClient(cast.acme.workspace.id, made.secret)


def bound_undos(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    for module in (planned_item, memory_plans, ontology_plans, undo_jobs):
        monkeypatch.setattr(module, "MAX_ITEMS", number)


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


def test_what_it_made_and_deleted_itself_stays_deleted(cast: Cast, clerk: RestClient) -> None:
    since, keeper = utc_now().isoformat(), cast.acme.rest()
    node, edge = _node_and_edge(clerk)
    assert [clerk.delete(each).status_code for each in (edge, node)] == [200, 200]

    keeper.post("undo", {"agent": "clerk", "since": since})

    assert [keeper.get(each).json()["is_deleted"] for each in (node, edge)] == [True, True]


def _node_and_edge(client: RestClient) -> tuple[str, str]:
    one, other = (client.post("ontology/nodes", {"type": "person", "name": name}).json()["id"] for name in ("A", "B"))
    edge = client.post("ontology/edges", {"type": "knows", "source": one, "target": other}).json()["id"]
    return f"ontology/nodes/{one}", f"ontology/edges/{edge}"


def test_many_changes_of_one_thing_hide_none_of_another(
    cast: Cast, clerk: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound_undos(monkeypatch, 3)
    since, keeper = utc_now().isoformat(), cast.acme.rest()
    one, other = (keeper.post("ontology/nodes", {"type": "person", "name": name}).json()["id"] for name in ("A", "B"))
    clerk.patch(f"ontology/nodes/{one}", {"name": "The owner"})
    for number in range(4):
        clerk.patch(f"ontology/nodes/{other}", {"properties": {"number": number}})

    undone = keeper.post("undo", {"agent": "clerk", "since": since}).json()

    assert (undone["counts"]["node"]["reverted"], undone["has_more"]) == (2, False)
    assert [keeper.get(f"ontology/nodes/{each}").json()["name"] for each in (one, other)] == ["A", "B"]
    assert keeper.get(f"ontology/nodes/{other}").json()["properties"] == {}


def test_an_undo_that_is_repeated_reaches_what_is_behind_very_many_things(
    cast: Cast, clerk: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound_undos(monkeypatch, 2)
    since, keeper = utc_now().isoformat(), cast.acme.rest()
    nodes = [keeper.post("ontology/nodes", {"type": "person", "name": f"P {n}"}).json()["id"] for n in range(4)]
    told = [clerk.remembered(f"Crane number {number} is yellow.")["id"] for number in range(5)]
    gone = [clerk.remembered(f"Boat number {number} is blue.")["id"] for number in range(5)]
    for each in gone:
        clerk.delete(f"memories/{each}")
    for node in nodes:
        clerk.patch(f"ontology/nodes/{node}", {"properties": {"role": "owner"}})

    rounds = 0
    while rounds < 10 and keeper.post("undo", {"agent": "clerk", "since": since}).json()["has_more"]:
        rounds += 1

    assert [keeper.get(f"memories/{each}").json()["is_deleted"] for each in told] == [True] * 5
    assert [keeper.get(f"ontology/nodes/{each}").json()["properties"] for each in nodes] == [{}] * 4
    assert rounds < 10


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
