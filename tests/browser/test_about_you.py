"""What a person does with what agents keep about them, in a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.cast import Cast, RestClient
from workspaces.access.selectors import own_space

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BREAD = "# Current Goals\n- **Active project/task**: paler bread"


def test_a_person_edits_meets_an_agents_change_and_clears(alice: Visit, cast: Cast, acme: RestClient) -> None:
    page, own = alice.page, own_space(cast.alice.id).key
    alice.open("About you")

    page.get_by_role("textbox", name="What is kept").fill(BREAD)
    page.get_by_role("button", name="Save").click()
    alice.says("Saved. Agents are given it from now on.")
    expect(page.get_by_text("by Alice")).to_be_visible()

    acme.patch(f"users/{own}/memory", {"sections": {"Workflow Preferences": "- **Naming**: short"}})
    page.get_by_role("textbox", name="What is kept").fill(f"{BREAD}, and darker rolls")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("It was changed while you were writing")
    expect(page.locator("#kept-text")).to_contain_text("Naming")
    expect(page.get_by_role("textbox", name="Your text")).to_have_value(f"{BREAD}, and darker rolls")
    page.get_by_role("button", name="Save").click()
    alice.says("Saved.")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert acme.get(f"users/{own}/memory").json()["content"] == f"{BREAD}, and darker rolls"

    page.get_by_role("link", name="Clear…").click()
    page.get_by_role("dialog").get_by_role("button", name="Clear everything").click()
    alice.says("Cleared.")
    expect(page.get_by_text("Nothing is kept yet")).to_be_visible()
    assert acme.get(f"users/{own}/memory").json()["updated_at"] is None


def test_on_a_phone_and_without_script(open_window: Callable[..., Visit], cast: Cast, acme: RestClient) -> None:
    own = own_space(cast.bob.id).key
    acme.put(f"users/{own}/memory", {"content": f"{BREAD}\n" + "- **Common integrations used**: " + "wheat " * 60})
    visit = open_window(viewport=PHONE, java_script_enabled=False)
    visit.sign_in(cast.bob)
    visit.go(f"/w/{cast.acme.workspace.slug}/about-you")
    visit.shoot("about-you-phone")

    visit.page.get_by_role("link", name="Clear…").click()
    expect(visit.page.get_by_role("heading", name="Clear what is kept about you?")).to_be_visible()
    visit.shoot("about-you-clear-phone")
    visit.page.get_by_role("button", name="Clear everything").click()
    expect(visit.page.get_by_text("Nothing is kept yet")).to_be_visible()
