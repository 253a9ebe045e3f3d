"""`wsm mcp` as it is installed: in an empty environment, with its extra and without."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from mcp_server.registry import listed_name
from mcp_server.tool_sets import CORE
from tests.cast import assemble_cast
from tests.client.installing import empty_environment, install
from tests.mcp_server.serving import house_served, over_stdio

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_it_serves_with_its_extra_and_says_what_is_missing_without(tmp_path: Path) -> None:
    cast = assemble_cast()
    programs = empty_environment(tmp_path)
    wsm = programs / "wsm"

    async def listed(client: Client) -> Any:
        return {tool.name for tool in (await client.list_tools()).tools}

    with house_served() as house:
        install(programs, "./client")
        environment = {"WSM_URL": house, "WSM_KEY": cast.acme.secret, "HOME": str(tmp_path)}
        without = subprocess.run([wsm, "mcp"], env=environment, capture_output=True, text=True, check=False)
        install(programs, "./client[mcp]")
        names = over_stdio(house, cast.acme.secret, listed, wsm=wsm)

    assert (without.returncode, without.stdout) == (1, "")
    cure = "pip install './client[mcp]' in the server's folder."
    assert without.stderr == f"Error: This needs the MCP SDK: {cure}\n"
    assert names == {listed_name(name) for name in CORE}
