"""Erasing a space on the page, with the SDK and on the command line."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import memory_of
from tests.pages import Visitor, text_of
from transfer.erasure.services import space_erasure as services
from workspace_memory import ConflictError, Memory
from workspaces.accounts.services.memberships import add_member
from workspaces.models import Role

pytestmark = pytest.mark.django_db

SPACE = "project:a/b & c"
PAGE = f"spaces/erase?{urlencode({'name': SPACE})}"


@pytest.fixture
def memory(cast: Cast) -> Memory:
    """A client, and a memory in the space and in what is shared."""
    memory = memory_of(cast.acme)
    memory.write("Everybody's.")
    memory.in_space(SPACE).write("Apollo's.")
    return memory


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    """The owner."""
    return Visitor.of(cast.alice, cast.acme.workspace)


def _left(memory: Memory) -> list[str]:
    return [each.content for each in memory.in_space(SPACE).memories.list()]


def test_an_owner_erases_on_the_page_once_the_name_is_typed(alice: Visitor, memory: Memory) -> None:
    listed, asked = text_of(alice.get("spaces")), alice.get(PAGE)
    mistyped = alice.post(PAGE, typed="project:a")
    before = _left(memory)

    erased = alice.post(PAGE, typed=f" {SPACE} ")

    assert urlencode({"name": SPACE}) in listed
    assert "name=shared" not in listed
    assert (asked.status_code, "nodes" in text_of(asked), mistyped.status_code) == (200, True, 422)
    assert "Nothing was deleted" in text_of(mistyped)
    assert (sorted(before), erased.status_code, erased["Location"]) == (
        ["Apollo's.", "Everybody's."],
        302,
        alice.address("spaces"),
    )
    assert _left(memory) == ["Everybody's."]


def test_a_large_space_is_erased_in_the_background(
    alice: Visitor, memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "ERASED_DIRECTLY", 0)

    alice.post(PAGE, typed=SPACE)

    page = text_of(alice.get("spaces"))
    assert "is being erased in the background" in page
    assert "Being erased" in page
    assert memory.spaces.get(SPACE).erasing_since


@pytest.mark.parametrize("role", [Role.ADMIN, Role.MEMBER, Role.VIEWER])
def test_others_than_owners_do_not_erase_on_the_page(cast: Cast, memory: Memory, role: Role) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    assert {bob.get(PAGE).status_code, bob.post(PAGE, typed=SPACE).status_code} == {403}
    assert "spaces/erase" not in text_of(bob.get("spaces"))
    assert sorted(_left(memory)) == ["Apollo's.", "Everybody's."]


def test_the_sdk_lists_counts_and_erases(memory: Memory) -> None:
    names = [each.space for each in memory.spaces.list()]
    custom = [each.key for each in memory.for_user("7").spaces.list(kind="project", q="a")]
    counted = memory.spaces.erase(SPACE, dry_run=True)
    assert (names, custom, counted.status) == (["shared", SPACE], ["a/b & c"], "counted")
    assert memory.spaces.get(SPACE).counts.memories == 1

    erased = memory.spaces.erase(SPACE)

    assert (erased.status, erased.rows) == ("erased", counted.rows)
    after = memory.spaces.get(SPACE)
    assert (after.counts.memories, after.erased_at is None, after.erasure) == (0, False, erased)
    with pytest.raises(ConflictError, match="not erased"):
        memory.spaces.erase("shared")


def test_wsm_asks_for_the_name_and_erases(
    cast: Cast, memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    terminal = Terminal(monkeypatch, tmp_path)
    terminal.sign_in(cast.acme.secret)

    rehearsed = terminal.json("spaces", "rm", SPACE, "--dry-run")
    refused = terminal.run("spaces", "rm", SPACE, said="yes\n")
    assert (rehearsed["status"], refused.exit_code, "Nothing was deleted." in refused.output) == ("counted", 1, True)
    assert len(_left(memory)) == 2
    erased = terminal.run("spaces", "rm", SPACE, said=f"{SPACE}\n")

    assert (erased.exit_code, f"Erased {SPACE}: 4 rows." in erased.output) == (0, True), erased.output
    assert _left(memory) == ["Everybody's."]
    assert terminal.run("spaces", "rm", "user:none", "--yes").exit_code == 4
    again = terminal.json("spaces", "rm", SPACE, "--yes")
    assert sum(again["rows"].values()) == 4, "The receipt of what was erased stays."
    assert SPACE in terminal.run("spaces", "ls").output
    assert [each["space"] for each in terminal.json("spaces", "ls", "--kind", "project")] == [SPACE]
