"""Profiles of `wsm`, and which address and key a command calls with."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from tests.cast import Cast
from tests.client.test_cli import Terminal
from tests.client.wiring import URL
from workspace_memory.cli import wsm
from workspace_memory.cli.credentials import DEFAULT, NotSignedInError, path_of_login, stored_login

HERE = {"url": "http://here", "key": "key-of-here", "workspace": "w-here"}
WORK = {"url": "http://work", "key": "key-of-work", "workspace": "w-work"}


@pytest.fixture
def logins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a default login and one of the profile `work`."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("WSM_URL", "WSM_KEY", "WSM_WORKSPACE", "WSM_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for profile, login in ((DEFAULT, HERE), ("work", WORK)):
        path_of_login(profile).parent.mkdir(parents=True, exist_ok=True)
        path_of_login(profile).write_text(json.dumps(login))
    return tmp_path


@pytest.mark.parametrize(
    ("named", "environment", "expected"),
    [
        (None, {}, HERE),
        (None, {"WSM_PROFILE": "work"}, WORK),
        ("work", {}, WORK),
        ("default", {"WSM_PROFILE": "work"}, HERE),
        ("work", {"WSM_URL": "http://env", "WSM_KEY": "k"}, WORK),
        (None, {"WSM_URL": "http://env", "WSM_KEY": "k"}, {"url": "http://env", "key": "k"}),
        # A key alone goes to the address of the login, and not into the workspace of its key.
        (None, {"WSM_KEY": "k"}, {"url": "http://here", "key": "k"}),
        (None, {"WSM_KEY": "k", "WSM_PROFILE": "work"}, {"url": "http://work", "key": "k"}),
        (None, {"WSM_KEY": "k", "WSM_WORKSPACE": "w"}, {"url": "http://here", "key": "k", "workspace": "w"}),
        # A key that is kept goes to no other address.
        (None, {"WSM_URL": "http://env"}, {"url": "http://env"}),
        (None, {"WSM_WORKSPACE": "w"}, {**HERE, "workspace": "w"}),
    ],
)
def test_which_login_is_used(
    logins: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: str | None,
    environment: dict[str, str],
    expected: dict[str, str],
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    @click.command()
    def show() -> None:
        click.echo(json.dumps(stored_login()))

    from workspace_memory.cli.profiles import add_profile_option

    add_profile_option(show)
    said = CliRunner().invoke(show, ["--profile", named] if named else [])

    assert json.loads(said.output) == expected


@pytest.mark.parametrize(
    "arguments", [["--profile", "absent", "memory", "ls"], ["memory", "ls", "--profile", "absent"]]
)
def test_a_profile_without_a_login_says_how_to_sign_in(logins: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(wsm, arguments)

    assert result.exit_code == 3
    assert result.stderr == "Error: The profile “absent” has no login. Sign in first: wsm login --profile absent\n"


def test_a_variable_that_names_no_profile_is_reported_too(logins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WSM_PROFILE", "absent")

    with pytest.raises(NotSignedInError):
        stored_login()


@pytest.mark.parametrize("name", ["", "../login", "a/b", ".hidden", "x" * 65, "ä"])
def test_a_name_that_could_lead_elsewhere_is_refused(logins: Path, name: str) -> None:
    assert CliRunner().invoke(wsm, ["--profile", name, "memory", "ls"]).exit_code == 2


def test_profiles_are_listed_and_completed(logins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WSM_PROFILE", "work")
    listed = CliRunner().invoke(wsm, ["profiles"]).output.splitlines()
    found = json.loads(CliRunner().invoke(wsm, ["profiles", "--json"]).output)

    assert [line.split() for line in listed[1:]] == [
        ["default", HERE["url"], "w-here"],
        ["work", WORK["url"], "w-work", "yes"],
    ]
    assert [row["profile"] for row in found if row["current"]] == ["work"]
    assert "key-of" not in "".join(listed)
    completing = {"_WSM_COMPLETE": "bash_complete", "COMP_WORDS": "wsm memory ls --profile w", "COMP_CWORD": "4"}
    assert CliRunner().invoke(wsm, [], env=completing, prog_name="wsm").output == "plain,work\n"


@pytest.mark.django_db
def test_two_profiles_are_two_workspaces(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cast: Cast) -> None:
    terminal = Terminal(monkeypatch, tmp_path)
    monkeypatch.delenv("WSM_PROFILE", raising=False)
    terminal.sign_in(cast.acme.secret)
    said = terminal.run("login", "--profile", "umbrella", "--url", URL, "--key-stdin", said=f"{cast.umbrella.secret}\n")
    assert "as the profile “umbrella”" in said.output
    terminal.run("remember", "Tea is ordered on Mondays.")

    assert len(terminal.json("memory", "list")) == 1
    assert terminal.json("memory", "list", "--profile", "umbrella") == []
    assert path_of_login("umbrella").stat().st_mode & 0o777 == 0o600
    assert terminal.run("logout", "--profile", "umbrella").output == "Signed out as the profile “umbrella”.\n"
    assert terminal.run("--profile", "umbrella", "memory", "list").exit_code == 3
    assert terminal.run("memory", "list").exit_code == 0
