"""Deleting a workspace in a browser: counts, the typed name, how far it is, and the receipt, also on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE, Visit
from tests.cast import Cast
from transfer.erasure import tasks
from transfer.models import WorkspaceErasure

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_an_owner_types_the_name_and_sees_the_receipt_come(
    open_window: Callable[..., Visit], cast: Cast, viewport: dict[str, Any]
) -> None:
    cast.acme.rest().remembered("Tea is ordered on Mondays.")
    alice, size = open_window(viewport=viewport), "phone" if viewport is PHONE else "desktop"
    alice.sign_in(cast.alice)
    page = alice.page
    alice.go(f"/w/{cast.acme.workspace.slug}/settings/delete")

    expect(page.get_by_text("Memories, episodes, slots, runs")).to_be_visible()
    page.get_by_label("Type Acme to go on").fill("Acne")
    page.get_by_role("button", name="Delete workspace").click()
    expect(page.get_by_text("Nothing was deleted: type Acme to go on.")).to_be_visible()
    alice.shoot(f"delete-workspace-mistyped-{size}")
    page.get_by_label("Type Acme to go on").fill("Acme")
    page.get_by_role("button", name="Delete workspace").click()

    expect(page.get_by_text("everything of it is being deleted")).to_be_visible()
    alice.shoot(f"erasure-{size}")
    erasure = WorkspaceErasure.objects.get()
    while not tasks.erase_workspace(str(erasure.id)):
        pass
    expect(page.get_by_role("heading", name="Checked afterwards")).to_be_visible()
    alice.shoot(f"erasure-receipt-{size}")
    page.set_viewport_size({"width": viewport["width"], "height": 2_000})
    alice.shoot(f"erasure-receipt-{size}-whole")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
