"""Ways around other promises that an undo may be tried as: review, the stamp of a key, what a person decided."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from core.clock import utc_now
from memory.models import MemoryRevision
from ontology.models import Change
from tests.cast import Cast, RestClient
from transfer.models import UndoTarget
from transfer.undo import tasks
from transfer.undo.services import undo_jobs
from transfer.undo.services.undo_scopes import UndoRequest
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.keys.on_behalf_stamps import make_stamp
from workspaces.keys.services import create_key, revoke_key

pytestmark = pytest.mark.django_db

OWN_WORDS = "Refunds of the acme shop need no approval."


def client(cast: Cast, *scopes: Right) -> RestClient:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=list(scopes))
    return RestClient(cast.acme.workspace.id, made.secret)


def run_of(client: RestClient) -> str:
    return str(client.post("runs", {"agent": "clerk"}).json()["id"])


def test_what_waits_for_review_waits_after_an_undo_and_a_restore(cast: Cast) -> None:
    rules = {"memory": {"review": {"rules": [{"source": "agent"}]}}}
    assert cast.acme.rest().put("settings", rules).status_code == 200
    trusted = client(cast, Right.READ, Right.WRITE, Right.FACTS)
    run = run_of(trusted)
    held = trusted.remembered(OWN_WORDS)
    assert trusted.post(f"memories/{held['id']}/unsuppress").json()["code"] == "pending_review"

    assert trusted.post("undo", {"run": run}).json()["counts"]["memory"]["removed"] == 1
    assert trusted.post(f"memories/{held['id']}/restore").status_code == 200

    let_out = trusted.post(f"memories/{held['id']}/unsuppress")
    assert (let_out.status_code, let_out.json()["code"]) == (409, "pending_review")
    assert OWN_WORDS not in cast.acme.rest().post("context", {"query": OWN_WORDS}).json()["text"]


def on_behalf(key: RestClient, user: str, method: str, path: str, body: Any = None) -> Any:
    stamp = make_stamp(secret=key.secret, user=user, now=utc_now())
    headers = {"Authorization": f"Bearer {key.secret}", "X-On-Behalf-Of": stamp}
    address = f"/v1/workspaces/{key.workspace_id}/{path}"
    return Client().generic(method, address, json.dumps(body or {}), content_type="application/json", headers=headers)


def test_users_of_a_stamped_key_see_and_revert_no_undo_of_another(cast: Cast) -> None:
    made = create_key(
        caller=cast.acme.caller, name="backend", scopes=list(Right), spaces=["user:*", "shared"], is_stamped=True
    )
    key = RestClient(cast.acme.workspace.id, made.secret)
    run = on_behalf(key, "alice", "POST", "runs", {"agent": "backend"}).json()["id"]
    tea = on_behalf(key, "alice", "POST", "memories", {"content": "Alice likes Assam."}).json()["id"]
    undone = on_behalf(key, "alice", "POST", "undo", {"run": run}).json()
    assert undone["counts"]["memory"]["removed"] == 1

    assert on_behalf(key, "bob", "POST", f"undo/{undone['id']}/revert").status_code == 404
    assert on_behalf(key, "bob", "GET", f"undo/{undone['id']}").status_code == 404
    assert on_behalf(key, "bob", "GET", "undo").json()["results"] == []
    assert on_behalf(key, "alice", "GET", "memories").json()["results"] == []

    assert [one["id"] for one in on_behalf(key, "alice", "GET", "undo").json()["results"]] == [undone["id"]]
    assert on_behalf(key, "alice", "POST", f"undo/{undone['id']}/revert").json()["status"] == "reverted"
    assert [one["id"] for one in on_behalf(key, "alice", "GET", "memories").json()["results"]] == [tea]


def test_undos_that_take_nothing_back_do_not_fill_the_table(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo_jobs, "MAX_IDLE_THINGS", 2)
    clerk = client(cast, Right.READ, Right.WRITE)
    run = run_of(clerk)
    kept = clerk.remembered("The crane is yellow.")
    cast.acme.rest().patch(f"memories/{kept['id']}", {"content": "The crane is blue."})

    first, second, third = (clerk.post("undo", {"run": run}) for _ in range(3))

    assert [first.status_code, second.status_code] == [201, 201]
    assert first.json()["counts"]["memory"]["kept"] == 1
    assert (third.status_code, third.json()["code"]) == (409, "too_many_undos")
    assert clerk.post("undo?dry_run=true", {"run": run}).status_code == 200


def test_a_key_returns_what_it_took_back_though_a_person_had_once_undone_it_too(cast: Cast) -> None:
    clerk, person = client(cast, Right.READ, Right.WRITE), cast.acme.caller
    run = run_of(clerk)
    clerk.remembered("The crane is yellow.")
    before = undo_jobs.start_undo(caller=person, wanted=UndoRequest(UndoTarget.RUN, run))
    assert before.id
    undo_jobs.revert_undo(caller=person, undo_id=before.id)

    own = clerk.post("undo", {"run": run}).json()
    back = clerk.post(f"undo/{own['id']}/revert")

    assert (own["counts"]["memory"]["removed"], back.status_code) == (1, 200)
    assert back.json()["counts"]["memory"]["returned"] == 1


@pytest.mark.parametrize("since", ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"])
def test_a_time_before_all_ids_means_from_the_beginning(cast: Cast, since: str) -> None:
    client(cast, Right.READ, Right.WRITE).remembered("The crane is yellow.")

    preview = cast.acme.rest().post("undo?dry_run=true", {"agent": "clerk", "since": since})

    assert (preview.status_code, preview.json()["counts"]["memory"]["removed"]) == (200, 1)


def test_an_agent_that_undoes_a_run_of_its_own_keeps_nothing_from_later_undos(cast: Cast) -> None:
    clerk, keeper = client(cast, Right.READ, Right.WRITE), cast.acme.rest()
    since = utc_now().isoformat()
    told = clerk.remembered(OWN_WORDS)["id"]
    node = clerk.post("ontology/nodes", {"type": "person", "name": "Jens"}).json()["id"]
    run = run_of(clerk)
    clerk.patch(f"memories/{told}", {"tags": ["refunds"]})
    clerk.patch(f"ontology/nodes/{node}", {"properties": {"role": "owner"}})
    own = clerk.post("undo", {"run": run}).json()["counts"]
    assert (own["memory"]["reverted"], own["node"]["reverted"]) == (1, 1)

    undone = keeper.post("undo", {"agent": "clerk", "since": since}).json()["counts"]

    assert (undone["memory"]["removed"], undone["node"]["removed"]) == (1, 1)
    assert [clerk.get(each).json()["is_deleted"] for each in (f"memories/{told}", f"ontology/nodes/{node}")] == [
        True
    ] * 2


def test_an_agent_that_takes_back_a_merge_keeps_no_node_from_undos(cast: Cast) -> None:
    clerk, keeper = client(cast, Right.READ, Right.WRITE), cast.acme.rest()
    since = utc_now().isoformat()
    one, other = (clerk.post("ontology/nodes", {"type": "person", "name": name}).json()["id"] for name in ("A", "B"))
    merge = clerk.post("ontology/merge", {"keep": one, "absorb": other}).json()["id"]
    assert clerk.post(f"ontology/merges/{merge}/undo").status_code == 200

    undone = keeper.post("undo", {"agent": "clerk", "since": since}).json()

    assert undone["counts"]["node"] == {"removed": 2, "reverted": 0, "kept": 0, "returned": 0}


@pytest.mark.parametrize("is_return", [False, True])
def test_what_a_revoked_key_had_begun_ends_without_its_rights(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, is_return: bool
) -> None:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    clerk = RestClient(cast.acme.workspace.id, made.secret)
    run = run_of(clerk)
    told = clerk.remembered(OWN_WORDS)["id"]
    monkeypatch.setattr(undo_jobs, "REMOVED_DIRECTLY", -1 if not is_return else 10)
    undo = clerk.post("undo", {"run": run}).json()["id"]
    if is_return:
        monkeypatch.setattr(undo_jobs, "REMOVED_DIRECTLY", -1)
        assert clerk.post(f"undo/{undo}/revert").status_code == 202
    revoke_key(caller=cast.acme.caller, key_id=made.key.id)

    assert tasks.take_back(str(cast.acme.workspace.id), undo)

    report = cast.acme.rest().get(f"undo/{undo}").json()
    assert report["status"] == ("reverted" if is_return else "done")
    assert [row["reason"] for row in report["rows"]] == ["missing_scope"]
    assert cast.acme.rest().get(f"memories/{told}").json()["is_deleted"] == is_return


def test_a_step_that_cannot_be_read_stays_and_the_undo_ends(cast: Cast) -> None:
    clerk, owner = client(cast, Right.READ, Right.WRITE), cast.acme.caller
    told = clerk.remembered(OWN_WORDS)["id"]
    node = clerk.post("ontology/nodes", {"type": "person", "name": "Jens"}).json()["id"]
    run = run_of(clerk)
    clerk.patch(f"memories/{told}", {"tags": ["refunds"]})
    clerk.patch(f"ontology/nodes/{node}", {"properties": {"role": "owner"}})
    with workspace_scope(owner):  # as imports brought them before they were refused
        MemoryRevision.objects.of(owner).filter(action="edit").update(before={"tags": 7, "content": None})
        Change.objects.of(owner).filter(action="edit").update(before={"properties": [1]})

    made = clerk.post("undo", {"run": run})

    assert (made.status_code, made.json()["status"]) == (201, "done")
    assert {row["reason"] for row in made.json()["rows"]} == {"unreadable_step", "unreadable_change"}
