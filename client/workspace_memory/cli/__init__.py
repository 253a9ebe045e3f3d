"""`wsm`, the command line. Exit codes: 0 done, 1 refused or something is wrong, 2 misused, 3 not signed in or not
allowed, 4 absent, 5 no answer."""

from __future__ import annotations

import io
import sys

import click

from workspace_memory.cli import memory_commands  # noqa: F401  # adds its commands to `wsm memory`
from workspace_memory.cli.add_command import add
from workspace_memory.cli.bench_command import bench
from workspace_memory.cli.command_base import Guarded
from workspace_memory.cli.completion import completion
from workspace_memory.cli.connect_command import connect
from workspace_memory.cli.conversations import memory
from workspace_memory.cli.doctor import doctor
from workspace_memory.cli.hooks_command import hooks
from workspace_memory.cli.login import login, logout
from workspace_memory.cli.memories import STANDINGS, forget, remember
from workspace_memory.cli.profiles import add_profile_option, profiles
from workspace_memory.cli.question_commands import ask, context, explain
from workspace_memory.cli.settings import settings
from workspace_memory.cli.space_commands import space_list
from workspace_memory.cli.stdio import mcp
from workspace_memory.cli.transfers import export, import_
from workspace_memory.cli.undo_command import undo
from workspace_memory.cli.watch_command import watch
from workspace_memory.cli.workspace_commands import workspace
from workspace_memory.wire import VERSION

EXIT_CODES = (
    "Exit codes: 0 done, 1 refused or something is wrong, 2 misused, 3 not signed in or not allowed, "
    "4 there is no such thing, 5 no answer."
)


@click.group(
    cls=Guarded,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.version_option(VERSION, prog_name="wsm")
def wsm() -> None:
    """Workspace Memory from a terminal. Begin with `wsm login`."""


for command in (
    *(login, logout, profiles, connect, hooks, memory, remember, add, forget, *STANDINGS, context, ask, explain),
    *(space_list, workspace, settings, export, import_, undo, watch, doctor, bench, mcp, completion),
):
    wsm.add_command(command)
add_profile_option(wsm)


def main() -> None:
    """The entry point. What the terminal's encoding does not have is shown as a question mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    wsm(prog_name="wsm")
