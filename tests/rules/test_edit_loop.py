"""What a contributor leans on: quick tests touch no server, the kept database is today's, hooks are those of `make`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from tests import kept_database
from tests.parallel import ignores_file
from tests.quick import ADDRESSES, may_be_quick
from tests.rules.source import ROOT

TESTS = {
    "def test_a(tmp_path): pass": True,
    "def test_a(db): pass": False,
    "def test_a(acme): pass": False,  # a fixture of tests/conftest.py that asks for the cast, which asks for `db`
    "def test_a(acme): pass\ndef test_b(): pass": True,
    "import pytest\n@pytest.fixture\ndef mine(cast): pass\ndef test_a(mine): pass": False,
    "import pytest\npytestmark = [pytest.mark.django_db(transaction=True)]\ndef test_a(): pass": False,
    "import pytest\npytestmark = pytest.mark.slow\ndef test_a(): pass": False,
    "class TestAll:\n    def test_a(self, acme): pass\n    def test_b(self): pass": True,
}
TOUCHING = """
import os, socket, subprocess
from django.core.cache import cache
from workspaces.models import User
def test_calls():
    try: socket.create_connection(("127.0.0.1", 2))
    except OSError: pass
def test_runs(): subprocess.run(["true"])
def test_forks():
    if not os.fork(): os._exit(0)
def test_caches(): cache.get("what nobody kept")
def test_asks(): User.objects.count()
def test_touches_nothing(): pass
"""


@pytest.mark.parametrize(("source", "may_be"), TESTS.items())
def test_a_file_is_imported_for_a_quick_run_when_a_test_of_it_may_be_quick(
    tmp_path: Path, source: str, may_be: bool
) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(source)

    assert may_be_quick(file) is may_be


@pytest.mark.heavy
def test_a_quick_test_that_touches_a_server_or_starts_a_process_fails(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(TOUCHING)

    said = _quick(tmp_path).stdout

    assert "5 failed, 1 passed" in said
    for name, cure in (
        ("calls", "A quick test called a server: mark it with @pytest.mark.heavy"),
        ("runs", "A quick test started 'true'"),
        ("forks", "A quick test started a process"),
        ("caches", "A quick test called a server"),
        ("asks", "Database access not allowed"),
    ):
        assert cure in said.partition(f"_ test_{name} _")[2].partition("\n____")[0]


@pytest.mark.heavy
def test_what_asks_for_the_database_or_is_marked_is_left_out_of_a_quick_run(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest\ndef test_a(db): 1 / 0\n@pytest.mark.heavy\ndef test_b(): 1 / 0\ndef test_c(): pass"
    )

    ended = _quick(tmp_path)

    assert "1 passed, 2 deselected" in ended.stdout


@pytest.mark.parametrize(
    ("marks", "source", "is_ignored"),
    [
        ("alone", "import pytest\npytestmark = [pytest.mark.alone]\ndef test_a(): pass", None),
        ("alone", "from pytest import mark\n@mark.alone\ndef test_a(): pass", None),
        ("alone", "def test_a(): pass", True),
        ("not alone", "def test_a(): pass", None),
    ],
)
def test_only_files_with_tests_that_run_alone_are_imported_for_these(
    tmp_path: Path, marks: str, source: str, is_ignored: bool | None
) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(source)

    assert ignores_file(file, marks=marks) is is_ignored


def test_the_digest_follows_every_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_database, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text("django==5\n")
    (tmp_path / "memory" / "migrations").mkdir(parents=True)
    digests = {kept_database.migrations_digest()}

    for name, text in (("0001.py", "a"), ("0001.py", "b"), ("0002.py", "b"), ("0002.sql", "c")):
        (tmp_path / "memory" / "migrations" / name).write_text(text)
        digests.add(kept_database.migrations_digest())

    assert len(digests) == 5


@pytest.mark.django_db(transaction=True)
def test_a_database_in_use_is_not_one_to_use_again() -> None:
    name = connection.settings_dict["NAME"]
    assert not kept_database.is_reusable(name)

    kept_database.end_use()
    assert kept_database.is_reusable(name)

    kept_database.begin_use()
    assert not kept_database.is_reusable(name)


def test_hooks_are_the_commands_of_make_hooks_and_download_nothing() -> None:
    config = (ROOT / ".pre-commit-config.yaml").read_text()
    entries = [entry.removesuffix(" --force-exclude") for entry in re.findall(r"entry: (.+)", config)]
    recipe = (ROOT / "Makefile").read_text().partition("\nhooks:")[2].partition("\n\n")[0].splitlines()[1:]

    assert entries == [line.strip().replace("$(PYTHON_ENV)", ".venv/bin/python").removesuffix(" .") for line in recipe]
    assert set(re.findall(r"language: (\w+)", config)) == {"system"}
    assert re.findall(r"repo: (\S+)", config) == ["local"]


def _quick(folder: Path) -> subprocess.CompletedProcess[str]:
    """A quick run of a folder's tests, as `make quick` begins it, where servers are known."""
    options = [
        "--quick",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "-c",
        str(ROOT / "pyproject.toml"),
    ]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, f"--rootdir={ROOT}", str(folder)],
        cwd=ROOT,
        env={**os.environ, **dict.fromkeys(ADDRESSES, "")},
        capture_output=True,
        text=True,
        check=False,
    )
