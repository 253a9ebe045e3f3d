"""`memory.undo` and `wsm undo`: a preview, a question, the undo, and back again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cast import Cast, RestClient
from tests.client.test_cli import Terminal
from tests.client.wiring import memory_of
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk(cast: Cast) -> RestClient:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    return RestClient(cast.acme.workspace.id, made.secret)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> Terminal:
    found = Terminal(monkeypatch, tmp_path)
    found.sign_in(cast.acme.secret)
    return found


def test_the_sdk_previews_undoes_and_reverts(cast: Cast, clerk: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    since = datetime.now(UTC) - timedelta(hours=1)
    with memory_of(cast.acme) as memory:
        preview = memory.undo(agent="clerk", since=since, dry_run=True)
        assert (preview.id, preview.counts["memory"].removed) == (None, 1)
        done = memory.undo(agent="clerk", since=since.replace(tzinfo=None), until=preview.until)
        assert (done.status, [row.content for row in done.rows]) == ("done", ["The depot opens at nine."])
        assert [one.id for one in memory.undos.list().results] == [done.id]
        assert list(memory.memories.list()) == []
        assert memory.undos.revert(str(done.id)).status == "reverted"
        assert memory.undos.wait(str(done.id)).counts["memory"].returned == 1


def test_a_run_is_undone_from_the_command_line(terminal: Terminal, clerk: RestClient) -> None:
    run = clerk.post("runs", {"agent": "clerk"}).json()["id"]
    clerk.remembered("Within the run.")
    clerk.post(f"runs/{run}/finish", {"status": "succeeded"})

    assert terminal.json("undo", "--run", run, "--yes")["counts"]["memory"]["removed"] == 1


def test_it_shows_and_asks_before_it_undoes(terminal: Terminal, clerk: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")
    wanted = ("undo", "--agent", "clerk", "--since", "2h")

    shown = terminal.run(*wanted, "--dry-run")
    assert (shown.exit_code, shown.stdout) == (0, "memory: 1 removed\nWould undo 1 thing.\n")
    assert terminal.run(*wanted, said="n\n").exit_code == 1
    assert len(clerk.get("memories").json()["results"]) == 1
    done = terminal.run(*wanted, said="y\n")
    assert (done.exit_code, "Undone: 1 thing." in done.stdout) == (0, True)
    assert clerk.get("memories").json()["results"] == []

    undo = done.stdout.split()[-1]
    back = terminal.run("undo", "--revert", undo)
    assert (back.exit_code, f"Reverted {undo}." in back.stdout) == (0, True)
    assert len(clerk.get("memories").json()["results"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [(), ("--agent", "clerk"), ("--run", "x", "--import", "y"), ("--agent", "clerk", "--since", "soon")],
)
def test_misuse_is_told_before_anything_is_asked(terminal: Terminal, arguments: tuple[str, ...]) -> None:
    assert terminal.run("undo", *arguments).exit_code == 2


def test_an_unknown_agent_is_absent(terminal: Terminal) -> None:
    assert terminal.run("undo", "--agent", "nobody", "--since", "1d", "--yes").exit_code == 4


def test_a_space_without_a_name_is_not_what_is_shared(terminal: Terminal, clerk: RestClient) -> None:
    clerk.remembered("The depot opens at nine.")

    refused = terminal.run("undo", "--agent", "clerk", "--since", "2h", "--space", "", "--yes")

    assert (refused.exit_code, "Name the space" in refused.output) == (1, True)
    assert len(clerk.get("memories").json()["results"]) == 1
