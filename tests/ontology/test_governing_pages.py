"""The console pages of connections and of the merge queue."""

from __future__ import annotations

from typing import Any

import pytest

from ontology.matching.services.candidates import match_pending
from tests.cast import Cast, RestClient
from tests.ontology.test_asking import edge, node
from tests.pages import Visitor, text_of, toast_of
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role


@pytest.fixture
def pair(cast: Cast, acme: RestClient) -> dict[str, Any]:
    """The same Ada twice, the second one with an edge."""
    first, second = node(acme, "Ada Lovelace"), node(acme, "ada lovelace")
    edge(acme, "works_at", second, node(acme, "Acme Mills", "organization"))
    match_pending(workspace_id=cast.acme.workspace.id, most=10)
    (candidate,) = acme.get("ontology/merge-candidates").json()["results"]
    return {"keep": first["id"], "absorb": second["id"], "candidate": candidate["id"]}


# --- Connections ---------------------------------------------------------------------------------


def test_a_connection_is_added_counted_and_deleted_with_its_slice(alice: Visitor, acme: RestClient) -> None:
    assert "No connections" in text_of(alice.get("ontology/connections"))
    alice.post("ontology/connections", name="CRM export", kind="crm")
    (connection,) = acme.get("ontology/connections").json()["results"]
    acme.post("ontology/nodes", {"type": "person", "name": "Ada", "connection": connection["id"]})

    page = text_of(alice.get("ontology/connections"))
    assert "CRM export" in page
    assert "1 node with their edges" in page
    assert "CRM export" in text_of(alice.get("ontology")), "as a filter"

    deleted = alice.swap(f"ontology/connections/{connection['id']}/delete", target="connections")
    assert toast_of(deleted)["text"] == "Deleted CRM export, with 1 nodes and 0 edges."
    assert "No connections" in text_of(deleted)
    assert acme.get("ontology/nodes").json()["results"] == []
    done = text_of(alice.get(f"ontology/connections/{connection['id']}/progress"))
    assert "Removed: 1 nodes" in done
    assert "hx-get" not in done


def test_a_name_that_is_taken_comes_back(alice: Visitor) -> None:
    alice.post("ontology/connections", name="CRM export")
    answer = alice.post("ontology/connections", name="CRM export")

    assert answer.status_code == 422
    assert "has that name" in text_of(answer)


# --- The merge queue -----------------------------------------------------------------------------


def test_a_pair_says_why_and_is_merged_and_undone(alice: Visitor, acme: RestClient, pair: dict[str, Any]) -> None:
    page = text_of(alice.get("ontology/merge-queue"))
    assert "same name" in page

    merged = alice.swap("ontology/merge", target="merging", keep=pair["keep"], absorb=pair["absorb"])
    assert toast_of(merged)["text"] == "Merged. 1 edge moved."
    assert "Nothing to merge" in text_of(merged)
    assert len(acme.get("ontology/nodes", type="person").json()["results"]) == 1
    assert "works at" in text_of(alice.get(f"ontology/nodes/{pair['keep']}"))

    alice.post(toast_of(merged)["undo_url"])
    assert len(acme.get("ontology/nodes", type="person").json()["results"]) == 2
    history = text_of(alice.get(f"ontology/nodes/{pair['keep']}"))
    assert "Merged" in history
    assert "Merge undone" in history


def test_a_pair_that_is_kept_apart_is_gone(alice: Visitor, pair: dict[str, Any]) -> None:
    answer = alice.swap(f"ontology/merge-queue/{pair['candidate']}/keep-apart", target="merging")

    assert toast_of(answer)["text"].startswith("Kept apart")
    assert "Nothing to merge" in text_of(answer)


# --- Rights --------------------------------------------------------------------------------------


def test_the_outsider_sees_nothing(cast: Cast, acme: RestClient, pair: dict[str, Any]) -> None:
    connection = acme.post("ontology/connections", {"name": "Payroll"}).json()["id"]
    merge = acme.post("ontology/merge", {"keep": pair["keep"], "absorb": pair["absorb"]}).json()["id"]
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)
    at_home = Visitor.of(cast.charlie, cast.umbrella.workspace)
    posts = [
        f"ontology/connections/{connection}/delete",
        f"ontology/merge-queue/{pair['candidate']}/keep-apart",
        f"ontology/merges/{merge}/undo",
    ]

    for path in ("ontology/connections", "ontology/merge-queue", f"ontology/connections/{connection}/progress"):
        assert charlie.get(path).status_code == 404, path
    for visitor in (charlie, at_home):
        assert [visitor.post(path).status_code for path in posts] == [404, 404, 404]
        assert visitor.post("ontology/merge", keep=pair["keep"], absorb=pair["absorb"]).status_code == 404
        assert visitor.get(f"ontology/connections/{connection}/progress").status_code == 404
    assert "Ada" not in text_of(at_home.get("ontology/merge-queue"))
    assert "Payroll" not in text_of(at_home.get("ontology/connections"))


def test_a_member_merges_and_may_not_delete_a_connection(cast: Cast, acme: RestClient, pair: dict[str, Any]) -> None:
    connection = acme.post("ontology/connections", {"name": "CRM export"}).json()["id"]
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    assert bob.post("ontology/merge", keep=pair["keep"], absorb=pair["absorb"]).status_code == 302
    assert bob.post(f"ontology/connections/{connection}/delete").status_code == 403
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=Role.VIEWER)
    assert bob.post(f"ontology/merge-queue/{pair['candidate']}/keep-apart").status_code == 403
    assert bob.post("ontology/connections", name="Wiki").status_code == 403


def test_what_agents_did_with_a_node_stands_on_its_page(cast: Cast, alice: Visitor, acme: RestClient) -> None:
    acme.post("memory/enable")
    ada = node(acme, "Ada Lovelace")
    action = {
        "session": "s-1",
        "agent": "clerk",
        "action_type": "tool_call",
        "tool": "crm.update",
        "outcome": "failure",
    }
    told = acme.post("actions", {"actions": [{**action, "error_code": "timeout", "node_ids": [ada["id"]]}]})
    assert told.status_code in {200, 201}, told.content

    page = text_of(alice.get(f"ontology/nodes/{ada['id']}"))

    assert "crm.update" in page
    assert "timeout" in page
