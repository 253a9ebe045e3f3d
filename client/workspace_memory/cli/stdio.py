"""`wsm mcp`: the MCP door for clients that start a program and talk to it over stdio."""

from __future__ import annotations

import asyncio

import click

from workspace_memory.cli.command_base import connected
from workspace_memory.cli.credentials import stored_login
from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.spaces import Spaces
from workspace_memory.wire import Address


@click.command()
@click.option("--user", help="With a stamped key: the user for whom every call is.")
@click.option(
    "--tools",
    metavar="SETS",
    help="The sets of tools to list, separated by commas: core, memory, telemetry, ontology, all. "
    "Without it, those of the key.",
)
@click.option("--sub-agent", is_flag=True, help="Every call is a sub-agent's: it is given no memory of users.")
def mcp(user: str | None, tools: str | None, sub_agent: bool) -> None:
    """Serve the workspace's MCP tools over stdio, for clients that start a program; see docs/how-to/mcp.md."""
    with connected(stamped_for=user) as memory:
        memory.workspace()  # a wrong key or an absent server is reported now, and not at the first call of an agent
    try:
        from mcp.shared.exceptions import MCPError

        from workspace_memory.mcp_stdio_bridge import serve_stdio
    except ModuleNotFoundError as error:
        raise click.ClickException(
            "This needs the MCP SDK: pip install './client[mcp]' in the server's folder."
        ) from error
    login = stored_login()
    stored = {name: login.get(name) for name in ("url", "key", "workspace")}
    address = Address.given(**stored, stamped=user is not None)
    try:
        asyncio.run(serve_stdio(address, Spaces(user=user, is_sub_agent=sub_agent), tools=tools))
    except MCPError as error:
        raise WorkspaceMemoryError(error.message) from error
    except KeyboardInterrupt:
        return
