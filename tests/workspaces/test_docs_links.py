"""Every page of the console leads to its page of the docs, which is there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from tests.pages import Visitor, text_of
from tests.rules.doors import addresses
from tests.rules.test_docs import DOCS, _anchors
from workspaces.http.docs_links import CONSOLE, PAGES, docs_url

FOLDERS = {
    route.split("/")[2].partition("<")[0]
    for route, _ in addresses(get_resolver().url_patterns, "")
    if route.startswith("w/<slug:slug>/")
}


@pytest.mark.parametrize("page", sorted({*PAGES.values(), CONSOLE}))
def test_the_pages_of_the_docs_are_there(page: str) -> None:
    name, _, anchor = page.partition("#")
    assert (DOCS / name).exists()
    assert not anchor or anchor in _anchors(DOCS / name)


def test_the_address_follows_the_setting(settings: Any) -> None:
    assert docs_url("/w/acme/settings/data/imports/1") == "/docs/how-to/move.md"
    assert docs_url("/w/acme/memory/1") == "/docs/how-to/console.md#the-memory-page-wslugmemory"
    assert docs_url("/w/acme/elsewhere") == docs_url("/account") == "/docs/how-to/console.md"
    settings.DOCS_URL = "https://docs.example/tree"
    assert docs_url("/w/acme/connect") == "https://docs.example/tree/how-to/mcp.md"


@pytest.mark.parametrize("path", ["memory", "connect", "settings/members", "settings/data", "agents"])
def test_a_page_links_to_its_docs(alice: Visitor, path: str) -> None:
    found = re.search(r'href="(/docs/[^"]+)"', text_of(alice.get(path)))
    assert found
    assert Client().get(found[1].partition("#")[0]).status_code == 200


@pytest.mark.parametrize(
    "page",
    ["none.md", "../README.md", "../config/settings.py", "how-to", "/etc/passwd", "how-to/../../README.md", "%00"],
)
def test_nothing_else_is_answered(db: None, page: str) -> None:
    assert Client(raise_request_exception=False).get(f"/docs/{page}").status_code == 404
