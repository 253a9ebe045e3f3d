"""The MCP Inspector's command line, as its authors publish it, lists and calls every tool of a running server."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_server.registry import listed_name
from tests.cast import Cast, assemble_cast
from tests.furnished import furnish
from tests.mcp_server.calls import CALLS, filled, ids_in
from tests.mcp_server.serving import WSM, house_served
from tests.npm import npm_modules

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(900)]
# The Inspector wants a newer Node.js than many machines have; npm carries that as well.
VERSIONS = {"@modelcontextprotocol/inspector": "2.12.0", "node": "22.23.3"}
PROCESSORS = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
Inspect = Callable[..., Any]


@pytest.fixture(scope="session")
def inspector(request: pytest.FixtureRequest) -> list[str]:
    """The command, installed once into pytest's cache."""
    node = f"node-{sys.platform}-{PROCESSORS[platform.machine().lower()]}"
    program = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    packages = {name.replace("node", node, 1): version for name, version in VERSIONS.items()}
    modules = npm_modules(request.config.cache.mkdir("inspector"), packages, made=program)
    return [str(modules / node / "bin" / "node"), str(modules / program), "--cli"]


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    cast = assemble_cast()
    furnish(cast.acme)
    return cast


@pytest.fixture
def house(cast: Cast) -> Iterator[str]:
    with house_served() as house:
        yield house


@pytest.fixture
def inspect(inspector: list[str], house: str, cast: Cast, tmp_path: Path) -> Inspect:
    """The JSON that the Inspector prints, over HTTP or, with `over`, of another server."""

    def run(*arguments: str, over: tuple[str, ...] = ()) -> Any:
        server = over or (
            f"{house}/mcp?tools=all",
            "--transport",
            "http",
            "--header",
            f"Authorization: Bearer {cast.acme.secret}",
        )
        done = subprocess.run(
            [*inspector, *server, *arguments],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            env={**os.environ, "HOME": str(tmp_path)},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    return run


def test_it_lists_and_calls_every_tool(inspect: Inspect, cast: Cast) -> None:
    listed = inspect("--method", "tools/list", "--strict")
    assert sorted(tool["name"] for tool in listed["tools"]) == sorted(listed_name(name) for name, _ in CALLS)

    ids = {**ids_in(cast.acme), "<metric name>": "quick"}
    for name, arguments in CALLS:
        pairs = [f"{key}={_shown(value)}" for key, value in filled(arguments, ids).items()]
        given = [part for pair in pairs for part in ("--tool-arg", pair)]
        answer = inspect("--method", "tools/call", "--tool-name", listed_name(name), *given)
        assert not answer.get("isError"), (name, answer)
        assert answer["structuredContent"], name


def test_it_reads_resources_and_the_prompt(inspect: Inspect) -> None:
    assert len(inspect("--method", "resources/list")["resources"]) == 2
    assert inspect("--method", "resources/read", "--uri", "memory://facts")["contents"]
    assert "memory_recall" in json.dumps(inspect("--method", "prompts/get", "--prompt-name", "prime"))


def test_it_lists_and_calls_over_stdio(inspect: Inspect, house: str, cast: Cast) -> None:
    values = {"WSM_URL": house, "WSM_KEY": cast.acme.secret, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment = [part for name, value in values.items() for part in ("-e", f"{name}={value}")]
    program = (*environment, sys.executable, "-c", WSM, "mcp", "--tools", "all")

    listed = {tool["name"] for tool in inspect("--method", "tools/list", over=program)["tools"]}
    assert listed == {listed_name(name) for name, _ in CALLS}
    answer = inspect("--method", "tools/call", "--tool-name", "workspace_memory_status", over=program)
    assert answer["structuredContent"] == {"enabled": True, "changed": False}


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
