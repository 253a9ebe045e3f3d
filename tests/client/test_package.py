"""The client's wheel and source distribution, as its own build backend makes them."""

from __future__ import annotations

import subprocess
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.client.installing import empty_environment, install
from tests.rules.source import ROOT

pytestmark = pytest.mark.slow


def test_the_wheel_and_the_source_distribution_carry_the_license(tmp_path: Path) -> None:
    client, dist = ROOT / "client", tmp_path / "dist"
    (backend,) = tomllib.loads((client / "pyproject.toml").read_text())["build-system"]["requires"]
    programs = empty_environment(tmp_path / "environment")
    install(programs, backend)

    build: list[str | Path] = [programs / "python", "-m", "hatchling", "build", "-d", dist]
    done = subprocess.run(build, cwd=client, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        (info,) = {name.partition("/")[0] for name in wheel.namelist() if ".dist-info/" in name}
        assert "License-Expression: Apache-2.0\n" in wheel.read(f"{info}/METADATA").decode()
        assert wheel.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        (license_,) = (each for each in sdist.getmembers() if each.name.endswith("/LICENSE"))
        text = sdist.extractfile(license_)
        assert text
        assert text.read() == (ROOT / "LICENSE").read_bytes()
