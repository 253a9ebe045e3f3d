"""What a person does with memories in a browser, end to end."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.cast import PASSWORD, Cast

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEA = "The office tea order is due on the first Monday of each month."
COFFEE = "Coffee is ordered weekly, on Tuesdays."


def test_switches_on_remembers_promotes_pins_and_finds_it_pinned(alice: Visit) -> None:
    page = alice.page
    alice.open("Memory off")
    page.get_by_role("switch", name="Memory").click()
    expect(page.get_by_role("switch", name="Memory")).to_have_attribute("aria-checked", "true")
    expect(page.get_by_role("link", name="Memory on")).to_be_visible()
    alice.shoot("settings-memory")

    alice.open("Memory")
    alice.remember(TEA)
    alice.says("Remembered. Agents will weigh this against other context.")
    alice.act(TEA, "Promote")
    alice.says("Promoted. Agents will treat this as a fact.")
    alice.act(TEA, "Pin")
    alice.says("Pinned.")
    expect(page.get_by_role("link", name=re.compile("Pinned 1"))).to_be_visible()

    alice.follow(page.get_by_role("link", name=re.compile("Pinned 1")))
    page.reload()
    expect(alice.row(TEA)).to_contain_text("Fact")
    expect(alice.row(TEA).get_by_role("button", name="Unpin")).to_be_attached()
    alice.shoot("pinned")


def test_undo_takes_back_the_last_step(alice: Visit) -> None:
    alice.remember(TEA)

    alice.act(TEA, "Forget")
    expect(alice.row(TEA).get_by_role("button", name="Restore")).to_be_attached()
    alice.page.locator("[data-toast]").filter(has_text="Forgotten").get_by_role("button", name="Undo").click()

    alice.says("Restored.")
    expect(alice.row(TEA).get_by_role("button", name="Forget")).to_be_attached()
    alice.page.reload()
    expect(alice.row(TEA)).not_to_contain_text("Forgotten")


def test_works_by_keyboard_alone(open_window: Callable[..., Visit], cast: Cast) -> None:
    for content in (TEA, COFFEE):
        cast.acme.rest().remembered(content)
    visit = open_window()
    visit.go("/sign-in")
    keys = visit.page.keyboard
    expect(visit.page.get_by_label("Email")).to_be_focused()
    keys.type(cast.bob.email)
    keys.press("Tab")
    keys.type(PASSWORD)
    keys.press("Enter")
    expect(visit.page.get_by_role("heading", name="Home", exact=True)).to_be_visible()
    visit.page.get_by_role("link", name="Memory", exact=True).focus()
    keys.press("Enter")
    expect(visit.page.get_by_role("heading", name="Nothing is pinned")).to_be_visible()

    visit.page.wait_for_load_state("networkidle")  # whoever types faster than the script loads is not heard
    keys.press("/")
    keys.type("monday")
    expect(visit.page).to_have_url(re.compile("q=monday"))
    expect(visit.row(COFFEE)).not_to_be_attached()
    keys.press("Escape")
    keys.press("j")
    expect(visit.row(TEA)).to_be_focused()
    keys.press("p")
    visit.says("Pinned.")
    expect(visit.row(TEA).get_by_role("button", name="Score")).to_be_visible()
    keys.press("Enter")
    expect(visit.page.get_by_role("article")).to_contain_text("Pinned By Bob")
    keys.press("o")
    expect(visit.page).to_have_url(re.compile(r"/memory/[0-9a-f-]+$"))

    expect(visit.page.get_by_role("heading", name="Memory")).to_be_visible()
    expect(visit.page.get_by_role("article")).to_contain_text("Pinned By Bob")
    visit.shoot("memory")


def test_fits_a_phone(open_window: Callable[..., Visit], cast: Cast) -> None:
    memory = cast.acme.rest().remembered(TEA, tags=["office", "tea"])
    cast.acme.rest().remembered("x" * 4_000, tags=["y" * 64])
    visit = open_window(viewport=PHONE, has_touch=True)
    visit.sign_in(cast.alice)
    slug = cast.acme.workspace.slug
    addresses = [
        f"/w/{slug}/memory?view=suggestions",
        f"/w/{slug}/memory/{memory['id']}",
        f"/w/{slug}/memory/{memory['id']}/edit",
        f"/w/{slug}/settings/memory",
        f"/w/{slug}/settings/api-keys",
    ]

    for address in addresses:
        visit.go(address)
        assert visit.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], address

    visit.go(addresses[0])
    visit.row(TEA).get_by_role("button", name="Actions").tap()
    visit.row(TEA).get_by_role("button", name="Pin", exact=True).tap()
    visit.says("Pinned.")
    visit.shoot("phone")


def test_what_was_typed_survives_a_refusal(alice: Visit) -> None:
    page = alice.page
    page.get_by_role("link", name="Remember", exact=True).click()
    text = page.get_by_label("What should agents remember?")
    text.fill("The key of the backup is AKIAIOSFODNN7EXAMPLE.")
    page.get_by_role("button", name="Remember").click()

    expect(page.get_by_text("Remove it and try again; nothing was stored.")).to_be_visible()
    expect(text).to_have_value("The key of the backup is AKIAIOSFODNN7EXAMPLE.")


def test_edits_in_place_and_keeps_what_was_before(alice: Visit) -> None:
    alice.remember(TEA)
    alice.row(TEA).get_by_role("link").click()
    alice.page.get_by_role("link", name="Edit").click()
    alice.page.get_by_label("Content").fill(COFFEE)
    alice.page.get_by_role("button", name="Save").click()

    alice.says("Saved.")
    expect(alice.page.locator(".memory-text")).to_have_text(COFFEE)
    expect(alice.page.get_by_text(f"Before: {TEA}")).to_be_visible()
    alice.shoot("edited")


def test_suppresses_with_a_reason(alice: Visit) -> None:
    alice.remember(TEA)
    alice.row(TEA).get_by_role("link").click()
    alice.page.get_by_role("article").get_by_role("button", name="Suppress").click()
    dialog = alice.page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("The office has moved")
    dialog.get_by_role("button", name="Suppress").click()

    alice.says("Suppressed.")
    expect(alice.page.get_by_role("article")).to_contain_text("The office has moved")


def test_without_script_the_same_buttons_post_their_forms(open_window: Callable[..., Visit], cast: Cast) -> None:
    cast.acme.rest().remembered(TEA)
    visit = open_window(java_script_enabled=False)
    visit.sign_in(cast.bob)
    visit.page.get_by_role("link", name=re.compile("Suggestions")).click()
    visit.row(TEA).get_by_role("button", name="Promote").click()

    expect(visit.page).to_have_url(re.compile("view=suggestions"))
    visit.says("Promoted. Agents will treat this as a fact.")


def test_a_secret_is_shown_once(alice: Visit, cast: Cast) -> None:
    page = alice.page
    alice.go(f"/w/{cast.acme.workspace.slug}/settings/api-keys")
    page.get_by_role("link", name="New key").click()
    page.get_by_label("Name", exact=True).fill("Night shift")
    page.get_by_role("button", name="Make key").click()
    expect(page.locator("#secret")).to_contain_text("oxa_live_")
    expect(page.get_by_role("region", name="The secret of Night shift")).to_be_focused()
    alice.shoot("api-keys")

    page.reload()
    expect(page.locator("#secret")).not_to_be_attached()
    row = page.get_by_role("row", name="Night shift")
    row.get_by_role("button", name="Revoke").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_contain_text("Revoked")


def test_an_outsider_finds_nothing(open_window: Callable[..., Visit], cast: Cast) -> None:
    memory = cast.acme.rest().remembered(TEA)
    visit = open_window()
    visit.sign_in(cast.charlie)
    slug = cast.acme.workspace.slug

    for path in (f"/w/{slug}/memory", f"/w/{slug}/memory/{memory['id']}", f"/w/{slug}/settings/api-keys"):
        answer = visit.page.goto(visit.home + path)
        assert answer is not None
        assert answer.status == 404
        expect(visit.page.get_by_role("heading", name="Not found")).to_be_visible()
        expect(visit.page.get_by_text("tea")).not_to_be_attached()
