"""The documentation as a site: it builds strictly, can be searched, and asks no other host for anything."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.source import ROOT

CONFIG = ROOT / "deploy" / "docs" / "mkdocs.yml"
LOADED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=\"?(https?:)?//([^/\">]+)")
pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    program = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    command = [*program, "--config-file", str(CONFIG), "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_it(site: Path) -> None:
    pages = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    pages = {page.parent if page.name == "README" else page for page in pages}
    built = {path.parent.relative_to(site) for path in site.rglob("index.html")}
    assert pages <= built
    assert {Path(), Path("contributing"), Path("security"), Path("changelog")} <= built


def test_it_can_be_searched(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text())
    found = {entry["location"] for entry in index["docs"] if "pg_dump" in entry["text"]}
    assert "how-to/operate/#back-up" in found


def test_it_loads_nothing_from_another_host(site: Path) -> None:
    found = {
        f"{path.relative_to(site)}: {match[2]}"
        for path in site.rglob("*.html")
        for match in LOADED.finditer(path.read_text())
    }
    assert found == set()


def test_the_navigation_is_that_of_the_readme(site: Path) -> None:
    text = (site / "index.html").read_text()
    for title in ("How to connect", "Integrations", "How to run it", "Why", "Reference"):
        assert title in text
