"""`wsm`: what it prints for people and for programs, what it asks, and how it ends."""

from __future__ import annotations

import json
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner, Result

from tests.cast import Cast
from tests.client.wiring import IMPATIENT, URL, Here, Script, memory_of
from transfer.imports.tasks import run_import
from workspace_memory import Memory
from workspace_memory.cli import command_base, wsm
from workspace_memory.cli.credentials import path_of_login
from workspaces.access.callers import Right


class Terminal:
    """A home folder in which `wsm` is run, in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
        self._patch = monkeypatch
        monkeypatch.setenv("XDG_CONFIG_HOME", str(home))
        for name in ("WSM_URL", "WSM_KEY", "WSM_WORKSPACE"):
            monkeypatch.delenv(name, raising=False)
        self.reach(Here())

    def reach(self, http: httpx.BaseTransport) -> None:
        # By its path: in the package its name is that of the command.
        for module in (command_base, import_module("workspace_memory.cli.login")):
            self._patch.setattr(module, "Memory", partial(Memory, http=http, retries=IMPATIENT))

    def sign_in(self, secret: str) -> None:
        assert self.run("login", "--url", URL, "--key-stdin", said=f"{secret}\n").exit_code == 0

    def run(self, *arguments: str, said: str = "") -> Result:
        return CliRunner().invoke(wsm, arguments, input=said, prog_name="wsm")

    def json(self, *arguments: str) -> Any:
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Terminal:
    return Terminal(monkeypatch, tmp_path)


@pytest.fixture
def acme_terminal(terminal: Terminal, cast: Cast) -> Terminal:
    terminal.sign_in(cast.acme.secret)
    return terminal


def test_login_keeps_the_key_where_only_its_owner_reads_it(terminal: Terminal, cast: Cast) -> None:
    result = terminal.run("login", said=f"{URL}\n{cast.acme.secret}\n")

    assert (result.exit_code, "Signed in to Acme" in result.output) == (0, True)
    assert cast.acme.secret not in result.output
    assert path_of_login().stat().st_mode & 0o777 == 0o600
    assert json.loads(path_of_login().read_text())["workspace"] == str(cast.acme.workspace.id)
    assert terminal.run("logout").exit_code == 0
    assert not path_of_login().exists()


def test_a_key_that_opens_nothing_is_not_kept(terminal: Terminal, cast: Cast) -> None:
    result = terminal.run("login", "--url", URL, "--key-stdin", said="oxa_live_wrong\n")

    assert (result.exit_code, path_of_login().exists()) == (3, False)


def test_login_reads_what_make_run_leaves_and_refuses_other_files(
    terminal: Terminal, cast: Cast, tmp_path: Path
) -> None:
    demo = tmp_path / "demo.json"
    demo.write_text(json.dumps({"url": URL, "api_key": cast.acme.secret, "workspace_id": str(cast.acme.workspace.id)}))

    assert terminal.run("login", "--from", str(demo)).exit_code == 0
    demo.write_text("[]")
    assert terminal.run("login", "--from", str(demo)).exit_code == 2


def test_without_a_login_it_says_how(terminal: Terminal) -> None:
    result = terminal.run("memory", "ls")

    assert (result.exit_code, "wsm login" in result.stderr) == (3, True)


def test_half_an_environment_says_which_half_is_missing(acme_terminal: Terminal, monkeypatch: Any) -> None:
    monkeypatch.setenv("WSM_URL", URL)

    result = acme_terminal.run("memory", "ls")

    assert (result.exit_code, "set WSM_KEY" in result.stderr) == (3, True)


def test_a_key_that_was_not_put_in_whole_is_said_to_be(terminal: Terminal) -> None:
    assert "put in the whole key" in terminal.run("login", "--url", URL, "--key-stdin", said="oxa_live_…\n").stderr


def test_a_command_that_stands_deeper_is_named(terminal: Terminal) -> None:
    result = terminal.run("search", "tea")

    assert (result.exit_code, "Did you mean `wsm memory search`?" in result.stderr) == (2, True)


def test_a_field_s_problem_is_said_once(acme_terminal: Terminal) -> None:
    assert acme_terminal.run("memory", "search", "").stderr == "Error: query: This field may not be blank. [invalid]\n"


def test_the_environment_goes_before_the_login(acme_terminal: Terminal, cast: Cast, monkeypatch: Any) -> None:
    acme_terminal.run("remember", "Tea is ordered on Mondays.")
    monkeypatch.setenv("WSM_URL", URL)
    monkeypatch.setenv("WSM_KEY", cast.umbrella.secret)

    assert acme_terminal.json("memory", "search", "tea")["results"] == []


def test_search_prints_score_method_and_milliseconds(acme_terminal: Terminal) -> None:
    acme_terminal.run("remember", "Tea [bold]is[/bold] ordered on Mondays.", "--tag", "tea")

    result = acme_terminal.run("memory", "search", "tea", "--mode", "keyword", "--tag", "tea", "--kind", "memory")

    head, row, summary = result.output.splitlines()
    assert head.split() == ["score", "id", "kind", "content"]
    assert row.startswith("1.000  ")
    assert "Tea [bold]is[/bold] ordered on Mondays." in row
    assert summary.startswith("1 memory found, method keyword, ")
    assert summary.endswith(" ms")
    assert acme_terminal.run("memory", "search", "coffee").output.startswith("0 memories found")


def test_json_is_what_the_server_said(acme_terminal: Terminal) -> None:
    written = acme_terminal.json("remember", "Tea is ordered on Mondays.", "--fact", "--importance", "0.9")
    found = acme_terminal.json("memory", "search", "tea")

    assert (written["kind"], written["importance"]) == ("fact", 0.9)
    assert [hit["memory"]["id"] for hit in found["results"]] == [written["id"]]
    assert {"method", "latency_ms"} <= found.keys()


def test_every_verb_says_what_it_did(acme_terminal: Terminal) -> None:
    id = acme_terminal.json("remember", "Tea is ordered on Mondays.")["id"]

    said = [acme_terminal.run(verb, id).output for verb in ("promote", "demote", "pin", "unpin")]
    said += [acme_terminal.run("forget", id, "--yes").output, acme_terminal.run("restore", id).output]

    kinds = ["Promoted fact", "Demoted memory", "Pinned memory", "Unpinned memory", "Forgot memory", "Restored memory"]
    assert said == [f"{kind} {id}: Tea is ordered on Mondays.\n" for kind in kinds]


@pytest.mark.parametrize(("arguments", "done"), [(["memory", "end"], "ended"), (["memory", "rm"], None)])
def test_end_and_rm_ask_first(acme_terminal: Terminal, cast: Cast, arguments: list[str], done: str | None) -> None:
    memory = memory_of(cast.acme)
    memory.session("s-1").history.append("user", "Hello.")

    refused = acme_terminal.run(*arguments, "s-1", said="n\n")
    assert (refused.exit_code, "s-1" in refused.stderr) == (1, True)
    assert [found.status for found in memory.conversations.list()] == ["open"]

    assert acme_terminal.run(*arguments, "s-1", said="y\n").exit_code == 0
    assert [found.status for found in memory.conversations.list()] == ([done] if done else [])


def test_forget_asks_first_and_shows_what(acme_terminal: Terminal) -> None:
    id = acme_terminal.json("remember", "Tea is ordered on Mondays.")["id"]

    refused = acme_terminal.run("forget", id, said="n\n")

    assert (refused.exit_code, "Tea is ordered on Mondays." in refused.stderr) == (1, True)
    assert acme_terminal.run("memory", "search", "tea").output.startswith("score")


def test_show_has_messages_and_what_was_written_for_the_session(acme_terminal: Terminal, cast: Cast) -> None:
    memory_of(cast.acme).session("s-1").history.append("user", "When is tea ordered?")
    acme_terminal.run("remember", "Tea is ordered on Mondays.", "--session", "s-1")

    shown = acme_terminal.run("memory", "show", "s-1").output
    told = acme_terminal.json("memory", "show", "s-1")

    assert "user  When is tea ordered?" in shown
    assert "Tea is ordered on Mondays." in shown
    assert [len(told[part]) for part in ("messages", "episodes", "memories")] == [1, 0, 1]
    assert [one["key"] for one in acme_terminal.json("memory", "ls")] == ["s-1"]


def test_settings_are_shown_and_changed(acme_terminal: Terminal) -> None:
    changed = acme_terminal.json("settings", "memory.enabled=true", "memory.retention_days=30")

    assert (changed["memory"]["enabled"], changed["memory"]["retention_days"]) == (True, 30)
    assert "memory.retention_days" in acme_terminal.run("settings").output
    assert acme_terminal.run("settings", "memory").exit_code == 2
    refused = acme_terminal.run("settings", "memory.retention_days=soon")
    assert (refused.exit_code, "memory.retention_days" in refused.stderr) == (1, True)


def test_doctor_looks_at_everything_and_fails_where_something_is_wrong(acme_terminal: Terminal) -> None:
    path_of_login().chmod(0o644)

    result = acme_terminal.run("doctor", "--json")

    checks = {check["name"]: check for check in json.loads(result.stdout)}
    assert result.exit_code == 1
    assert (checks["login"]["ok"], "chmod 600" in checks["login"]["seen"]) == (False, True)
    assert (checks["key"]["ok"], checks["search"]["ok"]) == (True, True)
    assert list(checks) == ["login", "server", "key", "search"]


def test_exit_codes(acme_terminal: Terminal, cast: Cast) -> None:
    id = acme_terminal.json("remember", "Tea is ordered on Mondays.")["id"]
    acme_terminal.run("pin", id)
    codes = {
        "refused": acme_terminal.run("forget", id, "--yes").exit_code,
        "misused": acme_terminal.run("memory", "search").exit_code,
        "absent": acme_terminal.run("pin", "00000000-0000-0000-0000-000000000000").exit_code,
    }
    acme_terminal.sign_in(cast.acme.rest(Right.READ).secret)
    codes["forbidden"] = acme_terminal.run("pin", id).exit_code
    acme_terminal.reach(Script(*[httpx.ConnectError("refused") for _ in range(3)]))
    codes["no answer"] = acme_terminal.run("memory", "ls").exit_code

    assert codes == {"refused": 1, "misused": 2, "absent": 4, "forbidden": 3, "no answer": 5}


@pytest.mark.parametrize(
    ("arguments", "ending"),
    [
        (["login", "--from", "<demo>", "--workspace", "ws-9"], (1, "does not open the workspace ws-9")),
        (["memory", "show", "\udcff"], (1, "not text")),
        (["settings", "memory=5", "memory.enabled=true"], (2, "contradicts")),
        (["export", "<nowhere>/x.jsonl"], (1, "No such file")),
        (["import", "<notes>", "--report", "<nowhere>/report.json"], (1, "No such file")),
    ],
)
def test_what_cannot_be_is_one_line_and_no_traceback(
    acme_terminal: Terminal, cast: Cast, tmp_path: Path, arguments: list[str], ending: tuple[int, str]
) -> None:
    demo, notes = tmp_path / "demo.json", tmp_path / "notes"
    demo.write_text(json.dumps({"url": URL, "api_key": cast.acme.secret, "workspace_id": ""}))
    (notes / "folder.md").mkdir(parents=True)
    (notes / "link.md").symlink_to("/nowhere/else.md")
    (notes / "tea.md").write_text("# Tea\nOn Mondays.")
    places = {"<demo>": str(demo), "<notes>": str(notes), "<nowhere>": str(tmp_path / "nowhere")}
    for name, place in places.items():
        arguments = [argument.replace(name, place) for argument in arguments]

    result = acme_terminal.run(*arguments)

    assert (result.exit_code, type(result.exception)) == (ending[0], SystemExit), result.output
    assert ending[1] in result.stderr


def test_errors_are_one_line_without_the_key(acme_terminal: Terminal, cast: Cast) -> None:
    acme_terminal.reach(Script(*[httpx.ConnectError("refused") for _ in range(3)]))

    result = acme_terminal.run("memory", "ls")

    assert result.stderr == f"Error: {URL} does not answer (ConnectError). Is the server running?\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.heavy
def test_completion(terminal: Terminal, shell: str) -> None:
    assert "_WSM_COMPLETE" in terminal.run("completion", shell).output


def test_every_command_has_help(terminal: Terminal) -> None:
    for name in wsm.commands:
        assert terminal.run(name, "--help").exit_code == 0


def test_a_workspace_goes_into_a_file_and_into_another_workspace(
    acme_terminal: Terminal, cast: Cast, tmp_path: Path
) -> None:
    file = tmp_path / "acme.jsonl"
    id = acme_terminal.json("remember", "Tea is ordered on Mondays.")["id"]
    said = acme_terminal.run("export", str(file))
    assert (said.exit_code, "checksums verified" in said.output) == (0, True), said.output
    assert acme_terminal.run("export", str(file)).exit_code == 2
    acme_terminal.sign_in(cast.umbrella.secret)

    assert acme_terminal.json("import", str(file))["ids"] == "kept"

    found = acme_terminal.json("memory", "search", "tea", "--mode", "keyword")["results"]
    assert [hit["memory"]["id"] for hit in found] == [id]
    assert acme_terminal.run("import", str(file)).exit_code == 1
    assert acme_terminal.run("import", str(file), "--dry-run").exit_code == 2


def test_a_file_that_does_not_arrive_whole_is_not_kept(acme_terminal: Terminal, tmp_path: Path) -> None:
    acme_terminal.run("remember", "Tea is ordered on Mondays.")
    file = tmp_path / "acme.jsonl"
    acme_terminal.run("export", str(file))
    first, rest = file.read_bytes().split(b"\n", 1)
    acme_terminal.reach(Script(httpx.Response(200, content=first + b"\n" + rest.replace(b"tea", b"TEA")[:-9])))

    result = acme_terminal.run("export", str(tmp_path / "other.jsonl"))

    assert (result.exit_code, list(tmp_path.glob("other*"))) == (1, [])


def test_a_large_export_is_sent_in_parts(cast: Cast, tmp_path: Path) -> None:
    file, mine, theirs = tmp_path / "acme.jsonl", memory_of(cast.acme), memory_of(cast.umbrella)
    for number in range(20):
        mine.write(f"Tea number {number}.")
    mine.transfers.export(file)
    sent: list[tuple[int, int]] = []

    job = theirs.transfers.import_workspace(file, progress=lambda *told: sent.append(told), at_once=4_000)
    run_import(str(cast.umbrella.workspace.id), job.id)

    assert (job.status, len(sent) > 3, sent[-1]) == ("queued", True, (file.stat().st_size,) * 2)
    done = theirs.transfers.wait(job.id)
    assert (done.status, (done.report or {})["counts"]["memory"]) == ("done", 20)
    assert len(dict(theirs.transfers.map(job.id))) == (done.report or {})["mapped"]
