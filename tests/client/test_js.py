"""The TypeScript SDK as somebody else installs it: packed, put into an empty folder, and run there against a server."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config import js_types
from config.openapi.document import document
from memory.memories.onboarding.client_setups import CLIENTS, SetupTarget
from tests.cast import Cast
from tests.client.doc_blocks import END, Block, blocks_of, compare_printed
from tests.made_once import make_once
from tests.rules.source import ROOT
from workspace_memory.spaces import OWN_AGENT
from workspace_memory.wire import OF_THE_WORKSPACE
from workspaces.access.tasks import beat
from workspaces.accounts.operators.services.operator_keys import create_operator_key

CLIENT = ROOT / "clients" / "js"
PAGE = ROOT / "docs" / "how-to" / "js.md"
MIDDLEWARE_PAGE = ROOT / "docs" / "how-to" / "integrations" / "vercel-ai.md"
QUIET = ("--no-audit", "--no-fund", "--no-update-notifier")
STRICT = ("--noEmit", "--strict", "--skipLibCheck", "--allowJs", "--checkJs")
MODULES = ("--module", "nodenext", "--moduleResolution", "nodenext", "--target", "es2022", "--types", "node")
PROGRAMS = ("readme.mjs", "page.mjs", "middleware.mjs", "connect.mjs", "types.ts")
WORKSPACE = "/v1/workspaces/{ws}/"


@pytest.fixture(scope="session")
def modules(request: pytest.FixtureRequest) -> Path:
    """The tools of the lock file, installed once into pytest's cache; without npm the tests fail and say so."""
    if shutil.which("npm") is None:
        pytest.fail("The TypeScript SDK needs npm: install the package `npm` and run the test again.", pytrace=False)
    lock = (CLIENT / "package-lock.json").read_bytes()

    def install(home: Path) -> None:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(CLIENT / name, home)
        _run(["npm", "ci", "--ignore-scripts", *QUIET], home)

    return (
        make_once(request.config.cache.mkdir(f"js-{hashlib.sha256(lock).hexdigest()[:12]}"), install) / "node_modules"
    )


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run of the tests share."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "js"


@pytest.fixture(scope="session")
def tarball(modules: Path, run_folder: Path) -> Path:
    """What `npm pack` makes of the package."""

    def pack(source: Path) -> None:
        ignored = shutil.ignore_patterns("node_modules", "dist")
        shutil.copytree(CLIENT, source, ignore=ignored, dirs_exist_ok=True)
        (source / "node_modules").symlink_to(modules)
        _run(["npm", "pack", *QUIET], source)

    (packed,) = make_once(run_folder / "source", pack).glob("*.tgz")
    return packed


@pytest.fixture(scope="session")
def project(tarball: Path, modules: Path, run_folder: Path) -> Path:
    """An empty folder into which the package was installed. Above it are `ai` and the compiler, of their own."""

    def install(above: Path) -> None:
        (above / "node_modules").symlink_to(modules)
        project = above / "app"
        project.mkdir()
        (project / "package.json").write_text('{"type": "module", "private": true}')
        _run(["npm", "install", "--offline", *QUIET, str(tarball)], project)
        shutil.copytree(CLIENT / "test", project / "test")
        shutil.copytree(CLIENT / "examples", project / "examples")

    return make_once(run_folder / "project", install) / "app"


@pytest.fixture
def served(_as_the_serving_role: None, live_server: Any, cast: Cast) -> dict[str, str]:
    """The environment of a client of a running server."""
    beat()
    return {
        "WSM_URL": live_server.url,
        "WSM_KEY": cast.acme.secret,
        "OTHER_KEY": cast.umbrella.secret,
        "WSM_OPERATOR_KEY": create_operator_key(name="sign-up").secret,
    }


def test_the_types_are_those_of_the_document() -> None:
    assert js_types.read_digest() == js_types.digest(), "Run manage.py write_sdk, and commit what it changed."


def test_the_clients_know_which_routes_take_spaces() -> None:
    text = (CLIENT / "src" / "spaces.ts").read_text()
    without, own_agent = (
        set(re.findall(r'"([^"]+)"', re.search(rf"{name} = \[(.*?)\]", text, re.DOTALL)[1]))  # type: ignore[index]
        for name in ("WITHOUT_SPACES", "OWN_AGENT")
    )
    routes = [
        (f"{method} {path.removeprefix(WORKSPACE)}", operation)
        for path, methods in document()["paths"].items()
        if path.startswith(WORKSPACE)
        for method, operation in methods.items()
    ]
    unspaced = {route for route, operation in routes if "space" not in _space_parameters(operation)}
    assert {route.partition(" ")[2].partition("/")[0] for route in unspaced} == without - {"memory"}
    assert {route for route, _ in routes if route.partition(" ")[2].partition("/")[0] in without} == unspaced
    assert {route for route, operation in routes if _has_own_agent(operation)} == own_agent
    assert without == OF_THE_WORKSPACE
    assert {f"{method.lower()} {path}" for method, path in OWN_AGENT} == own_agent


@pytest.mark.heavy
def test_the_command_says_when_npm_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(js_types, "read_digest", lambda: "of another document")
    monkeypatch.setattr(js_types, "PACKAGE", Path("nowhere"))

    with pytest.raises(CommandError, match="need npm: install it"):
        call_command("write_sdk")


