"""The palette by keyboard, and hover cards on focus and under the pointer, in a browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.cast import Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FLOUR = "Flour is delivered on Tuesdays."


def test_the_palette_goes_and_does_by_keyboard(alice: Visit, cast: Cast) -> None:
    fact = cast.acme.rest().remembered(FLOUR, kind="fact")
    page, keys = alice.page, alice.page.keyboard
    page.get_by_role("textbox", name="Search or do something").focus()

    keys.press("Control+k")
    box = page.get_by_role("combobox", name="Search or do something")
    expect(box).to_be_focused()
    expect(page.get_by_role("option", name="Ask a question")).to_have_attribute("aria-selected", "true")
    keys.type("flour")
    expect(page.get_by_role("option", name=FLOUR)).to_have_attribute("aria-selected", "true")
    expect(page.locator("[data-palette-status]")).to_have_text("2 results")
    keys.press("ArrowDown")
    last = page.get_by_role("option", name="Ask “flour”")
    expect(last).to_have_attribute("aria-selected", "true")
    expect(box).to_have_attribute("aria-activedescendant", last.get_attribute("id") or "")
    keys.press("Escape")
    expect(box).to_be_hidden()
    expect(page.get_by_role("textbox", name="Search or do something")).to_be_focused()

    keys.type("flour")  # into the box of the rail, which opens the palette
    expect(page.get_by_role("option", name=FLOUR)).to_have_attribute("aria-selected", "true")
    keys.press("Enter")
    expect(page).to_have_url(re.compile(f"/memory/{fact['id']}$"))
    expect(page.locator("html:not([aria-busy])")).to_be_attached()

    keys.press("Control+k")
    keys.type("turn memory on")
    keys.press("Enter")  # before the results are there
    alice.says("Memory is on.")

    keys.press("g")
    keys.press("e")
    expect(page).to_have_url(re.compile("/explain$"))


def test_a_card_opens_on_focus_and_under_the_pointer(alice: Visit, cast: Cast) -> None:
    rest = cast.acme.rest()
    cited = rest.remembered(FLOUR)
    memory = rest.remembered(f"The mill is closed then [mem:{cited['id']}].")
    page, keys = alice.page, alice.page.keyboard
    alice.go(f"/w/{cast.acme.workspace.slug}/memory/{memory['id']}")
    link, card = page.get_by_role("link", name="Source 1"), page.locator("#hover-card")

    link.focus()
    keys.press("Shift+Tab")
    keys.press("Tab")
    expect(card).to_contain_text(FLOUR)
    expect(link).to_have_attribute("aria-describedby", "hover-card")
    keys.press("Escape")
    expect(card).to_be_hidden()
    expect(link).to_be_focused()

    link.hover()
    expect(card).to_contain_text(FLOUR)
    card.get_by_role("button", name="Pin").hover()
    page.wait_for_timeout(400)  # longer than a card stays that the pointer has left
    card.get_by_role("button", name="Pin").click()
    alice.says("Pinned.")
    expect(card.get_by_role("button", name="Unpin")).to_be_visible()
    page.get_by_role("heading").first.hover()
    expect(card).to_be_hidden()

    rest.delete(f"memories/{cited['id']}?force=true")
    link.focus()
    keys.press("Shift+Tab")
    keys.press("Tab")
    expect(card).to_contain_text("forgot this")
    keys.press("Tab")
    expect(card.get_by_role("button", name="Restore")).to_be_focused()
    keys.press("Shift+Tab")
    expect(link).to_be_focused()
    keys.press("Enter")
    expect(page).to_have_url(re.compile(f"/memory/{cited['id']}$"))
