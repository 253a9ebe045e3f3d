"""`wsm memory ls` and `wsm memory rm --all` of one space: what a flow or a user left is listed and removed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import Here, memory_of
from workspace_memory import Memory
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db


class Unplugged(Here):
    """A server that stops answering with the second memory that is to be forgotten."""

    forgotten = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "DELETE" and "/memories/" in request.url.path:
            self.forgotten += 1
            if self.forgotten > 1:
                raise httpx.ConnectError("unplugged")
        return super().handle_request(request)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> Terminal:
    """A terminal that is signed in to Acme."""
    found = Terminal(monkeypatch, tmp_path)
    found.sign_in(cast.acme.secret)
    return found


@pytest.fixture
def cast(shared_cast: Cast, db: None) -> Cast:
    return shared_cast


@pytest.fixture(scope="module")
def filled(shared_cast: Cast, django_db_blocker: Any) -> Memory:
    """Acme's memory, with something of user 42, of user 43 and shared, which each test has as it was."""
    acme = memory_of(shared_cast.acme)
    with django_db_blocker.unblock():
        _fill(acme)
    return acme


@pytest.fixture
def memory(filled: Memory, cast: Cast) -> Memory:
    return filled


def _fill(acme: Memory) -> None:
    for client, who in ((acme.for_user("42"), "Ada"), (acme.for_user("43"), "Bob"), (acme, "Everybody")):
        client.session("s-1").history.append("user", f"{who} says hello.")
        client.write(f"{who} drinks tea.")
        client.write(f"{who} drinks water.")
        client.write(f"{who} is welcome.", kind="fact")


def left_in(client: Memory) -> tuple[int, int]:
    return len(list(client.conversations.list())), len(list(client.memories.list()))


@pytest.mark.parametrize("named", [("--space", "user:42"), ("--user", "42")])
def test_ls_of_a_space_lists_its_sessions_and_memories_and_nothing_else(
    terminal: Terminal, memory: Memory, named: tuple[str, str]
) -> None:
    shown = terminal.run("memory", "ls", *named).output
    told = terminal.json("memory", "ls", *named)

    assert [one["key"] for one in told["sessions"]] == ["s-1"]
    assert sorted(one["content"] for one in told["memories"]) == [
        "Ada drinks tea.",
        "Ada drinks water.",
        "Ada is welcome.",
    ]
    assert all(word in shown for word in ("s-1", "Ada drinks tea.", "fact"))
    assert not any(word in shown for word in ("Bob", "Everybody"))
    assert [one["key"] for one in terminal.json("memory", "ls")] == ["s-1"]


def test_rm_all_asks_with_the_counts_and_removes_what_the_space_has(terminal: Terminal, memory: Memory) -> None:
    refused = terminal.run("memory", "rm", "--space", "user:42", "--all", said="n\n")
    assert refused.exit_code == 1
    assert (
        "user:42 has 1 session, 2 memories and 1 fact. Delete the sessions for good and forget the rest?"
        in refused.stderr
    )
    alone = memory.for_user("42", shared=False)
    assert left_in(alone) == (1, 3)

    done = terminal.run("memory", "rm", "--space", "user:42", "--all", said="y\n")

    assert (done.exit_code, done.stdout) == (0, "Removed from user:42: 1 session, 2 memories and 1 fact.\n")
    assert left_in(alone) == (0, 0)
    assert left_in(memory.for_user("43", shared=False)) == left_in(memory) == (1, 3)
    again = terminal.run("memory", "rm", "--space", "user:42", "--all")
    assert (again.exit_code, again.stdout, again.stderr) == (0, "Removed from user:42: nothing.\n", "")


def test_what_the_key_may_not_remove_is_kept_and_said(terminal: Terminal, memory: Memory, cast: Cast) -> None:
    alone = memory.for_agent("clerk", shared=False)
    alone.session("s-1").history.append("user", "Hello.")
    alone.write("Tea is hot.")
    fact, pinned = alone.write("Tea is green.", kind="fact"), alone.write("Tea is wet.")
    alone.memories.pin(pinned.id)
    secret = create_key(caller=cast.acme.caller, name="writer", scopes=[Right.READ, Right.WRITE]).secret
    terminal.sign_in(secret)

    done = terminal.run("memory", "rm", "--agent", "clerk", "--all", "--yes")

    assert done.exit_code == 1
    assert done.stdout == "Removed from agent:clerk: 1 session and 1 memory.\n"
    assert "Kept 1 fact: This API key lacks the scope 'facts'" in done.stderr
    assert "Kept 1 memory: " in done.stderr
    told = terminal.run("memory", "rm", "--agent", "clerk", "--all", "--yes", "--json")
    assert told.exit_code == 1
    assert '"removed": {\n    "sessions": 0,\n    "memories": 0,\n    "facts": 0\n  }' in told.stdout
    assert fact.id in told.stdout
    terminal.sign_in(cast.acme.secret)
    forced = terminal.run("memory", "rm", "--agent", "clerk", "--all", "--yes", "--force")
    assert (forced.exit_code, forced.stdout) == (0, "Removed from agent:clerk: 1 memory and 1 fact.\n")


def test_a_server_that_stops_answering_ends_it_with_what_was_removed(terminal: Terminal, memory: Memory) -> None:
    terminal.reach(Unplugged())

    done = terminal.run("memory", "rm", "--user", "42", "--all", "--yes")

    assert done.exit_code == 5
    assert done.stdout == "Removed from user:42: 1 session and 1 memory.\n"
    assert "Kept 1 memory and 1 fact: it was not reached." in done.stderr
    assert left_in(memory.for_user("42", shared=False)) == (0, 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--all"],
        [],
        ["s-1", "--all", "--user", "42"],
        ["s-1", "--force"],
        ["--all", "--user", "42", "--agent", "clerk"],
    ],
)
def test_nothing_is_removed_where_it_is_not_clear_what(
    terminal: Terminal, memory: Memory, arguments: list[str]
) -> None:
    assert terminal.run("memory", "rm", "--yes", *arguments).exit_code == 2

    assert left_in(memory) == (1, 3)


def test_what_is_shared_has_to_be_named(terminal: Terminal, memory: Memory) -> None:
    done = terminal.run("memory", "rm", "--space", "shared", "--all", "--yes")

    assert (done.exit_code, done.stdout) == (0, "Removed from shared: 1 session, 2 memories and 1 fact.\n")
    assert left_in(memory) == (0, 0)
    assert left_in(memory.for_user("42", shared=False)) == (1, 3)
