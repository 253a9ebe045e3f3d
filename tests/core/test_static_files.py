"""Static files: names with hashes, how long browsers keep them, and what is compressed."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

from config.static_bundles import BUNDLES, OUR_FOLDERS
from tests.cast import Cast
from tests.pages import Visitor

STYLES = "css/app.css"
ANOTHER_HASH = "/static/css/app.000000000000.css"


def _fetch(path: str) -> tuple[Any, bytes]:
    answer: Any = Client().get(path, headers={"Accept-Encoding": "gzip"})
    return answer, b"".join(answer.streaming_content) if answer.streaming else answer.content


def test_names_hold_a_hash_of_the_contents() -> None:
    assert re.fullmatch(r"/static/css/app\.[0-9a-f]{12}\.css", static(STYLES))
    assert static("css/not-there.css") == "/static/css/not-there.css"


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (static(STYLES), "max-age=315360000, public, immutable"),
        ("/static/css/app.css", "max-age=60, public"),
        (ANOTHER_HASH, "max-age=60, public"),
    ],
)
def test_only_the_name_with_the_right_hash_is_kept_for_good(path: str, kept: str) -> None:
    answer, body = _fetch(path)

    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, kept)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert b"box-sizing" in gzip.decompress(body)


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_has_all_of_its_files_under_one_name(name: str) -> None:
    answer, body = _fetch(static(name))
    plain: Any = Client().get(static(name))
    older: Any = Client().get(f"/static/{name}")

    assert answer.headers["Cache-Control"] == "max-age=315360000, public, immutable"
    assert older.headers["Cache-Control"] == "max-age=60, public"
    assert gzip.decompress(body) == plain.content
    sent = set(plain.content.splitlines())
    for part in BUNDLES[name]:
        source = [line.strip() for line in Path(str(finders.find(part))).read_bytes().splitlines()]
        assert {line for line in source if line and line[:2] not in {b"/*", b"//"} and line[-2:] != b"*/"} <= sent


@pytest.mark.parametrize("name", [*BUNDLES, "css/memory.css"])
@pytest.mark.parametrize(
    ("accepted", "sent"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("vibrant", ""),
        ("", ""),
    ],
)
def test_assets_are_as_small_as_a_browser_can_take_them(name: str, accepted: str, sent: str) -> None:
    answer: Any = Client().get(static(name), headers={"Accept-Encoding": accepted})
    plain: Any = Client().get(static(name))
    open_with: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}

    assert answer.headers.get("Content-Encoding", "") == sent
    assert answer.headers["Vary"] == "Accept-Encoding"
    assert open_with[sent](answer.content) == plain.content


def test_licences_of_others_come_along() -> None:
    script: Any = Client().get(static("bundles/graph.js"))
    assert script.content.count(b"Copyright 2010-2026 Mike Bostock") == 4


def test_no_text_in_a_script_goes_over_the_end_of_a_line() -> None:
    # Indentation is not sent: in such a text it would be part of what is said.
    names = sorted(path for folder in OUR_FOLDERS for path in (settings.ROOT / "static" / folder).glob("*.js"))
    assert names
    assert [path.name for path in names if _has_open_text(path.read_text())] == []


def _has_open_text(script: str) -> bool:
    return any(line.count("`") % 2 for line in script.splitlines() if not line.lstrip().startswith("//"))


@pytest.mark.parametrize("path", ["/static/css/none.000000000000.css", "/static/../config/settings.000000000000.py"])
def test_a_hash_opens_no_other_file(path: str, db: None) -> None:
    assert _fetch(path)[0].status_code == 404


def test_pages_are_compressed_and_answers_of_rest_are_not(cast: Cast) -> None:
    visitor = Visitor.of(cast.alice, cast.acme.workspace)
    compressed = {"Accept-Encoding": "gzip"}
    page = visitor.client.get(visitor.address("memory"), headers=compressed)
    rest = visitor.client.get(f"/v1/workspaces/{cast.acme.workspace.pk}/memories", headers=compressed)

    assert b"<main" in gzip.decompress(page.content)
    assert page.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in rest.headers
