"""What every console page promises a person: axe finds nothing, the keyboard reaches everything, 390 pixels suffice."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import DESKTOP, PHONE, Visit
from tests.cast import Cast
from tests.console_addresses import console_pages
from tests.furnished import furnish
from tests.npm import npm_modules
from tests.pages import Visitor
from tests.rules.doors import ids_of

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.timeout(1800)]

AXE = {"axe-core": "4.14.1"}
MAX_TABS = 400
# What axe is asked; it answers with the rule and the first element of each violation.
RUN_AXE = """
async (rules) => {
  const options = {resultTypes: ["violations"], ...(rules ? {runOnly: {type: "rule", values: rules}} : {})};
  const found = await axe.run(document, options);
  const places = (one) => one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ");
  return found.violations.map((one) => `${one.id}: ${places(one)}`);
}
"""
# Every element that acts, shown and not part of a widget that the arrow keys move in, gets a number; the listener then
# notes which of them got the focus, and whether that can be seen.
NOTE_FOCUS = """
() => {
  const acts = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']";
  const groups = new Set();
  const isReached = (one) => {
    if (one.disabled || one.tabIndex < 0 || !one.checkVisibility({visibilityProperty: true})) return false;
    if (one.closest("details:not([open])") && one.tagName !== "SUMMARY") return false;
    if (one.type !== "radio") return true;
    const isNew = !groups.has(one.name);
    groups.add(one.name);
    return isNew;
  };
  window.expected = [...document.querySelectorAll(acts)].filter(isReached);
  window.reached = new Set();
  window.unseen = new Set();
  const describe = (one) => `${one.tagName.toLowerCase()} "${(one.textContent || one.name || "").trim().slice(0, 40)}"`;
  document.addEventListener("focusin", (event) => {
    const one = event.target;
    window.reached.add(one.type === "radio" ? one.name : one);
    const ring = [one, one.parentElement, one.closest("label")].some((each) => {
      if (!each) return false;
      const style = getComputedStyle(each);
      return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
    });
    if (!ring && one !== document.body) window.unseen.add(describe(one));
  });
  window.missed = () => window.expected.filter(
    (one) => one.isConnected && one.checkVisibility({visibilityProperty: true})
      && !window.reached.has(one.type === "radio" ? one.name : one)).map(describe);
  // Tab goes on from a field that the page focuses by itself; from the top it need not leave the window to reach it.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
  const stops = {date: 4, "datetime-local": 8};  // a field of a date has one for each of its parts
  return window.expected.reduce((sum, one) => sum + (stops[one.type] ?? 1), 0);
}
"""
WIDER_THAN_SHOWN = """
() => document.documentElement.scrollWidth > document.documentElement.clientWidth
  ? [...document.querySelectorAll("main *")].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .slice(-1).map((one) => `${one.tagName.toLowerCase()}.${one.className}`).concat(["wider than the window"])
  : [...document.querySelectorAll("[data-panels] > tr")].filter((row) => row.getBoundingClientRect().right > innerWidth)
      .slice(-1).map((row) => `a row of ${row.closest("table").className} wider than the window`)
"""


@pytest.fixture(scope="session")
def axe(request: pytest.FixtureRequest) -> str:
    """The source of axe-core, which judges a page as assistive technology meets it."""
    home: Path = request.config.cache.mkdir("axe")
    return (npm_modules(home, AXE, made="axe-core/axe.min.js") / "axe-core" / "axe.min.js").read_text()


@pytest.fixture
def pages(cast: Cast) -> dict[str, str]:
    """Every page of a furnished workspace, by name."""
    furnish(cast.acme)
    found = dict(console_pages(Visitor.of(cast.alice, cast.acme.workspace), ids_of(cast.acme)))
    # The set-ups of the clients are one page with other texts in it.
    return {name: path for name, path in found.items() if not name.startswith("connect?")}


def test_every_page_suits_axe_the_keyboard_and_a_phone(
    alice: Visit, cast: Cast, axe: str, pages: dict[str, str]
) -> None:
    found: dict[str, list[str]] = {}
    alice.page.add_init_script(axe)
    for name, path in pages.items():
        alice.page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]  # playwright's own type has no public name
        alice.go(f"/w/{cast.acme.workspace.slug}/{path}")
        found[f"{name} 1280"] = [*_violations(alice.page), *_dark_contrasts(alice.page), *_unreached(alice.page)]
        alice.page.set_viewport_size(PHONE)  # type: ignore[arg-type]  # as above
        found[f"{name} 390"] = [*_violations(alice.page), *_dark_contrasts(alice.page)]
        found[f"{name} 390"] += alice.page.evaluate(WIDER_THAN_SHOWN)
    _expect_nothing(found)


def _expect_nothing(found: dict[str, list[str]]) -> None:
    """Fail with everything that was found, page by page: pytest itself would show the first few."""
    if lines := [f"{where}: {each}" for where, what in found.items() for each in what]:
        pytest.fail("\n".join(lines), pytrace=False)


def _violations(page: Page) -> list[str]:
    page.emulate_media(color_scheme="light")
    found: list[str] = page.evaluate(RUN_AXE)
    return found


def _dark_contrasts(page: Page) -> list[str]:
    """What axe finds in dark, as far as colours can make a difference."""
    page.emulate_media(color_scheme="dark")
    return [f"dark, {violation}" for violation in page.evaluate(RUN_AXE, ["color-contrast"])]


def _unreached(page: Page) -> list[str]:
    """What Tab does not reach, and what does not show that it has the focus."""
    stops = page.evaluate(NOTE_FOCUS)
    for _ in range(min(MAX_TABS, stops + 5)):
        page.keyboard.press("Tab")
    found: list[str] = page.evaluate("() => [...missed(), ...[...unseen].map((one) => `unseen: ${one}`)]")
    page.evaluate("() => document.activeElement?.blur()")
    return found
