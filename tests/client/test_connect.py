"""`wsm connect` on configuration files as programs and people write them, in temporary homes."""

from __future__ import annotations

import json
import platform
import tomllib
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from workspace_memory.cli import wsm
from workspace_memory.cli.connect.clients import CLIENTS, Computer
from workspace_memory.cli.credentials import keep_login

URL, KEY = "http://127.0.0.1:8000", "oxa_live_key-of-a-test"
BEARER = {"Authorization": f"Bearer {KEY}"}
CURSOR = """\
{
  // Servers of the team.
  "mcpServers": {
    "github": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-github"], /* pinned later */
      "env": {"TOKEN": "${env:GITHUB_TOKEN}"},
    }, // the last one
  },
}
"""
VSCODE = (
    '{\r\n\t"inputs": [{"id": "key", "type": "promptString", "password": true}],\r\n'
    '\t"servers": {\r\n\t\t"fetch": {"type": "stdio", "command": "uvx", "args": ["mcp-server-fetch"]}\r\n\t}\r\n}\r\n'
)
CLAUDE_CODE = json.dumps(
    {
        "numStartups": 41,
        "projects": {"/home/ana/bäckerei": {"allowedTools": [], "mcpServers": {"workspace-memory": {"url": "other"}}}},
        "mcpServers": {"sentry": {"type": "http", "url": "https://mcp.sentry.dev/mcp"}},
        "oauthAccount": {"emailAddress": "ana@bakery.test"},
    },
    indent=2,
    ensure_ascii=False,
)
CODEX = """\
# Which model.
model = "gpt-5-codex"
notify = ["say", "done # not a comment"]

[mcp_servers.docs]
command = "npx"   # by npm
args = ["-y", "mcp-docs"]

# What every project trusts.
[projects."/home/ana/bakery"]
trust_level = "trusted"
"""
FILES = {"cursor": CURSOR, "vscode": VSCODE, "claude-code": CLAUDE_CODE, "codex": CODEX}


