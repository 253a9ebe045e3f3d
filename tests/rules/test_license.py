"""Every package names the license and carries its text, and so does what is vendored."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path

import pytest

from tests.rules.source import ROOT

LICENSE = "Apache-2.0"
# Of the text that the Apache Software Foundation publishes, which nothing may be added to.
PUBLISHED = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
PACKAGES = ("", "client", "clients/js", "plugin")
VENDOR = ROOT / "static" / "vendor"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_carries_the_published_text(package: str) -> None:
    assert hashlib.sha256((ROOT / package / "LICENSE").read_bytes()).hexdigest() == PUBLISHED


def test_no_package_is_left_out() -> None:
    manifests = {
        *(path.parent for path in ROOT.glob("*/pyproject.toml")),
        *(path.parents[1] for path in ROOT.glob("*/.claude-plugin/plugin.json")),
        *(path.parent for path in ROOT.glob("clients/*/package.json")),
    }
    assert {path.relative_to(ROOT).as_posix() for path in manifests} == set(PACKAGES) - {""}


@pytest.mark.parametrize("project", ["pyproject.toml", "client/pyproject.toml"])
def test_every_project_names_the_license_and_its_files(project: str) -> None:
    metadata = tomllib.loads((ROOT / project).read_text())["project"]
    assert metadata["license"] == LICENSE
    assert "LICENSE" in metadata["license-files"]
    assert all(list((ROOT / project).parent.glob(pattern)) for pattern in metadata["license-files"])


def test_the_plugin_and_the_readmes_name_the_license() -> None:
    for manifest in ("plugin/.claude-plugin/plugin.json", "clients/js/package.json"):
        assert json.loads((ROOT / manifest).read_text())["license"] == LICENSE
    for package in PACKAGES:
        assert "Apache License 2.0 ([LICENSE](LICENSE))" in (ROOT / package / "README.md").read_text(), package


def test_every_vendored_folder_keeps_its_own_license_and_says_which() -> None:
    folders = [path for path in VENDOR.iterdir() if path.is_dir()]
    assert folders
    assert [path.name for path in VENDOR.iterdir() if path.is_file()] == []
    assert {path.name for path in folders if "Licence: " not in (path / "README.md").read_text()} == set()
    assert {path.name for path in folders if "Copyright" not in (path / "LICENSE").read_text()} == set()


def test_every_vendored_file_is_the_one_that_its_page_names() -> None:
    differing = [
        path.name for path in VENDOR.rglob("*.js") if _sha256(path) not in (path.parent / "README.md").read_text()
    ]
    assert differing == []


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
