"""Undoing what one agent wrote since a time: its writes and no others, and back again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from core.clock import moment, utc_now
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_writer import edit_memory
from memory.memories.transitions import Verb
from tests.cast import Answer, Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key
from workspaces.models import AuditEvent

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk(cast: Cast) -> RestClient:
    """An agent that may read and write."""
    return client(cast, "clerk", Right.READ, Right.WRITE)


@pytest.fixture
def scout(cast: Cast) -> RestClient:
    """Another agent of the same workspace."""
    return client(cast, "scout", Right.READ, Right.WRITE)


@pytest.fixture
def admin(cast: Cast) -> RestClient:
    return client(cast, "keeper", *Right)


def client(cast: Cast, name: str, *scopes: Right, spaces: tuple[str, ...] = ()) -> RestClient:
    made = create_key(caller=cast.acme.caller, name=name, scopes=list(scopes), spaces=list(spaces))
    return RestClient(cast.acme.workspace.id, made.secret)


def since(minutes: int = 60) -> str:
    return str(moment(utc_now() - timedelta(minutes=minutes)))


def undo(admin: RestClient, *, dry_run: bool = False, **body: Any) -> Answer:
    return admin.post("undo?dry_run=true" if dry_run else "undo", {"agent": "clerk", "since": since(), **body})


def live(admin: RestClient, **query: Any) -> list[str]:
    return sorted(one["content"] for one in admin.get("memories", **query).json()["results"])


def reasons(answer: Answer) -> dict[str, tuple[str, str]]:
    return {row["content"]: (row["reason"], row["by"]) for row in answer.json()["rows"] if row["reason"]}


def test_only_the_writes_of_one_agent_go(clerk: RestClient, scout: RestClient, admin: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    scout.remembered("The crane is yellow.")

    preview = undo(admin, dry_run=True)
    assert (preview.status_code, preview.json()["status"], preview.json()["id"]) == (200, "previewed", None)
    assert preview.json()["counts"] == {"memory": {"removed": 1, "reverted": 0, "kept": 0, "returned": 0}}
    assert [row["content"] for row in preview.json()["rows"]] == ["The depot opens at nine."]
    assert live(admin) == ["The crane is yellow.", "The depot opens at nine."]

    made = undo(admin)
    assert (made.status_code, made.json()["status"], made.json()["total"]) == (201, "done", 1)
    assert live(admin) == ["The crane is yellow."]


def test_an_undo_can_be_undone(clerk: RestClient, admin: RestClient) -> None:
    kept = clerk.remembered("The depot opens at nine.")
    made = undo(admin).json()

    back = admin.post(f"undo/{made['id']}/revert")
    assert (back.status_code, back.json()["status"], back.json()["reverted_by"]) == (200, "reverted", "keeper")
    assert back.json()["counts"]["memory"]["returned"] == 1
    assert [one["id"] for one in admin.get("memories").json()["results"]] == [kept["id"]]
    assert admin.post(f"undo/{made['id']}/revert").json()["status"] == "reverted"
    # It counts as written by the agent again.
    assert undo(admin).json()["counts"]["memory"]["removed"] == 1


def test_what_it_edited_gets_the_text_from_before(clerk: RestClient, scout: RestClient, admin: RestClient) -> None:
    told = scout.remembered("The crane is yellow.", tags=["yard"])
    start = since(0)
    clerk.patch(f"memories/{told['id']}", {"content": "The crane is green.", "tags": ["paint"]})
    clerk.patch(f"memories/{told['id']}", {"content": "The crane is blue."})

    made = undo(admin, since=start).json()
    assert made["counts"] == {"memory": {"removed": 0, "reverted": 1, "kept": 0, "returned": 0}}
    now = admin.get(f"memories/{told['id']}").json()
    assert (now["content"], now["tags"]) == ("The crane is yellow.", ["yard"])

    admin.post(f"undo/{made['id']}/revert")
    now = admin.get(f"memories/{told['id']}").json()
    assert (now["content"], now["tags"]) == ("The crane is blue.", ["paint"])


def test_what_people_have_touched_since_stays(cast: Cast, clerk: RestClient, admin: RestClient) -> None:
    promoted, edited, pinned = (
        clerk.remembered(text)["id"] for text in ("The gate is shut at night.", "Tea is at four.", "Bob has the keys.")
    )
    caller = cast.acme.caller
    apply_transition(caller=caller, memory_id=UUID(promoted), verb=Verb.PROMOTE)
    edit_memory(caller=caller, memory_id=UUID(edited), changes={"content": "Tea is at five."})
    apply_transition(caller=caller, memory_id=UUID(pinned), verb=Verb.PIN)

    answer = undo(admin)
    assert reasons(answer) == {
        "The gate is shut at night.": ("promoted", "Alice"),
        "Tea is at five.": ("edited", "Alice"),
        "Bob has the keys.": ("pinned", "Alice"),
    }
    assert len(live(admin)) == 3


def test_an_edit_of_a_person_after_that_of_the_agent_stays(
    cast: Cast, clerk: RestClient, scout: RestClient, admin: RestClient
) -> None:
    told = scout.remembered("The crane is yellow.")
    start = since(0)
    clerk.patch(f"memories/{told['id']}", {"content": "The crane is green."})
    edit_memory(caller=cast.acme.caller, memory_id=UUID(told["id"]), changes={"content": "The crane is red."})

    assert reasons(undo(admin, since=start)) == {"The crane is red.": ("edited", "Alice")}
    assert live(admin) == ["The crane is red."]


def test_what_was_written_after_the_preview_stays(clerk: RestClient, admin: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    until = undo(admin, dry_run=True).json()["until"]
    clerk.remembered("The crane is yellow.")

    undo(admin, until=until)
    assert live(admin) == ["The crane is yellow."]


def test_steps_of_the_lifecycle_are_taken_back(cast: Cast, scout: RestClient, admin: RestClient) -> None:
    governor = client(cast, "governor", *Right)
    fact, gone, hidden = (
        scout.remembered(text)["id"] for text in ("The gate is shut at night.", "Tea is at four.", "Bob has the keys.")
    )
    start = since(0)
    governor.post(f"memories/{fact}/promote")
    governor.post(f"memories/{fact}/pin")
    governor.delete(f"memories/{gone}")
    governor.post(f"memories/{hidden}/suppress", {"reason": "wrong"})

    made = undo(admin, agent="governor", since=start).json()
    assert made["counts"]["memory"]["reverted"] + made["counts"]["fact"]["reverted"] == 3
    assert len(live(admin)) == 3
    now = admin.get(f"memories/{fact}").json()
    assert (now["kind"], now["pinned"], admin.get(f"memories/{hidden}").json()["suppressed"]) == (
        "memory",
        False,
        False,
    )

    admin.post(f"undo/{made['id']}/revert")
    now, shown = admin.get(f"memories/{fact}").json(), admin.get(f"memories/{hidden}").json()
    assert (now["kind"], now["pinned"], shown["suppressed"]) == ("fact", True, True)
    assert len(live(admin)) == 2


def test_what_a_memory_replaced_is_true_again(clerk: RestClient, scout: RestClient, admin: RestClient) -> None:
    old = scout.remembered("Alice lives in Berlin.")
    start = since(0)
    new = clerk.remembered("Alice lives in Hamburg now.")
    assert admin.get(f"memories/{old['id']}").json()["superseded_by"] == new["id"]

    made = undo(admin, since=start).json()
    assert admin.get(f"memories/{old['id']}").json()["superseded_by"] is None
    admin.post(f"undo/{made['id']}/revert")
    assert admin.get(f"memories/{old['id']}").json()["superseded_by"] == new["id"]


def test_nodes_edges_and_merges_go_as_well(clerk: RestClient, scout: RestClient, admin: RestClient) -> None:
    base = scout.post("ontology/nodes", {"type": "company", "name": "Acme"}).json()
    twin = scout.post("ontology/nodes", {"type": "company", "name": "ACME Corp"}).json()
    start = since(0)
    node = clerk.post("ontology/nodes", {"type": "person", "name": "Jens"}).json()
    clerk.post("ontology/edges", {"type": "works_at", "source": node["id"], "target": base["id"]})
    clerk.post("ontology/edges", {"type": "owns", "source": base["id"], "target": twin["id"]})
    clerk.patch(f"ontology/nodes/{base['id']}", {"name": "Acme Ltd", "properties": {"city": "Kiel"}})
    clerk.post("ontology/merge", {"keep": base["id"], "absorb": twin["id"]})

    made = undo(admin, since=start)
    assert made.json()["counts"]["merge"]["reverted"] == 1, made.json()
    assert made.json()["counts"]["node"] == {"removed": 1, "reverted": 1, "kept": 0, "returned": 0}
    names = sorted(one["name"] for one in admin.get("ontology/nodes").json()["results"])
    assert names == ["ACME Corp", "Acme"]
    assert admin.get(f"ontology/nodes/{base['id']}").json()["properties"] == {}

    admin.post(f"undo/{made.json()['id']}/revert")
    names = sorted(one["name"] for one in admin.get("ontology/nodes").json()["results"])
    assert names == ["Acme Ltd", "Jens"]


def test_twice_is_as_once(clerk: RestClient, scout: RestClient, admin: RestClient) -> None:
    told = scout.remembered("The crane is yellow.")
    start = since(0)
    clerk.remembered("The depot opens at nine.")
    clerk.patch(f"memories/{told['id']}", {"content": "The crane is green."})

    assert undo(admin, since=start).json()["total"] == 2
    assert undo(admin, since=start).json()["total"] == 0
    assert live(admin) == ["The crane is yellow."]


def test_what_changed_since_is_left_by_the_reversal(cast: Cast, clerk: RestClient, admin: RestClient) -> None:
    told = clerk.remembered("The depot opens at nine.")
    made = undo(admin).json()
    apply_transition(caller=cast.acme.caller, memory_id=UUID(told["id"]), verb=Verb.RESTORE)

    back = admin.post(f"undo/{made['id']}/revert").json()
    assert [(row["state"], row["reason"]) for row in back["rows"]] == [("left", "changed_since")]
    assert live(admin) == ["The depot opens at nine."]


def test_it_leaves_one_audit_event_each_way(cast: Cast, clerk: RestClient, admin: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    made = undo(admin).json()
    admin.post(f"undo/{made['id']}/revert")

    with workspace_scope(cast.acme.caller):
        events = AuditEvent.objects.of(cast.acme.caller).filter(object_type="undo").order_by("id")
        found = [(each.action, each.object_id, each.details.get("undone")) for each in events]
    assert found == [("undo.requested", made["id"], 1), ("undo.reverted", made["id"], None)]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "run"),
        ({"agent": "clerk"}, "since"),
        ({"run": "0198c9a0-0000-7000-8000-000000000000", "agent": "clerk", "since": "2026-01-01T00:00:00Z"}, "agent"),
        ({"run": "0198c9a0-0000-7000-8000-000000000000", "since": "2026-01-01T00:00:00Z"}, "since"),
        ({"run": "nonsense"}, "run"),
        ({"agent": "clerk", "since": "2999-01-01T00:00:00Z"}, "since"),
    ],
)
def test_an_impossible_undo_is_refused_by_its_field(
    clerk: RestClient, admin: RestClient, body: dict[str, str], field: str
) -> None:
    answer = admin.post("undo", body)
    assert (answer.status_code, [one["field"] for one in answer.json()["errors"]]) == (422, [field])


def test_it_needs_an_admin(clerk: RestClient, admin: RestClient, umbrella: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    assert undo(clerk).json()["code"] == "missing_scope"
    made = undo(admin).json()

    assert clerk.get(f"undo/{made['id']}").status_code == 404
    assert clerk.get("undo").json()["results"] == []
    assert admin.get("undo").json()["results"][0]["id"] == made["id"]
    for foreign in (umbrella.get(f"undo/{made['id']}"), umbrella.post(f"undo/{made['id']}/revert")):
        assert foreign.status_code == 404
    assert undo(umbrella).status_code == 404
    assert admin.post("undo", {"run": made["id"]}).status_code == 404
    assert admin.post("undo", {"import": made["id"]}).status_code == 404


def test_an_undo_stays_in_its_space(cast: Cast, clerk: RestClient, admin: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    clerk.remembered("Dora takes sugar.", user="dora")
    assert undo(admin, dry_run=True).json()["total"] == 1
    assert undo(admin, user="dora", dry_run=True).json()["total"] == 1

    preview = undo(admin, every_space=True, dry_run=True).json()
    assert {row["content"] for row in preview["rows"]} == {"The depot opens at nine.", None}
    bound = client(cast, "bound", *Right, spaces=("user:eve",))
    assert undo(bound, dry_run=True).json()["total"] == 0
    assert undo(bound, every_space=True).json()["code"] == "space_not_allowed"

    undo(admin, every_space=True)
    assert (live(admin), live(admin, user="dora")) == ([], [])
