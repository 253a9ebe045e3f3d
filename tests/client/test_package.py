"""The client's wheel and source distribution, as its own build backend makes them."""

from __future__ import annotations

import subprocess
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest

from tests.client.installing import NEWEST, OLDEST, empty_environment, install
from tests.rules.source import ROOT

CLIENT = ROOT / "client"


@pytest.mark.slow
def test_the_wheel_and_the_source_distribution_carry_what_they_need(tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    (backend,) = tomllib.loads((CLIENT / "pyproject.toml").read_text())["build-system"]["requires"]
    programs = empty_environment(tmp_path / "environment")
    install(programs, backend)

    build: list[str | Path] = [programs / "python", "-m", "hatchling", "build", "-d", dist]
    done = subprocess.run(build, cwd=CLIENT, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        (info,) = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
        metadata = message_from_string(wheel.read(f"{info}/METADATA").decode())
        assert metadata["License-Expression"] == "Apache-2.0"
        assert metadata["Requires-Python"] == f">=3.{OLDEST}"
        assert metadata.get_payload() == (CLIENT / "README.md").read_text()
        assert wheel.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        assert {name.partition("/")[0] for name in wheel.namelist()} == {info, "workspace_memory"}
        assert {"workspace_memory/py.typed", "workspace_memory/compat/mem0.py"} < {*wheel.namelist()}
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        (license_,) = (each for each in sdist.getmembers() if each.name.endswith("/LICENSE"))
        text = sdist.extractfile(license_)
        assert text
        assert text.read() == (ROOT / "LICENSE").read_bytes()
        top = {each.name.split("/")[1] for each in sdist.getmembers()}
        top -= {".gitignore"}  # of the repository, which hatchling adds
        assert top == {"CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", "workspace_memory"}
        install(programs, str(next(dist.glob("*.tar.gz"))))


def test_the_package_says_which_pythons_it_is_for() -> None:
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    named = {one.removeprefix("Programming Language :: Python :: ") for one in project["classifiers"]}
    assert project["requires-python"] == f">=3.{OLDEST}"
    assert {f"3.{minor}" for minor in range(OLDEST, NEWEST + 1)} < named


def test_the_changelog_of_the_package_has_its_version() -> None:
    project = tomllib.loads((CLIENT / "pyproject.toml").read_text())["project"]
    assert f"\n## {project['version']}" in (CLIENT / "CHANGELOG.md").read_text()
