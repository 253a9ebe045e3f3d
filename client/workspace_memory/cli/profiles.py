"""`wsm profiles`, and `--profile` for every command."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from workspace_memory.cli.command_base import as_json, printed_json
from workspace_memory.cli.credentials import choose_profile, current_profile, known_profiles, read_login
from workspace_memory.cli.output import table


def complete_profiles(context: click.Context, option: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the profiles that have a login and begin like this."""
    return [CompletionItem(name) for name in known_profiles() if name.startswith(begun)]


def add_profile_option(command: click.Command) -> None:
    """Let a command take `--profile`, and all commands below it."""
    command.params.append(
        click.Option(
            ["--profile"],
            metavar="NAME",
            help="With the login of this profile; WSM_PROFILE names it as well.",
            callback=choose_profile,
            expose_value=False,
            is_eager=True,
            shell_complete=complete_profiles,
        )
    )
    if isinstance(command, click.Group):
        for nested in command.commands.values():
            add_profile_option(nested)


@click.command()
@as_json
def profiles(as_json: bool) -> None:
    """List the profiles that have a login, and which of them is used."""
    here = current_profile()
    found = {name: read_login(name) for name in known_profiles()}
    if as_json:
        rows = [
            {"profile": name, "url": login["url"], "workspace": login["workspace"], "current": name == here}
            for name, login in found.items()
        ]
        printed_json(rows)
        return
    table(
        ["profile", "server", "workspace", "used"],
        [(name, login["url"], login["workspace"], "yes" if name == here else "") for name, login in found.items()],
        whole=["profile", "workspace"],
    )
