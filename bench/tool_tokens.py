"""What lists of MCP tools cost an agent: tokens of the tools of each set, and of other servers.

A model gets the name, the description and the schema of the arguments of each tool. These are counted as one JSON list,
with the tokenizer o200k. Other servers are commands that speak MCP over stdio: `--peer "name=command argument …"`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx2
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from core.text.tokens import count_tokens

HOME = Path(os.environ.get("WSM_HOME", "var"))
SETS = ("core", "memory", "telemetry", "ontology", "all")


def main(argv: Sequence[str] | None = None) -> None:
    """Print a row for each set of tools, and for each peer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", action="append", default=[], help="name=command")
    peers = [peer.partition("=") for peer in parser.parse_args(argv).peer]
    print("| | tools | tokens |\n|---|---|---|")
    with asyncio.Runner() as runner:
        for name, tools in runner.run(_count_all([(name, command) for name, _, command in peers])):
            print(f"| {name} | {len(tools)} | {count_tokens(json.dumps(tools)):,} |")


async def _count_all(peers: Sequence[tuple[str, str]]) -> list[tuple[str, list[dict[str, Any]]]]:
    counted = [(f"`tools={name}`", await _list_of_set(name)) for name in SETS]
    return [*counted, *[(name, await _list_of_peer(command)) for name, command in peers]]


async def _list_of_set(name: str) -> list[dict[str, Any]]:
    demo = json.loads((HOME / "demo.json").read_text())
    headers = {"Authorization": f"Bearer {demo['api_key']}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(f"{demo['url']}/mcp?tools={name}", http_client=http)) as client,
    ):
        return list(_shown((await client.list_tools()).tools))


async def _list_of_peer(command: str) -> list[dict[str, Any]]:
    program, *arguments = shlex.split(command)
    async with Client(
        stdio_client(StdioServerParameters(command=program, args=arguments, env=dict(os.environ)))
    ) as client:
        return list(_shown((await client.list_tools()).tools))


def _shown(tools: Sequence[Any]) -> Iterator[dict[str, Any]]:
    for tool in tools:
        yield {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}


if __name__ == "__main__":
    main()
