"""The programs that can be connected: where each keeps its MCP servers, and what one looks like there. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

MACOS, WINDOWS = "Darwin", "Windows"


@dataclass(frozen=True, slots=True)
class Computer:
    """Where files are: the operating system as `platform.system` names it, the home folder, the environment."""

    system: str
    home: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def settings_folder(self) -> Path:
        """Return the folder in which desktop programs keep their settings."""
        if self.system == MACOS:
            return self.home / "Library" / "Application Support"
        if self.system == WINDOWS:
            return Path(self.environment.get("APPDATA") or self.home / "AppData" / "Roaming")
        return Path(self.environment.get("XDG_CONFIG_HOME") or self.home / ".config")

    def folder(self, variable: str, default: str) -> Path:
        """Return the folder that a variable names, or one in the home folder."""
        return Path(self.environment.get(variable) or self.home / default)


@dataclass(frozen=True, slots=True)
class Target:
    """The server that is written: its address, the key unless the program signs in, and which tools it lists.

    `program` and its `environment` start `wsm mcp`, for programs that call no address.
    """

    url: str
    key: str | None
    tools: str = "core"
    program: tuple[str, ...] = ("wsm", "mcp")
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def mcp_url(self) -> str:
        """The address of the MCP door."""
        return f"{self.url.rstrip('/')}/mcp{'' if self.tools == 'core' else f'?tools={self.tools}'}"

    @property
    def headers(self) -> dict[str, str]:
        """The header with the key; none where the program signs in."""
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}


@dataclass(frozen=True, slots=True)
class ConnectedClient:
    """A program that is connected by its configuration file.

    `servers` is the path of the object or table with its MCP servers, `headers` the name of the headers of one; `next`
    says what makes the program read the file.
    """

    label: str
    file: Callable[[Computer], Path]
    entry: Callable[[Target], dict[str, Any]]
    next: str
    format: Literal["json", "toml"] = "json"
    servers: str = "mcpServers"
    headers: str = "headers"
    starts_program: bool = False


def _with_headers(entry: dict[str, Any], target: Target, name: str = "headers") -> dict[str, Any]:
    return {**entry, name: target.headers} if target.headers else entry


def _typed(target: Target) -> dict[str, Any]:
    return _with_headers({"type": "http", "url": target.mcp_url}, target)


def _started(target: Target) -> dict[str, Any]:
    command, *arguments = target.program
    entry: dict[str, Any] = {"command": command, "args": arguments}
    return {**entry, "env": dict(target.environment)} if target.environment else entry


CLIENTS: Mapping[str, ConnectedClient] = {
    "claude-code": ConnectedClient(
        "Claude Code",
        lambda computer: computer.folder("CLAUDE_CONFIG_DIR", "") / ".claude.json",
        _typed,
        "Start Claude Code again; /mcp shows it.",
    ),
    "claude-desktop": ConnectedClient(
        "Claude Desktop",
        lambda computer: computer.settings_folder() / "Claude" / "claude_desktop_config.json",
        _started,
        "Quit Claude Desktop and start it again.",
        starts_program=True,
    ),
    "cursor": ConnectedClient(
        "Cursor",
        lambda computer: computer.home / ".cursor" / "mcp.json",
        lambda target: _with_headers({"url": target.mcp_url}, target),
        "Cursor Settings → MCP shows it.",
    ),
    "vscode": ConnectedClient(
        "VS Code",
        lambda computer: computer.settings_folder() / "Code" / "User" / "mcp.json",
        _typed,
        "The command “MCP: List Servers” shows it.",
        servers="servers",
    ),
    "codex": ConnectedClient(
        "Codex",
        lambda computer: computer.folder("CODEX_HOME", ".codex") / "config.toml",
        lambda target: _with_headers({"url": target.mcp_url}, target, "http_headers"),
        "Start Codex again; /mcp shows it.",
        format="toml",
        servers="mcp_servers",
        headers="http_headers",
    ),
    "windsurf": ConnectedClient(
        "Windsurf",
        lambda computer: computer.home / ".codeium" / "windsurf" / "mcp_config.json",
        lambda target: _with_headers({"serverUrl": target.mcp_url}, target),
        "Press refresh in Windsurf's MCP panel.",
    ),
}
