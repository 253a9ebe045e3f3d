"""Undoing what one agent wrote since yesterday, in a browser: a look, a confirmation, and back again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right
from workspaces.keys.services import create_key

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_what_an_agent_wrote_since_yesterday_goes_and_comes_back(alice: Visit, cast: Cast) -> None:
    made = create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE])
    clerk = RestClient(cast.acme.workspace.id, made.secret)
    clerk.remembered("The depot opens at nine.")
    page = alice.page
    alice.go(f"/w/{cast.acme.workspace.slug}/undo?agent=clerk")

    page.get_by_label("Undo what it wrote").select_option("day")
    page.get_by_role("button", name="See what would go").click()
    expect(page.get_by_text("Nothing is changed yet.")).to_be_visible()
    page.get_by_role("button", name="Undo 1 thing").click()
    expect(page.get_by_text(re.compile("1 undone"))).to_be_visible()
    assert clerk.get("memories").json()["results"] == []
    page.get_by_role("button", name="Undo the undo").click()
    expect(page.get_by_text("Reverted.")).to_be_visible()
    assert len(clerk.get("memories").json()["results"]) == 1
