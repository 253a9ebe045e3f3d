"""The documentation of the SDK and the command line, followed to the letter: a fresh environment, every block run."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cast import Cast
from tests.client.doc_blocks import END, Block, blocks_of, compare_printed
from tests.client.installing import build_wheel, empty_environment, install, interpreters
from tests.rules.source import ROOT
from workspaces.access.tasks import beat


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin/ of an empty environment into which the wheel was installed."""
    programs = empty_environment(tmp_path_factory.mktemp("fresh"))
    install(programs, str(build_wheel(programs, programs.parent / "dist")))
    return programs


@pytest.fixture
def folder(_as_the_serving_role: None, live_server: Any, cast: Cast, tmp_path: Path) -> Path:
    """A folder with the var/demo.json of a running server, as `make run` leaves it."""
    beat()
    demo = {
        "url": live_server.url,
        "workspace_id": str(cast.acme.workspace.id),
        "api_key": cast.acme.secret,
        "email": cast.alice.email,
    }
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "demo.json").write_text(json.dumps(demo))
    return tmp_path


@pytest.mark.django_db(transaction=True)
def test_every_command_works_as_printed(fresh: Path, folder: Path) -> None:
    blocks = blocks_of(ROOT / "docs" / "how-to" / "cli.md", "sh")
    assert len(blocks) >= 7
    script = "\n".join(["set -uo pipefail", *(f"{block.code}\necho '{END}'" for block in blocks)])

    done = _run(["bash", "-c", script], fresh, folder)

    compare_printed(blocks, done.stdout, errors=done.stderr)
    assert (folder / "config" / "wsm").exists()


@pytest.mark.django_db(transaction=True)
def test_every_block_of_python_works_as_printed(fresh: Path, folder: Path) -> None:
    blocks = blocks_of(ROOT / "docs" / "how-to" / "sdk.md", "python")
    assert len(blocks) >= 8
    (folder / "page.py").write_text("\n".join(f"{block.code}\nprint('{END}')" for block in blocks))

    done = _run([fresh / "python", "page.py"], fresh, folder)
    compare_printed(blocks, done.stdout, errors=done.stderr)


@pytest.mark.django_db(transaction=True)
def test_a_program_of_mem0_works_with_another_import(fresh: Path, folder: Path) -> None:
    blocks = blocks_of(ROOT / "docs" / "how-to" / "mem0.md", "python")

    done = _run_examples([Block("python", f"{one.code}\nprint('{END}')", None) for one in blocks], fresh, folder)

    compare_printed(blocks, done.stdout, errors=done.stderr)


@pytest.mark.django_db(transaction=True)
def test_a_backend_follows_the_page_of_many_users(fresh: Path, folder: Path) -> None:
    page = ROOT / "docs" / "how-to" / "users.md"
    (program,) = blocks_of(page, "python")
    commands = [block.code for block in blocks_of(page, "sh")]
    (folder / "page.py").write_text(program.code)
    refusing = 'curl() { command curl --fail-with-body "$@"; }'
    script = "\n".join(["set -euo pipefail", refusing, *commands, f"echo; echo '{END}'", "python page.py"])

    done = _run(["bash", "-c", script], fresh, folder)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.partition(f"{END}\n")[2] == program.printed
    assert len(commands) >= 9
    assert len(program.code.splitlines()) <= 15


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", ["README.md", "client/README.md"])
def test_the_examples_of_a_readme_work(fresh: Path, folder: Path, page: str) -> None:
    blocks = blocks_of(ROOT / page, "python")

    done = _run_examples(blocks, fresh, folder)

    assert (done.returncode, done.stderr) == (0, "")
    assert "Tea is ordered on Mondays." in done.stdout
    assert max(len(block.code.splitlines()) for block in blocks) <= 10


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_wheel_works_with_every_python_of_this_machine(fresh: Path, folder: Path, tmp_path: Path) -> None:
    (wheel,) = (fresh.parent / "dist").glob("*.whl")
    for python in interpreters():
        programs = empty_environment(tmp_path / python, python)
        install(programs, str(wheel))
        done = _run_examples(blocks_of(ROOT / "client" / "README.md", "python"), programs, folder)
        assert (done.returncode, done.stderr) == (0, ""), python
        assert "Mara drinks green tea." in done.stdout
        assert _run([programs / "wsm", "--version"], programs, folder).returncode == 0


def _run_examples(blocks: list[Block], fresh: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the blocks of a page as one program, with the address and the key of the running server."""
    demo = json.loads((folder / "var" / "demo.json").read_text())
    code = "\n".join(block.code for block in blocks)
    code = code.replace("http://127.0.0.1:8000", demo["url"]).replace("oxa_live_…", demo["api_key"])
    named = {"WSM_URL": demo["url"], "WSM_KEY": demo["api_key"]}
    return _run([fresh / "python", "-W", "error::DeprecationWarning", "-c", code], fresh, folder, named)


def _run(
    command: list[Any], fresh: Path, folder: Path, named: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run it where only the fresh environment is, and nothing of ours."""
    environment = {
        "PATH": f"{fresh}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "LANG": "C.UTF-8",
        **(named or {}),
    }
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=500, check=False
    )
