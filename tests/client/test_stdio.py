"""`wsm mcp` as it is installed: in an empty environment, with its extra and without."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client

from mcp_server.server import NAMED
from tests.cast import assemble_cast
from tests.mcp_server.serving import house_served, over_stdio
from tests.rules.source import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(400)]


def test_it_serves_with_its_extra_and_says_what_is_missing_without(tmp_path: Path) -> None:
    cast = assemble_cast()
    venv.create(tmp_path, with_pip=True, symlinks=True)
    wsm = tmp_path / "bin" / "wsm"

    async def listed(client: Client) -> Any:
        return {tool.name for tool in (await client.list_tools()).tools}

    with house_served() as house:
        _install(tmp_path, "./client")
        environment = {"WSM_URL": house, "WSM_KEY": cast.acme.secret, "HOME": str(tmp_path)}
        without = subprocess.run([wsm, "mcp"], env=environment, capture_output=True, text=True, check=False)
        _install(tmp_path, "./client[mcp]")
        names = over_stdio(house, cast.acme.secret, listed, wsm=wsm)

    assert (without.returncode, without.stdout) == (1, "")
    cure = "pip install './client[mcp]' in the server's folder."
    assert without.stderr == f"Error: This needs the MCP SDK: {cure}\n"
    assert names == NAMED.keys()


def _install(home: Path, package: str) -> None:
    pip: list[str | Path] = [
        home / "bin" / "python",
        "-m",
        "pip",
        "--disable-pip-version-check",
        "--no-input",
        "--quiet",
    ]
    done = subprocess.run([*pip, "install", package], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
