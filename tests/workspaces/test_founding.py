"""`manage.py found_workspace`: how somebody with an account gets a workspace."""

from __future__ import annotations

import subprocess
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from tests.cast import Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.selectors import member_workspaces


def test_an_account_gets_an_empty_workspace_and_is_told_where(cast: Cast) -> None:
    said = StringIO()

    call_command("found_workspace", "Bakery", owner=cast.alice.email.upper(), stdout=said)

    [bakery] = [workspace for workspace in member_workspaces(cast.alice) if workspace.name == "Bakery"]
    assert str(bakery.id) in said.getvalue()
    assert f"/w/{bakery.slug}/settings/api-keys" in said.getvalue()


def test_an_agent_gets_a_workspace_and_a_key_in_a_file_of_its_own(cast: Cast, settings: Any, tmp_path: Path) -> None:
    settings.HOME, said = tmp_path, StringIO()

    call_command("found_workspace", "My agent", owner=cast.alice.email, key=True, stdout=said)

    file = tmp_path / "keys" / "my-agent.env"
    shell = f". {file} && env -0"
    printed = subprocess.run(["sh", "-c", shell], env={}, check=True, capture_output=True, text=True).stdout
    named = dict(line.split("=", 1) for line in printed.split("\0") if line.startswith("WSM_"))
    agent = RestClient(UUID(named["WSM_WORKSPACE"]), named["WSM_KEY"])
    assert agent.get("memories").json()["results"] == []
    assert agent.get("api-keys").json()["results"][0]["scopes"] == sorted(Right)
    assert named["WSM_URL"] == settings.PUBLIC_URL
    assert (file.stat().st_mode & 0o777, named["WSM_KEY"] in said.getvalue()) == (0o600, False)


def test_a_second_workspace_of_a_name_does_not_take_the_file_of_the_first(
    cast: Cast, settings: Any, tmp_path: Path
) -> None:
    settings.HOME = tmp_path
    call_command("found_workspace", "My agent", owner=cast.alice.email, key=True, stdout=StringIO())

    with pytest.raises(CommandError, match=r"my-agent\.env has the key of a workspace already"):
        call_command("found_workspace", "My  agent!", owner=cast.alice.email, key=True)

    assert [workspace.name for workspace in member_workspaces(cast.alice)] == ["Acme", "My agent"]


def test_the_file_has_the_name_in_whatever_script(cast: Cast, settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path

    for name in ("Кафе", "工作"):
        call_command("found_workspace", name, owner=cast.alice.email, key=True, stdout=StringIO())

    assert sorted(path.name for path in (tmp_path / "keys").iterdir()) == ["кафе.env", "工作.env"]


def test_where_the_file_cannot_be_written_nothing_is_made(cast: Cast, settings: Any, tmp_path: Path) -> None:
    settings.HOME = tmp_path
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "bakery.env").symlink_to(tmp_path / "gone" / "bakery.env")

    with pytest.raises(CommandError, match=r"bakery\.env"):
        call_command("found_workspace", "Bakery", owner=cast.alice.email, key=True)

    assert [workspace.name for workspace in member_workspaces(cast.alice)] == ["Acme"]


@pytest.mark.parametrize(("name", "owner"), [("Bakery", "nobody@example.com"), (" ", "alice"), ("x" * 121, "alice")])
def test_what_cannot_be_founded_is_refused(cast: Cast, name: str, owner: str) -> None:
    email = cast.alice.email if owner == "alice" else owner

    with pytest.raises(CommandError):
        call_command("found_workspace", name, owner=email)

    assert [workspace.name for workspace in member_workspaces(cast.alice)] == ["Acme"]
