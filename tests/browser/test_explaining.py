"""From an agent's answer to its context, and one more click to see it without a memory, in a browser."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.cast import Cast, RestClient

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

QUESTION = "Who delivers the flour, and when?"


@pytest.fixture
def flour(cast: Cast) -> dict[str, Any]:
    rest: RestClient = cast.acme.rest()
    memory = rest.remembered("Flour is delivered by the northern mill on Tuesdays.")
    rest.post("conversations/tickets/messages", {"role": "user", "content": QUESTION})
    rest.post("context", {"query": QUESTION, "conversation": "tickets"})
    rest.post("conversations/tickets/messages", {"role": "assistant", "content": "On Tuesdays."})
    return memory


def test_two_clicks_lead_from_an_answer_to_its_context_without_a_memory(
    alice: Visit, cast: Cast, flour: dict[str, Any]
) -> None:
    rest, page = cast.acme.rest(), alice.page
    alice.go(f"/w/{cast.acme.workspace.slug}/conversations/{rest.get('conversations/tickets').json()['id']}")

    page.get_by_role("link", name="Why this answer").click()
    expect(page.get_by_role("link", name=flour["content"])).to_be_visible()
    page.get_by_role("button", name="Suppress").click()

    expect(page.get_by_role("heading", name="Suppressed. +0 in, −1 out")).to_be_visible()
    assert rest.get(f"memories/{flour['id']}").json()["suppressed"] is True
    alice.shoot("explain-suppressed")
    page.get_by_role("button", name="Undo: unsuppress it").click()
    expect(page.get_by_role("heading", name="Unsuppressed. The same things are in it.")).to_be_visible()
