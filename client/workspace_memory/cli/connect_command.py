"""`wsm connect`: this server in the configuration of an agent's program, and out of it again."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import sys
from pathlib import Path

import click

from workspace_memory.cli.command_base import NotSignedIn, as_json, printed_json
from workspace_memory.cli.connect.clients import CLIENTS, Computer, ConnectedClient, Target
from workspace_memory.cli.connect.entries import write_snippet
from workspace_memory.cli.connect.errors import ConfigurationError
from workspace_memory.cli.connect.files import ConfigurationFile
from workspace_memory.cli.credentials import DEFAULT, current_profile, named_profile, stored_login
from workspace_memory.cli.output import table
from workspace_memory.wire import KEY, VERSION, Address

SERVER = "workspace-memory"
SIGN_IN = "--sign-in"


@click.command()
@click.argument("client", type=click.Choice(list(CLIENTS)), required=False)
@click.option("--name", default=SERVER, show_default=True, help="What the server is called there.")
@click.option("--tools", default="core", show_default=True, metavar="SETS", help="The sets of tools that it lists.")
@click.option(SIGN_IN, "sign_in", is_flag=True, help="Write no key: the program signs in through a browser.")
@click.option("--print", "is_printed", is_flag=True, help="Print what would be written, key included; write nothing.")
@click.option("--undo", "is_undone", is_flag=True, help="Take it out again.")
@as_json
def connect(
    *,
    client: str | None,
    name: str,
    tools: str,
    sign_in: bool,
    is_printed: bool,
    is_undone: bool,
    as_json: bool,
) -> None:
    """Write the server of `wsm login` into the configuration of CLIENT; without CLIENT, list them.

    Everything else in the file stays, comments too; the file as it was is kept next to it.
    """
    if client is None:
        _list(name, as_json)
        return
    chosen = CLIENTS[client]
    file = ConfigurationFile(chosen, chosen.file(_computer()), name)
    if is_undone:
        done: str = file.undo()
        sentence = _undone(done, file)
    elif is_printed:
        click.echo(file.path, err=True)
        click.echo(write_snippet(chosen, name, chosen.entry(_target(chosen, tools, sign_in))), nl=False)
        return
    else:
        done = file.connect(chosen.entry(_target(chosen, tools, sign_in)))
        sentence = _connected(done, file)
    if as_json:
        printed_json({"client": client, "file": str(file.path), "name": name, "done": done})
    else:
        click.echo(sentence)


def _list(name: str, as_json: bool) -> None:
    computer = _computer()
    files = {slug: ConfigurationFile(client, client.file(computer), name) for slug, client in CLIENTS.items()}
    rows = [(slug, _is_connected(file), str(file.path)) for slug, file in files.items()]
    if as_json:
        printed_json([{"client": slug, "connected": is_connected, "file": path} for slug, is_connected, path in rows])
    else:
        words = {True: "yes", False: "no", None: "cannot be read"}
        shown = [(slug, words[is_connected], path) for slug, is_connected, path in rows]
        table(["client", "connected", "file"], shown, whole=["client", "connected"])


def _is_connected(file: ConfigurationFile) -> bool | None:
    """Return whether the server is in a file, None for one that cannot be read."""
    try:
        return file.entry() is not None
    except ConfigurationError:
        return None


def _computer() -> Computer:
    return Computer(platform.system(), Path.home(), os.environ)


def _target(client: ConnectedClient, tools: str, sign_in: bool) -> Target:
    login = stored_login()
    if not login.get("url") or not (sign_in or login.get("key")):
        raise NotSignedIn("Sign in first: wsm login (or set WSM_URL and WSM_KEY).")
    if not client.starts_program:
        key = None if sign_in else login["key"]
        Address.given(url=login["url"], key=key or VERSION, workspace=None)  # refuses what no address and no key is
        return Target(login["url"], key, tools)
    if sign_in:
        raise click.UsageError(f"{client.label} starts `wsm mcp`, which uses the login of `wsm`: leave out {SIGN_IN}.")
    if importlib.util.find_spec("mcp") is None:
        click.echo("It will need the MCP SDK: pip install 'workspace-memory[mcp]'", err=True)
    return Target(login["url"], login["key"], tools, _program(tools), _environment(login))


def _program(tools: str) -> tuple[str, ...]:
    """Return what starts `wsm mcp`: by its whole path, since desktop programs do not know the shell's PATH."""
    found = shutil.which("wsm") or os.path.abspath(sys.argv[0])
    profile = current_profile()
    chosen = () if profile == DEFAULT or _is_of_environment() else ("--profile", profile)
    return (found, "mcp", *chosen, *(() if tools == "core" else ("--tools", tools)))


def _environment(login: dict[str, str]) -> dict[str, str]:
    """Return what it has to know of this environment; a login that is kept is read by `wsm` itself."""
    if _is_of_environment():
        return {"WSM_URL": login["url"], "WSM_KEY": login["key"]}
    folder = os.environ.get("XDG_CONFIG_HOME")
    return {"XDG_CONFIG_HOME": folder} if folder else {}


def _is_of_environment() -> bool:
    """Return whether the environment says which key it is; `--profile` goes before that."""
    return named_profile() is None and bool(os.environ.get(KEY))


def _connected(done: str, file: ConfigurationFile) -> str:
    if done == "unchanged":
        return f"{file.client.label} is connected already: {file.path}"
    kept = f" The file as it was: {file.backup}." if file.backup.exists() else ""
    return f"Connected {file.client.label}: {file.name} is in {file.path}.{kept} {file.client.next}"


def _undone(done: str, file: ConfigurationFile) -> str:
    return {
        "restored": f"{file.path} is as it was before.",
        "removed": f"{file.name} is out of {file.path}; what was changed in it since stays.",
        "deleted": f"{file.path} had nothing else in it, and is deleted.",
        "unchanged": f"{file.name} is not in {file.path}.",
    }[done]
