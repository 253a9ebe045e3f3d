"""`make bench-pictures TO=folder`: pictures of every console page with no, the demo's, little and much data.

Each is taken in light and dark, 1280 and 390 pixels wide, and whole up to some height; a contact sheet for each width
and amount has all of them next to each other. Nothing is judged here: somebody looks.
"""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.apps import apps
from django.conf import settings
from playwright.sync_api import Browser, Page, sync_playwright

from bench.console_filler import filled_workspaces
from bench.console_pages import page_addresses, session_cookie
from bench.corpus import World
from bench.memory_loader import owner_of
from bench.rest_client import HOME
from core.embedding import default_embedder
from ontology.models import GOVERNED_TYPES, Node
from tests.browser.conftest import FLAGS, chromium_path
from tests.cast import Household
from tests.rules.doors import OBJECTS
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace, current_workspace
from workspaces.models import User

SIZES = {"little": 100, "much": 100_000}
AMOUNTS = ("none", "demo", *SIZES)
WIDTHS = {1280: 900, 390: 844}
SCHEMES = ("light", "dark")
MAX_HEIGHT = 3_000
THUMBNAIL = {1280: 300, 390: 150}


@dataclass(frozen=True, slots=True)
class Album:
    """The pages of one workspace, and the cookie of somebody who may open them."""

    amount: str
    root: str
    cookie: str
    pages: Sequence[tuple[str, str]]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--to", type=Path, required=True, help="the folder, which is made")
    parser.add_argument("--only", default="", help="pages whose name has this in it")
    parser.add_argument("--amount", choices=AMOUNTS, help="one amount of data instead of all")
    asked = parser.parse_args()
    amounts = [asked.amount] if asked.amount else list(AMOUNTS)
    sizes = tuple(SIZES[amount] for amount in amounts if amount in SIZES)
    embedder = default_embedder()
    filled = filled_workspaces(World(), sizes=sizes, model=embedder.model if embedder else "synthetic")
    # Before Playwright, which keeps an event loop in this thread.
    albums = [_album(amount, filled.get(SIZES.get(amount, 0)) or _workspace_of(amount)) for amount in amounts]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        for album in albums:
            _take(browser, album, asked.to / album.amount, only=asked.only)
        for sheet in _sheets(asked.to, amounts):
            _take_sheet(browser, sheet)
            print(sheet.with_suffix(".png"))
        browser.close()


def _album(amount: str, household: Household) -> Album:
    found = page_addresses(household, _first_ids(household.caller))
    return Album(amount, f"/w/{household.workspace.slug}/", session_cookie(household), found)


def _workspace_of(amount: str) -> Household:
    """Return the demo's workspace, or one that nothing was written into."""
    if amount == "none":
        caller = owner_of("Pages none")
        owner = User.objects.get(id=caller.id)
    else:
        demo = json.loads((HOME / "demo.json").read_text())
        owner = User.objects.get(email=demo["email"])
        caller = access_workspace(user=owner, workspace_id=UUID(demo["workspace_id"]))
    return Household(current_workspace(caller), owner, caller, "")


def _first_ids(caller: Caller) -> dict[str, object]:
    """Return the ids that addresses name, of what there is."""
    with workspace_scope(caller):
        rows = {
            name: apps.get_model(label)._default_manager.filter(workspace_id=caller.workspace_id)
            for name, label in OBJECTS.items()
        }
        rows["node_id"] = Node.objects.of(caller).live().exclude(type__in=GOVERNED_TYPES)
        found = {name: each.order_by("pk").values_list("pk", flat=True).first() for name, each in rows.items()}
    return {name: identity for name, identity in found.items() if identity}


def _take(browser: Browser, album: Album, folder: Path, *, only: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    url = json.loads((HOME / "demo.json").read_text())["url"]
    context = browser.new_context()
    context.set_default_timeout(120_000)
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": album.cookie, "url": url}
    context.add_cookies([cookie])  # type: ignore[list-item]  # playwright's own type has no public name
    page = context.new_page()
    for name, path in [each for each in album.pages if only in each[0]]:
        page.goto(f"{url}{album.root}{path}")
        for width, height in WIDTHS.items():
            for scheme in SCHEMES:
                _shoot(page, folder / f"{width}-{scheme}-{_file_name(name)}.png", width, height, scheme)
        print(f"\r{folder.name}: {name:70}", end="", flush=True)
    context.close()
    print()


def _shoot(page: Page, file: Path, width: int, height: int, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.set_viewport_size({"width": width, "height": height})
    tall = min(MAX_HEIGHT, int(page.evaluate("document.documentElement.scrollHeight")))
    page.screenshot(path=file, clip={"x": 0, "y": 0, "width": width, "height": max(height, tall)}, full_page=True)


def _file_name(name: str) -> str:
    return "".join(each if each.isalnum() or each in "-." else "-" for each in name)[:100]


def _sheets(folder: Path, amounts: Sequence[str]) -> list[Path]:
    """Write a page for each width and amount that shows its pictures small, with their names."""
    sheets = []
    for amount in amounts:
        for width, height in WIDTHS.items():
            shown = THUMBNAIL[width]
            files = sorted((folder / amount).glob(f"{width}-*.png"))
            cells = "".join(
                f'<figure><img src="{amount}/{escape(file.name)}"><figcaption>{escape(file.stem)}</figcaption></figure>'
                for file in files
            )
            style = (
                "body{margin:8px;font:11px sans-serif;display:flex;flex-wrap:wrap;gap:8px}figure{margin:0}"
                f"img{{width:{shown}px;height:{shown * height // width}px;object-fit:cover;object-position:top;"
                f"border:1px solid #999}}figcaption{{width:{shown}px;overflow-wrap:anywhere}}"
            )
            sheet = folder / f"sheet-{amount}-{width}.html"
            sheet.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{cells}")
            sheets.append(sheet)
    return sheets


def _take_sheet(browser: Browser, sheet: Path) -> None:
    page = browser.new_page(viewport={"width": 1600, "height": 1000})
    page.goto(sheet.resolve().as_uri())
    page.screenshot(path=sheet.with_suffix(".png"), full_page=True)
    page.close()


if __name__ == "__main__":
    main()