class Home:
    """A home folder with a login, in which `wsm` is run in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        for name in (
            "WSM_URL",
            "WSM_KEY",
            "WSM_WORKSPACE",
            "WSM_PROFILE",
            "APPDATA",
            "CODEX_HOME",
            "CLAUDE_CONFIG_DIR",
        ):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(folder))
        monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / ".config"))
        self.computer = Computer(platform.system(), folder, {"XDG_CONFIG_HOME": str(folder / ".config")})
        keep_login(url=URL, key=KEY, workspace="w-1")

    def file(self, client: str, text: str | None = None) -> Path:
        path = CLIENTS[client].file(self.computer)
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_bytes(text.encode())
        return path

    def run(self, *arguments: str) -> Result:
        return CliRunner().invoke(wsm, ["connect", *arguments], prog_name="wsm")

    def done(self, *arguments: str) -> Any:
        result = self.run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    return Home(monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        ("claude-code", {"mcpServers": {"workspace-memory": {"type": "http", "url": f"{URL}/mcp", "headers": BEARER}}}),
        ("cursor", {"mcpServers": {"workspace-memory": {"url": f"{URL}/mcp", "headers": BEARER}}}),
        ("vscode", {"servers": {"workspace-memory": {"type": "http", "url": f"{URL}/mcp", "headers": BEARER}}}),
        ("windsurf", {"mcpServers": {"workspace-memory": {"serverUrl": f"{URL}/mcp", "headers": BEARER}}}),
        ("codex", {"mcp_servers": {"workspace-memory": {"url": f"{URL}/mcp", "http_headers": BEARER}}}),
    ],
)
def test_a_program_without_a_file_gets_one_that_is_gone_after_the_undo(home: Home, client: str, expected: Any) -> None:
    path = home.file(client)

    assert home.done(client)["done"] == "written"
    assert _read(path) == expected
    assert path.stat().st_mode & 0o777 == 0o600
    assert home.done(client)["done"] == "unchanged"
    assert home.done(client, "--undo")["done"] == "deleted"
    assert list(path.parent.glob("*mcp*")) + list(path.parent.glob("*config.*")) == []
    assert home.done(client, "--undo")["done"] == "unchanged"


@pytest.mark.parametrize("client", FILES)
def test_everything_else_in_a_file_stays_to_the_letter(home: Home, client: str) -> None:
    text = FILES[client]
    path = home.file(client, text)
    before = _read(path)

    said = home.run(client)

    assert (said.exit_code, f"{path}.wsm-backup" in said.output) == (0, True), said.output
    after, servers = _read(path), CLIENTS[client].servers
    assert after[servers].pop("workspace-memory")["url"] == f"{URL}/mcp"
    assert after == before
    written = path.read_bytes().decode()
    assert [line for line in text.splitlines() if line.rstrip(",") not in written] == []
    assert "\n" not in written.replace("\r\n", "") or "\r\n" not in text
    assert path.with_name(f"{path.name}.wsm-backup").read_bytes().decode() == text
    written_at = path.stat().st_mtime_ns
    assert home.done(client)["done"] == "unchanged"
    assert path.stat().st_mtime_ns == written_at
    assert home.done(client, "--undo")["done"] == "restored"
    assert path.read_bytes().decode() == text
    assert list(path.parent.glob("*.wsm-backup")) == []


@pytest.mark.parametrize("client", FILES)
def test_an_undo_keeps_what_was_changed_since(home: Home, client: str) -> None:
    path = home.file(client, FILES[client])
    home.done(client)
    changed = path.read_text().replace("docs", "manual").replace("github", "gitlab").replace("fetch", "get")
    changed = changed.replace("sentry", "traces")
    path.write_text(changed)

    assert home.done(client, "--undo")["done"] == "removed"

    entries = _read(path)[CLIENTS[client].servers]
    assert list(entries) == [{"codex": "manual", "cursor": "gitlab", "vscode": "get", "claude-code": "traces"}[client]]
    assert "workspace-memory" not in json.dumps(entries)
    assert home.done(client)["done"] == "written"


def test_another_key_goes_into_the_entry_and_what_else_it_has_stays(home: Home) -> None:
    mine = {"url": "http://other/mcp", "disabled": True, "command": "wsm", "args": ["mcp"]}
    path = home.file("cursor", json.dumps({"mcpServers": {"workspace-memory": mine}}))

    home.done("cursor", "--tools", "memory,telemetry")

    entry = _read(path)["mcpServers"]["workspace-memory"]
    assert entry == {"url": f"{URL}/mcp?tools=memory,telemetry", "disabled": True, "headers": BEARER}
    home.done("cursor", "--sign-in")
    assert _read(path)["mcpServers"]["workspace-memory"] == {"url": f"{URL}/mcp", "disabled": True}
    home.done("cursor", "--undo")
    assert _read(path) == {"mcpServers": {"workspace-memory": mine}}


def test_an_entry_of_codex_is_replaced_where_it_stands(home: Home) -> None:
    mine = '[mcp_servers."workspace-memory"]\n# Ours.\nurl = "http://other/mcp"\nbearer_token_env_var = "X"\n'
    more = "startup_timeout_sec = 20\n\n# Next.\n[mcp_servers.docs]\ncommand = 'npx'\n"
    path = home.file("codex", mine + more)

    home.done("codex")

    entry = _read(path)["mcp_servers"]["workspace-memory"]
    assert entry == {"url": f"{URL}/mcp", "http_headers": BEARER, "startup_timeout_sec": 20}
    assert path.read_text().endswith("\n\n# Next.\n[mcp_servers.docs]\ncommand = 'npx'\n")
    assert "# Ours.\n" in path.read_text()
    home.done("codex", "--undo")
    assert path.read_text() == mine + more


@pytest.mark.parametrize(
    ("client", "text", "why"),
    [
        ("cursor", '{"mcpServers": {,}}', "line 1"),
        ("cursor", '{\n"mcpServers": {}\n} {}', "line 3"),
        ("cursor", "[]", "not an object"),
        ("cursor", '{"mcpServers": null}', "“mcpServers” in it is not an object"),
        ("cursor", '{"a": ' + "[" * 200 + "]" * 200 + "}", "at most 100 levels"),
        ("codex", "model = ", "not TOML"),
        ("codex", 'mcp_servers = {docs = {command = "npx"}}\n', "only you can change"),
        ("codex", 'mcp_servers.workspace-memory.url = "http://other/mcp"\n', "only you can change"),
        ("codex", "note = '''\n[mcp_servers.workspace-memory]\n'''\n", None),
    ],
)
def test_a_file_that_cannot_be_changed_safely_stays_as_it_is(
    home: Home, client: str, text: str, why: str | None
) -> None:
    path = home.file(client, text)

    result = home.run(client)

    if why is None:  # a text that only looks like a table
        assert result.exit_code == 1 or _read(path)["note"] == "[mcp_servers.workspace-memory]\n"
        return
    assert (result.exit_code, path.read_text()) == (1, text), result.output
    assert f"{path} stays as it is." in result.stderr
    assert why in result.stderr
    assert list(path.parent.glob("*.wsm-backup")) == []


def test_a_file_that_is_not_utf_8_stays_as_it_is(home: Home) -> None:
    path = home.file("cursor")
    path.write_bytes(b'{"name": "\xe4"}')

    assert "not UTF-8" in home.run("cursor").stderr
    assert path.read_bytes() == b'{"name": "\xe4"}'


@pytest.mark.parametrize("text", ["", "  \n", "{}", "{ }\n", "{\n  // nothing yet\n}\n", '{"mcpServers": {}}'])
def test_an_empty_file_is_filled_and_emptied_again(home: Home, text: str) -> None:
    path = home.file("windsurf", text)

    home.done("windsurf")

    assert _read(path)["mcpServers"]["workspace-memory"]["serverUrl"] == f"{URL}/mcp"
    assert home.done("windsurf", "--undo")["done"] == "restored"
    assert path.read_text() == text


def test_claude_desktop_starts_wsm_and_its_file_has_no_key(home: Home) -> None:
    path = home.file("claude-desktop", '{"globalShortcut": ""}')

    assert home.run("claude-desktop").exit_code == 0

    entry = _read(path)["mcpServers"]["workspace-memory"]
    assert (Path(entry["command"]).is_absolute(), entry["args"]) == (True, ["mcp"])
    assert KEY not in path.read_text()
    assert home.run("claude-desktop", "--sign-in").exit_code == 2
    keep_login(url=URL, key=KEY, workspace="w-1")
    keep_login_as("work", url="http://127.0.0.1:9000")
    home.done("claude-desktop", "--profile", "work", "--name", "work")
    assert _read(path)["mcpServers"]["work"]["args"] == ["mcp", "--profile", "work"]


def test_the_program_is_started_with_the_login_that_was_named(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    work = "http://127.0.0.1:9000"
    keep_login_as("work", url=work)
    monkeypatch.setenv("WSM_PROFILE", "work")
    monkeypatch.setenv("WSM_KEY", "oxa_live_another-key")

    # The key of the environment, at the address of the profile; started with the profile it would have that one's key.
    home.done("claude-desktop", "--name", "key")
    # A profile by name goes before the environment, whose key has no business in the file.
    home.done("claude-desktop", "--name", "profile", "--profile", "work")

    entries = _read(home.file("claude-desktop"))["mcpServers"]
    assert entries["key"]["args"] == ["mcp"]
    assert entries["key"]["env"] == {"WSM_URL": work, "WSM_KEY": "oxa_live_another-key"}
    assert entries["profile"]["args"] == ["mcp", "--profile", "work"]
    assert "WSM_KEY" not in entries["profile"].get("env", {})


def test_print_writes_nothing_and_a_link_stays_a_link(home: Home, tmp_path: Path) -> None:
    printed = home.run("codex", "--print")
    assert tomllib.loads(printed.stdout)["mcp_servers"]["workspace-memory"]["http_headers"] == BEARER
    assert not home.file("codex").exists()
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    link = home.file("cursor")
    link.symlink_to(kept)

    home.done("cursor")

    assert link.is_symlink()
    assert "workspace-memory" in kept.read_text()


def test_without_a_client_it_lists_them(home: Home) -> None:
    home.done("cursor")
    home.file("windsurf", "{")

    rows = {row["client"]: row["connected"] for row in home.done()}

    assert rows == {client: client == "cursor" for client in CLIENTS} | {"windsurf": None}
    assert home.run().output.splitlines()[0].split() == ["client", "connected", "file"]


def test_without_a_login_nothing_is_written(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "empty"))

    result = home.run("cursor")

    assert (result.exit_code, "wsm login" in result.stderr) == (3, True)
    assert not home.file("cursor").exists()


@pytest.mark.parametrize(
    ("system", "environment", "client", "expected"),
    [
        ("Linux", {}, "claude-desktop", ".config/Claude/claude_desktop_config.json"),
        ("Linux", {"XDG_CONFIG_HOME": "/x"}, "vscode", "/x/Code/User/mcp.json"),
        ("Darwin", {}, "claude-desktop", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("Darwin", {}, "vscode", "Library/Application Support/Code/User/mcp.json"),
        ("Windows", {"APPDATA": "/roaming"}, "claude-desktop", "/roaming/Claude/claude_desktop_config.json"),
        ("Windows", {}, "vscode", "AppData/Roaming/Code/User/mcp.json"),
        ("Linux", {}, "claude-code", ".claude.json"),
        ("Linux", {"CLAUDE_CONFIG_DIR": "/c"}, "claude-code", "/c/.claude.json"),
        ("Darwin", {}, "cursor", ".cursor/mcp.json"),
        ("Linux", {}, "codex", ".codex/config.toml"),
        ("Linux", {"CODEX_HOME": "/c"}, "codex", "/c/config.toml"),
        ("Windows", {}, "windsurf", ".codeium/windsurf/mcp_config.json"),
    ],
)
def test_where_files_are(system: str, environment: dict[str, str], client: str, expected: str) -> None:
    found = CLIENTS[client].file(Computer(system, Path("/home/ana"), environment))

    assert found == Path("/home/ana") / expected


def keep_login_as(profile: str, *, url: str) -> None:
    """Keep a login under the name of a profile, as `wsm login --profile` does."""
    from workspace_memory.cli.credentials import path_of_login

    path = path_of_login(profile)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"url": url, "key": KEY, "workspace": "w-2"}))


def _read(path: Path) -> Any:
    """Read a configuration file by other means than the product's."""
    text = path.read_bytes().decode()
    if path.suffix == ".toml":
        return tomllib.loads(text)
    without = "\n".join(line.split(" // ")[0].split("  // ")[0] for line in text.splitlines())
    without = without.replace("// Servers of the team.", "").replace("/* pinned later */", "")
    without = without.replace("// nothing yet", "")
    for closing in ("}", "]"):
        while (found := _without_trailing_comma(without, closing)) != without:
            without = found
    return json.loads(without)


def _without_trailing_comma(text: str, closing: str) -> str:
    import re

    return re.sub(rf",(\s*\{closing})", r"\1", text)
