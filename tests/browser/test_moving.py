"""Going from page to page of the console: no document is loaded, and title, focus, place and history follow."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Request, expect

from tests.browser.conftest import Visit
from tests.cast import Cast
from tests.ontology.test_asking import node

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def _documents(visit: Visit) -> list[str]:
    loaded: list[str] = []

    def note(request: Request) -> None:
        if request.is_navigation_request():
            loaded.append(request.url)

    visit.page.on("request", note)
    return loaded


def test_moves_load_no_document_and_come_back_to_where_they_left(alice: Visit) -> None:
    loaded, main = _documents(alice), alice.page.get_by_role("main")

    alice.open("Conversations")
    expect(alice.page).to_have_title(re.compile("^Conversations"))
    expect(main).to_be_focused()
    expect(alice.page.locator("#announcer")).to_have_text(re.compile("^Conversations"))
    alice.page.go_back()
    expect(alice.page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()
    expect(alice.page).to_have_url(re.compile("/memory$"))
    alice.page.go_forward()
    expect(alice.page.get_by_role("heading", name="Conversations", exact=True)).to_be_visible()

    assert loaded == []


def test_a_page_with_scripts_of_its_own_is_loaded_as_a_document(alice: Visit) -> None:
    loaded = _documents(alice)

    alice.open("Explain")
    alice.open("Ask")
    expect(alice.page.get_by_role("heading", name="Ask", exact=True)).to_be_visible()

    assert len(loaded) == 1


def test_who_has_signed_out_moves_to_the_sign_in_page(alice: Visit) -> None:
    alice.page.context.clear_cookies()

    alice.open("Conversations")

    expect(alice.page).to_have_url(re.compile("/sign-in"))


def test_a_half_written_text_is_not_left_without_asking(alice: Visit, cast: Cast) -> None:
    memory = cast.acme.rest().remembered("The oven is cleaned on Sundays.")
    alice.go(f"/w/{cast.acme.workspace.slug}/memory/{memory['id']}/edit")
    alice.page.get_by_label("Content").fill("Half a sen")

    alice.open("Conversations")
    dialog = alice.page.get_by_role("dialog", name="Leave without saving?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(alice.page.get_by_label("Content")).to_have_value("Half a sen")
    alice.open("Conversations")
    dialog.get_by_role("button", name="Leave").click()

    expect(alice.page.get_by_role("heading", name="Conversations", exact=True)).to_be_visible()


def test_a_page_without_the_frame_leads_to_a_workspace(alice: Visit, cast: Cast) -> None:
    alice.go("/workspaces")
    alice.page.get_by_role("link", name=cast.acme.workspace.name, exact=True).click()

    expect(alice.page).to_have_url(re.compile(f"/w/{cast.acme.workspace.slug}/"))


def test_a_filter_keeps_the_graph(alice: Visit, cast: Cast) -> None:
    rest = cast.acme.rest()
    node(rest, "Ada Lovelace")
    node(rest, "Oslo", "place")
    alice.go(f"/w/{cast.acme.workspace.slug}/ontology?view=graph")
    expect(alice.page.locator("[data-graph] canvas")).to_be_visible()

    alice.page.locator(".filters .chip", has_text="person").click()

    expect(alice.page).to_have_url(re.compile("types=person"))
    expect(alice.page.locator("[data-graph] canvas")).to_be_visible()
