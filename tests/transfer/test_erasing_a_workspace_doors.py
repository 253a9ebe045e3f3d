"""Erasing a workspace on the page, with the SDK, on the command lines, and its receipt in the admin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from core.stores import queue
from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import memory_of
from tests.pages import Visitor, text_of
from transfer.erasure import tasks
from transfer.erasure.services import workspace_removal
from transfer.models import WorkspaceErasure
from workspace_memory import ApiError, Memory
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    """The owner of a workspace with a memory."""
    cast.acme.rest().remembered("Everybody's.")
    return Visitor.of(cast.alice, cast.acme.workspace)


@pytest.fixture
def memory(cast: Cast) -> Memory:
    """A client of the same."""
    memory = memory_of(cast.acme)
    memory.write("Everybody's.")
    return memory


def _work() -> None:
    erasure = WorkspaceErasure.objects.get()
    queue.discard_workspace_tasks(erasure.id)
    assert tasks.erase_workspace(str(erasure.id))


def test_an_owner_reads_the_counts_types_the_name_and_gets_a_receipt(cast: Cast, alice: Visitor) -> None:
    first, page = text_of(alice.get("settings/delete")), text_of(alice.get("settings/delete", counted="1"))
    assert ("Counting" in first, "Memories, episodes, slots, runs" in first) == (True, False)
    mistyped = alice.post("settings/delete", confirm="Acme?")
    assert ("Memories, episodes, slots, runs" in page, mistyped.status_code) == (True, 422)
    assert "Nothing was deleted" in text_of(mistyped)
    assert alice.get("memory").status_code == 200

    deleted = alice.post("settings/delete", confirm=" Acme ")

    erasure = WorkspaceErasure.objects.get()
    receipt = f"/erasures/{erasure.id}"
    assert (deleted.status_code, deleted["Location"]) == (302, receipt)
    waiting = text_of(alice.get(receipt))
    assert ('hx-trigger="every 2s"' in waiting, "being deleted" in waiting) == (True, True)
    assert alice.get("memory").status_code == 404
    _work()
    done = text_of(alice.get(receipt))
    assert ("every 2s" in done, str(cast.acme.workspace.id) in done, "Acme" in done) == (False, True, False)
    assert "Out of reach" in done
    assert receipt in text_of(alice.get("/erasures"))


def test_htmx_leads_to_the_receipt_and_shows_how_far_it_is(cast: Cast, alice: Visitor) -> None:
    wrong = alice.swap("settings/delete", confirm="no")
    answer = alice.swap("settings/delete", confirm=cast.acme.workspace.slug)

    receipt = f"/erasures/{WorkspaceErasure.objects.get().id}"
    assert (wrong.status_code, "<html" in text_of(wrong)) == (422, False)
    assert answer["HX-Redirect"] == receipt
    WorkspaceErasure.objects.update(waits_for="graph", planned={"nodes": 10}, rows={"nodes": 4})
    fragment = text_of(alice.client.get(receipt, headers={"HX-Request": "true"}))
    assert ("<html" in fragment, "4 of 10" in fragment) == (False, True)
    assert "The graph server does not answer" in fragment


@pytest.mark.parametrize("role", [Role.ADMIN, Role.MEMBER, Role.VIEWER])
def test_others_than_owners_do_not_erase_on_the_page(cast: Cast, role: Role) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    assert {bob.get("settings/delete").status_code, bob.post("settings/delete", confirm="Acme").status_code} == {403}
    assert "settings/delete" not in text_of(bob.get("settings/memory"))
    assert not WorkspaceErasure.objects.exists()


def test_only_who_asked_finds_the_page_of_the_receipt(cast: Cast, alice: Visitor) -> None:
    alice.post("settings/delete", confirm="Acme")
    receipt = f"/erasures/{WorkspaceErasure.objects.get().id}"

    bob = Visitor.of(cast.bob, cast.umbrella.workspace)
    assert (bob.get(receipt).status_code, receipt in text_of(bob.get("/erasures"))) == (404, False)
    assert Client().get(receipt).status_code == 302, "To sign in."


def test_the_sdk_counts_deletes_and_reads_the_receipt(memory: Memory) -> None:
    counted = memory.delete_workspace(dry_run=True)
    with pytest.raises(ApiError, match="name or the slug"):
        memory.delete_workspace("Umbrella")

    begun = memory.delete_workspace("Acme")
    _work()
    receipt = memory.erasure(str(begun.id))

    assert (counted.status, begun.status, receipt.status) == ("counted", "erasing", "erased")
    assert counted.rows["memories"] == receipt.rows["memories"] == 1
    assert {check.what: check.found for check in receipt.checks} == dict.fromkeys(
        ("tables", "graph", "redis", "queue"), 0
    )


def test_wsm_deletes_with_the_name_alone(
    cast: Cast, memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)
    monkeypatch.setattr("time.sleep", lambda _: _work())

    counted = terminal.json("workspace", "delete", "--dry-run")
    bare = terminal.run("workspace", "delete", "--yes")
    refused = terminal.run("workspace", "delete", said="yes\n")
    wrong = terminal.run("workspace", "delete", "--confirm", "Umbrella")
    assert (counted["status"], bare.exit_code, refused.exit_code, wrong.exit_code) == ("counted", 2, 1, 1)
    assert ("--confirm NAME" in bare.output, "Nothing was deleted." in refused.output) == (True, True)
    assert not WorkspaceErasure.objects.exists()

    deleted = terminal.run("workspace", "delete", said="Acme\n")

    assert (deleted.exit_code, "nothing was found afterwards" in deleted.output) == (0, True), deleted.output
    assert "Out of reach: Backups" in deleted.output
    erasure = WorkspaceErasure.objects.get()
    assert terminal.json("workspace", "receipt", str(erasure.id))["status"] == "erased"


def test_wsm_deletes_without_asking_when_the_name_is_given(
    cast: Cast, memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)

    begun = terminal.json("workspace", "delete", "--confirm", "Acme", "--yes", "--no-wait")

    assert begun["status"] == "erasing"


def test_the_operator_deletes_by_a_command(cast: Cast, capsys: pytest.CaptureFixture[str]) -> None:
    identity = str(cast.acme.workspace.id)
    with pytest.raises(CommandError, match="--confirm NAME"):
        call_command("erase_workspace", identity)
    with pytest.raises(CommandError, match="name or the slug"):
        call_command("erase_workspace", identity, confirm="Umbrella")
    capsys.readouterr()

    said = []
    for options in ({"dry_run": True}, {"confirm": "Acme"}, {}):
        call_command("erase_workspace", identity, **options)
        said.append(json.loads(capsys.readouterr().out))

    assert [each["status"] for each in said] == ["counted", "erasing", "erasing"]
    assert said[1]["requested_by"] == {"kind": "system", "id": "erase_workspace"}
    _work()
    call_command("erase_workspace", identity)
    assert json.loads(capsys.readouterr().out)["status"] == "erased"


def test_staff_read_receipts_and_change_none(cast: Cast, alice: Visitor) -> None:
    alice.post("settings/delete", confirm="Acme")
    _work()
    staff = Client(raise_request_exception=False)
    staff.force_login(User.objects.create_user("ada@staff.example", "x", is_staff=True))
    erasure = WorkspaceErasure.objects.get()
    address = f"/admin/transfer/workspaceerasure/{erasure.id}/change/"

    assert str(erasure.erased_id) in text_of(staff.get("/admin/transfer/workspaceerasure/"))
    assert "out_of_reach" in text_of(staff.get(address))
    assert staff.post(address, {"receipt": "x"}).status_code == 403
    assert staff.post(address.replace("change", "delete"), {"post": "yes"}).status_code == 403
    assert workspace_removal.recheck(erasure_id=erasure.id)
