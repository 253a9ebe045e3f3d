"""`wsm hooks` writes what the plugin's hooks read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from memory_hooks import settings as hook_settings

from workspace_memory.cli import hooks_command, wsm


def run(*arguments: str) -> str:
    result = CliRunner().invoke(wsm, ["hooks", *arguments], prog_name="wsm")
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    for name in ("WSM_HOOKS", "WSM_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return {"XDG_CONFIG_HOME": str(tmp_path)}


def test_hooks_are_turned_on_and_off_for_those_that_read_the_file(environment: dict[str, str]) -> None:
    assert run().startswith("Hooks are off: ")

    run("on", "--space", "project:apollo", "--recall-ms", "400", "--profile", "work")

    found = hook_settings.read_settings(environment)
    assert (found.is_on, found.space, found.recall_seconds) == (True, "project:apollo", 0.4)
    assert json.loads(run("--json"))["profile"] == "work"
    assert run().startswith("Hooks are on, space project:apollo, recall_ms 400, profile work: ")
    run("off")
    assert not hook_settings.read_settings(environment).is_on
    run("on")
    assert hook_settings.read_settings(environment).space == "project:apollo"


def test_the_environment_goes_before_and_is_named(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WSM_HOOKS", "on")

    assert "WSM_HOOKS=on goes before that." in run()


def test_a_broken_file_is_named_and_not_written_over(environment: dict[str, str]) -> None:
    path = Path(environment["XDG_CONFIG_HOME"]) / "wsm" / "hooks.json"
    path.parent.mkdir()
    path.write_text("{")

    result = CliRunner().invoke(wsm, ["hooks", "on"])

    assert (result.exit_code, str(path) in result.stderr, path.read_text()) == (1, True, "{")


def test_both_know_the_same_limit() -> None:
    assert hook_settings.MAX_RECALL_MILLISECONDS == hooks_command.MAX_RECALL_MILLISECONDS
