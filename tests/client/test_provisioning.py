"""Making workspaces with an operator's key: both clients, and `wsm workspace create`."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.client.wiring import IMPATIENT, URL, AsyncHere, Here, finished, memory_with
from workspace_memory import AsyncOperator, Operator, UnauthenticatedError, WorkspaceMemoryError
from workspace_memory.cli import workspace_commands, wsm
from workspaces.accounts.operators.services.operator_keys import create_operator_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def secret() -> str:
    """An operator's key."""
    return create_operator_key(name="sign-up").secret


def test_a_workspace_is_made_and_its_key_opens_it(secret: str) -> None:
    with Operator(URL, secret, http=Here(), retries=IMPATIENT) as operator:
        made = operator.create_workspace("Bakery", owner="anna@harbour.example")

        assert [workspace.id for workspace in operator.workspaces()] == [made.id]
    assert secret not in repr(operator)
    memory = memory_with(made.api_key.secret)
    assert memory.write("Flour comes on Tuesdays.", kind="fact").kind == "fact"
    assert [member.email for member in memory.members.list()] == ["anna@harbour.example"]
    with pytest.raises(UnauthenticatedError, match="makes workspaces and opens none"):
        memory_with(secret).write("Tea.")


def test_the_client_to_be_awaited_makes_one_as_well(secret: str) -> None:
    async def work() -> None:
        async with AsyncOperator(URL, secret, http=AsyncHere(), retries=IMPATIENT) as operator:
            made = await operator.create_workspace("Bakery")
            assert [workspace.name async for workspace in operator.workspaces(limit=1)] == [made.name]

    finished(work())


def test_without_a_key_it_says_which_variable_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WSM_KEY", "oxa_live_of_a_workspace")
    monkeypatch.delenv("WSM_OPERATOR_KEY", raising=False)

    with pytest.raises(WorkspaceMemoryError, match="WSM_OPERATOR_KEY"):
        Operator(URL)


def run(monkeypatch: pytest.MonkeyPatch, home: Path, *arguments: str) -> Result:
    """`wsm workspace create`, with an empty home folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
    monkeypatch.setattr(workspace_commands, "Operator", partial(Operator, http=Here(), retries=IMPATIENT))
    return CliRunner().invoke(wsm, ["workspace", "create", *arguments], prog_name="wsm")


def test_the_command_prints_the_key_for_people_and_for_programs(
    secret: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WSM_URL", URL)
    monkeypatch.setenv("WSM_OPERATOR_KEY", secret)

    shown = run(monkeypatch, tmp_path, "Bakery")
    printed = run(monkeypatch, tmp_path, "Cellar", "--owner", "anna@harbour.example", "--json")

    assert [line.split("  ")[0] for line in shown.stdout.splitlines()] == ["Workspace", "Slug", "Admin key"]
    key = shown.stdout.split()[-1]
    assert memory_with(key).workspace().name == "Bakery"
    assert memory_with(json.loads(printed.stdout)["api_key"]["secret"]).workspace().name == "Cellar"


def test_the_command_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("WSM_URL", "WSM_KEY", "WSM_OPERATOR_KEY"):
        monkeypatch.delenv(name, raising=False)

    refused = run(monkeypatch, tmp_path, "Bakery")

    assert refused.exit_code == 3
    assert "WSM_OPERATOR_KEY" in refused.output
