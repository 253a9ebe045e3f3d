"""What happens now, in a browser: rows come by themselves, and never under the pointer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.cast import Cast, RestClient

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_events_come_by_themselves_and_wait_while_paused(alice: Visit, acme: RestClient) -> None:
    page = alice.page
    alice.open("Live")
    expect(page.get_by_text("Nothing in the last hour")).to_be_visible()
    rows = page.locator("[data-live-id]")

    memory = acme.remembered("Rye bread is baked on Fridays.")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("Acme agent")
    expect(page.get_by_text("Nothing in the last hour")).to_have_count(0)

    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Go on")).to_have_attribute("aria-pressed", "true")
    acme.get(f"memories/{memory['id']}")
    expect(page.get_by_role("button", name="1 new – show")).to_be_visible()
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Go on").click()
    expect(rows).to_have_count(2)

    rows.last.hover()
    acme.get("memories")
    expect(page.get_by_role("button", name="1 new – show")).to_be_visible()
    expect(rows).to_have_count(2)
    page.get_by_role("heading", name="Live").hover()
    expect(rows).to_have_count(3)
    page.get_by_role("link", name=memory["id"][-8:]).last.click()
    page.wait_for_url(f"**/memory/{memory['id']}")


def test_on_a_phone_and_without_script(open_window: Callable[..., Visit], cast: Cast, acme: RestClient) -> None:
    acme.remembered("Rye bread is baked on Fridays.")
    visit = open_window(viewport=PHONE, java_script_enabled=False)
    visit.sign_in(cast.bob)
    visit.go(f"/w/{cast.acme.workspace.slug}/live")
    page = visit.page

    expect(page.locator("[data-live-id]")).to_have_count(1)
    expect(page.get_by_role("button", name="Pause")).to_be_hidden()
    acme.get("runs")
    page.get_by_role("link", name="Reload").click()
    expect(page.locator("[data-live-id]")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
