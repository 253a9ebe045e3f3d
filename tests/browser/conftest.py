"""Chromium, driven against a live server; whoever has no Chromium is told so instead of being spared."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.handlers import StaticFilesHandler
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect, sync_playwright

from tests.cast import PASSWORD, Cast
from workspaces.models import User

DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
# A busy machine takes its time; what does not come at all fails as well after this long.
PATIENCE_MS = 30_000
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium_path() -> str | None:
    """Return the program, under whichever name it is installed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all browser tests."""
    path = chromium_path()
    if path is None:
        pytest.fail(
            "The browser tests need Chromium: install the package `chromium` and run them again.", pytrace=False
        )
    # Playwright keeps an event loop in this thread, which Django takes for asynchronous code; there is none.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@dataclass(frozen=True)
class Visit:
    """One person in front of one browser window."""

    page: Page
    home: str
    shots: Path

    def go(self, path: str) -> None:
        self.page.goto(self.home + path)

    def follow(self, link: Locator) -> None:
        """Press a link that leads to another page, and wait for its script: before, its buttons post their forms."""
        link.first.click()
        self.page.wait_for_load_state()
        expect(self.page.locator("html:not([aria-busy])")).to_be_attached()  # a move inside the console loads nothing

    def open(self, name: str) -> None:
        """A page of the rail."""
        self.follow(self.page.get_by_role("link", name=name, exact=True))

    def sign_in(self, user: User) -> None:
        self.go("/sign-in")
        self.page.get_by_label("Email").fill(user.email)
        self.page.get_by_label("Password").fill(PASSWORD)
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url(re.compile("/w/"))
        self.open("Memory")

    def remember(self, content: str) -> None:
        """Through the dialog of the Memory page."""
        self.page.get_by_role("link", name="Remember", exact=True).click()
        self.page.get_by_label("What should agents remember?").fill(content)
        self.page.get_by_role("button", name="Remember").click()
        self.says("Remembered.")
        expect(self.row(content)).to_be_visible()

    def row(self, content: str) -> Locator:
        return self.page.locator("[data-row]").filter(has_text=content)

    def act(self, content: str, verb: str) -> None:
        """Press a verb of a row."""
        row = self.row(content)
        row.focus()
        row.get_by_role("button", name=verb, exact=True).click()

    def says(self, text: str) -> None:
        """A toast with this text is there."""
        expect(self.page.locator("[data-toast]").filter(has_text=text)).to_be_visible()

    def shoot(self, name: str) -> None:
        """A picture for people to look at, beside the data of the servers."""
        self.shots.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=self.shots / f"{name}.png")


@pytest.fixture(scope="session", autouse=True)
def served_static_files() -> Iterator[None]:
    """Leave static files to our own middleware: the test server's handler knows no names with hashes."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(StaticFilesHandler, "_should_handle", lambda handler, path: False)
        yield


@pytest.fixture
def open_window(chromium: Browser, live_server: Any, settings: Any) -> Iterator[Callable[..., Visit]]:
    """Open windows; at the end of the test no page may have had a script error or broken the content rules."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        # A refused request is what some tests are about.
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    def opened(**options: Any) -> Visit:
        context = chromium.new_context(**{"viewport": DESKTOP, **options})
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("console", listen)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return Visit(page, live_server.url, settings.HOME / "screenshots")

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def alice(open_window: Callable[..., Visit], cast: Cast) -> Visit:
    """Alice, signed in, on the Memory page of Acme."""
    visit = open_window()
    visit.sign_in(cast.alice)
    expect(visit.page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()
    return visit
