"""Deciding about what agents wrote, in a browser: by keys, several at once, undone, and on a phone without script."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.cast import Cast, RestClient
from tests.memory.test_review_queue import pattern

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SHELVES = ["flour", "sugar", "butter", "yeast", "salt"]


def fill(acme: RestClient) -> None:
    for place, what in enumerate(SHELVES):
        acme.remembered(f"Shelf {place} holds {what}.")


def test_one_key_for_each_verdict(alice: Visit, cast: Cast, acme: RestClient) -> None:
    fill(acme)
    page = alice.page
    pattern(cast)
    alice.open("Review")
    text = page.locator(".review-text")

    expect(text).to_contain_text("rate_limited")
    page.keyboard.press("f")
    alice.says("“f” is not a verdict on this item. Its verdicts are Keep warning (z), Suppress (s).")
    page.keyboard.press("z")
    expect(text).to_have_text("Shelf 4 holds salt.")
    page.keyboard.press("z")
    expect(text).to_have_text("Shelf 3 holds yeast.")
    page.keyboard.press("j")
    expect(text).to_have_text("Shelf 2 holds butter.")
    page.keyboard.press("x")
    expect(text).to_have_text("Shelf 1 holds sugar.")
    page.keyboard.press("u")
    expect(text).to_have_text("Shelf 2 holds butter.")
    expect(page.locator(".queue-row.is-current a")).to_be_focused()
    assert page.evaluate("scrollY") == 0
    page.keyboard.press("e")
    page.keyboard.press("End")
    page.keyboard.type(" And lard.")
    page.get_by_role("button", name="Keep these words").click()
    expect(page.locator("#review-count")).to_contain_text("3")
    assert "Shelf 2 holds butter. And lard." in [one["content"] for one in acme.get("memories").json()["results"]]


def test_several_at_once(alice: Visit, acme: RestClient) -> None:
    fill(acme)
    page = alice.page
    alice.open("Review")

    for _ in range(2):
        before = page.locator(".review-text").inner_text()
        page.keyboard.press("Shift+J")
        expect(page.locator(".review-text")).not_to_have_text(before)
    expect(page.locator("[data-bulk-count]")).to_have_text("With the 3 selected:")
    page.keyboard.press("z")
    alice.says("3 decided: kept.")
    expect(page.locator("#review-count")).to_contain_text("2")


def test_on_a_phone_without_script(open_window: Callable[..., Visit], cast: Cast, acme: RestClient) -> None:
    fill(acme)
    visit = open_window(viewport=PHONE, java_script_enabled=False)
    visit.sign_in(cast.bob)
    visit.go(f"/w/{cast.acme.workspace.slug}/review")
    visit.shoot("review-phone")

    visit.page.get_by_role("article").get_by_role("button", name="Keep as suggestion").click()
    expect(visit.page.locator(".review-text")).to_have_text("Shelf 3 holds yeast.")
    visit.page.get_by_role("button", name="Undo").first.press("Enter")
    expect(visit.page.locator(".review-text")).to_have_text("Shelf 4 holds salt.")