@pytest.mark.heavy
def test_the_generator_writes_what_is_there(modules: Path) -> None:
    assert js_types.render_types(modules) == js_types.TYPES.read_text()


@pytest.mark.heavy
def test_the_package_holds_what_it_needs_and_nothing_else(tarball: Path) -> None:
    with tarfile.open(tarball) as packed:
        names = {member.name.removeprefix("package/") for member in packed}
        manifest = json.loads(_text(packed, "package.json"))
        license_ = _text(packed, "LICENSE")
    assert {name.partition("/")[0] for name in names} == {"dist", "README.md", "LICENSE", "package.json"}
    assert license_ == (ROOT / "LICENSE").read_text()
    assert (manifest["name"], manifest["license"], manifest["type"]) == ("workspace-memory", "Apache-2.0", "module")
    assert manifest["engines"] == {"node": ">=18"}
    assert {"dependencies", "peerDependencies", "optionalDependencies"} & manifest.keys() == set()
    for entry in manifest["exports"].values():
        assert {path.removeprefix("./") for path in (entry.values() if isinstance(entry, dict) else [entry])} <= names
    imported = {
        name
        for path in (CLIENT / "src").glob("*.ts")
        for name in re.findall(r'from "([^"]+)"|import\("([^"]+)"\)', path.read_text())
        for name in name
        if name
    }
    assert {name for name in imported if not name.startswith("./")} == set()
    assert len((CLIENT / "src" / "ai.ts").read_text().splitlines()) <= 200


def test_the_lock_file_names_no_registry() -> None:
    lock = json.loads((CLIENT / "package-lock.json").read_text())
    assert all("resolved" not in package for package in lock["packages"].values())
    assert all(package["integrity"] for name, package in lock["packages"].items() if name)


@pytest.mark.heavy
@pytest.mark.django_db(transaction=True)
def test_the_installed_package_passes_its_tests(project: Path, served: dict[str, str]) -> None:
    files = sorted(path.name for path in (project / "test").glob("*.test.mjs"))
    done = _run(["node", "--test", "--test-reporter=tap", *(f"test/{name}" for name in files)], project, **served)

    counts = dict(re.findall(r"^# (\w+) (\d+)$", done.stdout, re.MULTILINE))
    assert {counts[name] for name in ("fail", "skipped", "todo", "cancelled")} == {"0"}, done.stdout
    assert int(counts["pass"]) >= 45


@pytest.mark.heavy
@pytest.mark.django_db(transaction=True)
def test_the_examples_and_the_page_can_be_followed(project: Path, served: dict[str, str]) -> None:
    (readme,) = blocks_of(CLIENT / "README.md", "js")
    readme_code = readme.code.replace('"http://127.0.0.1:8000", "oxa_live_…"', "url, key")
    given = "const [url, key] = [String(process.env.WSM_URL), String(process.env.WSM_KEY)];\n"
    (project / "readme.mjs").write_text(given + readme_code)
    blocks: list[Block] = blocks_of(PAGE, "js")
    assert len(blocks) >= 10
    (project / "page.mjs").write_text("\n".join(f'{block.code}\nconsole.log("{END}");' for block in blocks))
    (middleware,) = blocks_of(MIDDLEWARE_PAGE, "js")
    (project / "middleware.mjs").write_text(middleware.code)
    shutil.copy(CLIENT / "test" / "types.ts", project)

    target = SetupTarget(served["WSM_URL"], "", served["WSM_KEY"])
    (project / "connect.mjs").write_text(CLIENTS["typescript"].steps(target)[-1].code)

    _run([str(project.parent / "node_modules/.bin/tsc"), *STRICT, *MODULES, *PROGRAMS], project)
    done = _run(["node", "page.mjs"], project, **served)
    compare_printed(blocks, done.stdout, errors=done.stderr)
    assert "Tea is ordered on Mondays." in _run(["node", "readme.mjs"], project, **served).stdout
    assert _run(["node", "middleware.mjs"], project, **served).stdout == middleware.printed
    assert "runs 10 degrees hot" in _run(["node", "connect.mjs"], project).stdout
    for _ in range(2):  # the second process finds what the first one kept
        said = _run(["node", "examples/ai.mjs"], project, **served).stdout.splitlines()
    assert "Mara is allergic to nuts." in "\n".join(said)
    assert said[-1] == "4"


def _space_parameters(operation: dict[str, Any]) -> set[str]:
    return {
        parameter["$ref"].rpartition("/")[2]
        for parameter in operation.get("parameters", ())
        if parameter.get("$ref", "") in js_types.SPACE_PARAMETERS
    }


def _has_own_agent(operation: dict[str, Any]) -> bool:
    bodies = operation.get("requestBody", {}).get("content", {}).values()
    fields = [body["schema"].get("properties", {}).get("agent", {}) for body in bodies]
    own = any(field and field.get("$ref") not in js_types.SPACE_FIELDS for field in fields)
    return own or any(parameter.get("name") == "agent" for parameter in operation.get("parameters", ()))


def _text(packed: tarfile.TarFile, name: str) -> str:
    file = packed.extractfile(f"package/{name}")
    assert file
    return file.read().decode()


def _run(command: list[str], folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{command[:2]}\n{done.stdout}{done.stderr}"
    return done
