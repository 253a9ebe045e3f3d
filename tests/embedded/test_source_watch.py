"""`make run RELOAD=1`: what counts as a change of the product, and a program that is started again for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from embedded import Home
from embedded.launcher import source_watch
from embedded.launcher.source_watch import SourceWatch
from embedded.launcher.web_and_worker import ROOT
from tests.awaiting import comes_true
from tests.embedded.programs import Said, Shell


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package, templates and tests."""
    monkeypatch.setattr(source_watch, "LOOK_SECONDS", 0)
    for name in ("memory/__init__.py", "memory/services.py", "templates/page.html", "tests/__init__.py", "docs/a.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize("name", ["memory/services.py", "templates/page.html", "memory/new/graph.cypher"])
def test_a_file_that_is_written_has_changed_once(project: Path, name: str) -> None:
    watch = SourceWatch(project)
    assert watch.changed_files() == []

    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text("other")

    assert watch.changed_files() == [project / name]
    assert watch.changed_files() == []


def test_a_file_that_is_deleted_has_changed(project: Path) -> None:
    watch = SourceWatch(project)

    (project / "memory" / "services.py").unlink()

    assert watch.changed_files() == [project / "memory" / "services.py"]


@pytest.mark.parametrize("name", ["tests/__init__.py", "docs/a.md", "memory/notes.txt", "memory/__pycache__/a.py"])
def test_what_does_not_serve_is_not_looked_at(project: Path, name: str) -> None:
    watch = SourceWatch(project)

    (project / name).parent.mkdir(exist_ok=True)
    (project / name).write_text("other")

    assert watch.changed_files() == []


def test_it_looks_once_a_second(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_watch, "LOOK_SECONDS", 60)
    watch = SourceWatch(project)

    (project / "memory" / "services.py").write_text("other")

    assert watch.changed_files() == []


def test_the_product_is_watched_and_its_tests_are_not() -> None:
    folders = {path.name for path in SourceWatch(ROOT)._folders}

    assert {"config", "core", "memory", "ontology", "workspaces", "templates", "static"} <= folders
    assert not folders & {"tests", "bench", "embedded", "var"}


@pytest.mark.heavy
def test_a_program_that_stays_down_is_launched_again(home: Home) -> None:
    shell = Shell("sleep 60", home=home, say=Said())
    shell.start()
    shell.stop()

    shell.launch_again()

    comes_true(lambda: shell.is_running)
    shell.kill()
