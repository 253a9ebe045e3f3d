"""Lists and the panel next to them: by keyboard, by pointer and on a phone; selecting rows, and one Undo for all."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.cast import Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

OVEN = "The oven door sticks."
FLOUR = "Flour comes on Mondays."
VAN = "The van is blue."


def look_at_suggestions(visit: Visit, cast: Cast) -> list[str]:
    """Three memories, the newest first."""
    ids = [str(cast.acme.rest().remembered(text)["id"]) for text in (OVEN, FLOUR, VAN)]
    visit.go(f"/w/{cast.acme.workspace.slug}/memory?view=suggestions")
    visit.page.wait_for_load_state("networkidle")
    return ids[::-1]


def test_the_panel_follows_the_keys_and_stands_in_the_address(alice: Visit, cast: Cast) -> None:
    ids, keys, page = look_at_suggestions(alice, cast), alice.page.keyboard, alice.page
    panel = page.get_by_role("complementary", name="Details")

    assert alice.row(VAN).evaluate("row => row.offsetHeight") <= 36
    keys.press("j")
    keys.press("Enter")
    expect(panel).to_contain_text(VAN)
    expect(page).to_have_url(re.compile(f"view=suggestions&open=memory-{ids[0]}$"))
    keys.press("j")
    expect(panel).to_contain_text(FLOUR)
    expect(alice.row(FLOUR)).to_be_focused()
    expect(page).to_have_url(re.compile(f"open=memory-{ids[1]}$"))
    keys.press("p")
    expect(panel.get_by_role("button", name="Unpin")).to_be_visible()
    expect(alice.row(FLOUR)).to_contain_text("Pinned")

    page.reload()
    expect(panel).to_contain_text(FLOUR)
    keys.press("Escape")
    expect(panel).to_be_hidden()
    expect(alice.row(FLOUR)).to_be_focused()
    expect(page).to_have_url(re.compile("view=suggestions$"))

    keys.press("o")
    expect(page).to_have_url(re.compile(f"/memory/{ids[1]}$"))
    page.go_back()
    alice.row(OVEN).get_by_role("link").click()
    expect(panel).to_contain_text(OVEN)
    page.go_back()
    expect(panel).to_be_hidden()
    expect(alice.row(OVEN)).to_be_focused()


def test_a_range_is_pinned_and_undone_by_keyboard(alice: Visit, cast: Cast) -> None:
    look_at_suggestions(alice, cast)
    keys, bar = alice.page.keyboard, alice.page.get_by_role("form", name="The selected memories")

    expect(bar).to_be_hidden()
    keys.press("j")
    keys.press("Shift+J")
    keys.press("Shift+J")
    expect(bar).to_contain_text("3 selected")
    keys.press("Shift+K")
    expect(bar).to_contain_text("2 selected")
    keys.press("p")
    alice.says("Pinned 2 memories.")
    expect(bar).to_be_hidden()
    expect(alice.row(VAN)).to_contain_text("Pinned")
    expect(alice.row(FLOUR)).to_be_focused()
    expect(alice.page.get_by_role("link", name=re.compile("Pinned 2"))).to_be_visible()
    keys.press("u")
    alice.says("Unpinned 2 memories.")
    expect(alice.row(VAN)).not_to_contain_text("Pinned")
    expect(alice.row(FLOUR)).to_be_focused()

    keys.press("x")
    keys.press("t")
    dialog = alice.page.get_by_role("dialog", name="Tag the selected")
    dialog.get_by_label("Tags to add").fill("bakery")
    keys.press("Enter")
    alice.says("Tagged 1 memory.")
    expect(alice.row(FLOUR)).to_contain_text("bakery")


def test_the_selected_are_saved_to_a_file(alice: Visit, cast: Cast) -> None:
    ids = look_at_suggestions(alice, cast)

    alice.row(VAN).get_by_role("checkbox").check()
    alice.page.keyboard.press("Enter")  # which would press the first button of the form
    alice.row(OVEN).get_by_role("checkbox").click(modifiers=["Shift"])
    with alice.page.expect_download() as saved:
        alice.page.get_by_role("button", name="Export").click()

    assert saved.value.suggested_filename == "memories.jsonl"
    assert len(saved.value.path().read_text().splitlines()) == 3
    assert cast.acme.rest().get(f"memories/{ids[0]}").json()["kind"] == "memory"


def test_on_a_phone_the_panel_is_a_sheet(open_window: Callable[..., Visit], cast: Cast) -> None:
    visit = open_window(viewport=PHONE, has_touch=True)
    visit.sign_in(cast.bob)
    look_at_suggestions(visit, cast)
    panel = visit.page.get_by_role("complementary", name="Details")

    near = visit.page.get_by_role("navigation", name="Main").get_by_role("link")
    assert [text.split("\n")[0] for text in near.all_inner_texts()][:4] == ["Home", "Review", "Memory", "Ask"]
    visit.row(OVEN).get_by_role("link").tap()
    expect(panel).to_contain_text(OVEN)
    expect(panel).to_be_focused()
    box = panel.bounding_box()
    assert box is not None
    assert (box["width"], box["y"] + box["height"]) == (PHONE["width"], PHONE["height"])
    panel.get_by_role("button", name="Close").tap()
    expect(panel).to_be_hidden()
    assert visit.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
