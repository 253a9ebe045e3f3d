"""`wsm login` and `wsm logout`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from workspace_memory.cli.browser_login import sign_in
from workspace_memory.cli.credentials import DEFAULT, current_profile, keep_login, path_of_login
from workspace_memory.sync.client import Memory


@click.command()
@click.option("--url", help="The server's address, such as http://127.0.0.1:8000.")
@click.option("--workspace", help="The workspace's id; without it, that of the key.")
@click.option("--key-stdin", is_flag=True, help="Read the key from standard input instead of asking for it.")
@click.option(
    "--from",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read address, key and workspace from a file such as var/demo.json.",
)
@click.option(
    "--browser/--no-browser",
    "opens_browser",
    default=None,
    help="Sign in with a browser, which makes a key for this machine: open one, or print the address for it.",
)
def login(
    *, url: str | None, workspace: str | None, key_stdin: bool, file: Path | None, opens_browser: bool | None
) -> None:
    """Sign in with an API key, or with a browser; the key is kept in a file that only you can read."""
    if opens_browser is not None and (key_stdin or file or workspace):
        raise click.UsageError(
            "A browser brings the key and its workspace: leave out --key-stdin, --from, --workspace."
        )
    known: dict[str, str] = _read(file) if file else {}
    url = url or known.get("url") or click.prompt("Address of the server")
    key = known.get("api_key", "")
    if key_stdin:
        key = sys.stdin.readline().strip()
    elif not key and opens_browser is None:
        asked = "API key (Enter alone: sign in with a browser)"
        key = click.prompt(asked, hide_input=True, default="", show_default=False)
    if not key and not key_stdin:
        made = sign_in(url, opens_browser=opens_browser is not False)
        key, workspace = made.key, made.workspace
    with Memory(url, key, workspace or known.get("workspace_id")) as memory:
        here = memory.workspace()
    path = keep_login(url=url, key=key, workspace=here.id)
    click.echo(f"Signed in to {here.name} at {url}{_of_profile()}. The key is in {path}.")


@click.command()
def logout() -> None:
    """Forget the key."""
    path = path_of_login()
    path.unlink(missing_ok=True)
    click.echo(f"Signed out{_of_profile()}.")


def _of_profile() -> str:
    """Return words for a profile that is not the default one."""
    profile = current_profile()
    return "" if profile == DEFAULT else f" as the profile “{profile}”"


def _read(file: Path) -> dict[str, str]:
    try:
        known = json.loads(file.read_text())
        return {name: str(known[name]) for name in ("url", "api_key", "workspace_id")}
    except (ValueError, KeyError, TypeError) as error:
        raise click.UsageError(f"{file} has no url, api_key and workspace_id.") from error
