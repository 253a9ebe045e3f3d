"""Asking and answering in a browser: streaming, links, keys, and what is there when the page comes back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from threading import Event

import pytest
from playwright.sync_api import expect

from tests.awaiting import comes_true
from tests.browser.conftest import Visit
from tests.cast import Cast
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, Reply, model_server, saying

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FLOUR = "Flour is delivered on Tuesdays."
QUESTION = "When is the flour delivered?"
# What a person gets who selects an element and copies it.
COPY = """(place) => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector(place));
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  const copying = new ClipboardEvent("copy", { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
  document.body.dispatchEvent(copying);
  return copying.clipboardData.getData("text/plain");
}"""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model provider, running."""
    with model_server() as running:
        yield running


def _open_ask(visit: Visit) -> None:
    visit.open("Explain")
    visit.open("Ask")


def test_asks_by_keyboard_and_follows_the_citation(alice: Visit, cast: Cast) -> None:
    fact = cast.acme.rest().remembered(FLOUR, kind="fact")
    page, keys = alice.page, alice.page.keyboard
    _open_ask(alice)
    page.get_by_label("Message").focus()

    keys.type(QUESTION)
    keys.press("Shift+Enter")
    keys.type("Thank you.")
    keys.press("Enter")

    answer = page.locator("[data-turn] .message-assistant")
    expect(answer).to_contain_text(FLOUR)
    expect(page.get_by_text("Recalled in")).to_be_visible()
    expect(page.locator(".message-user")).to_contain_text("Thank you.")
    expect(page.get_by_label("Message")).to_be_focused()
    expect(page.get_by_label("Message")).to_have_value("")
    expect(page).to_have_url(re.compile(r"/explain/ask/[0-9a-f-]{36}$"))
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    alice.shoot("ask")
    page.reload()
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    expect(page.get_by_text("[mem:")).to_have_count(0)
    page.get_by_role("link", name="Source 1").click()
    expect(page).to_have_url(re.compile(f"/memory/{fact['id']}$"))


def test_a_new_question_is_answered_on_the_page_that_it_was_asked_on(alice: Visit, cast: Cast) -> None:
    cast.acme.rest().remembered(FLOUR, kind="fact")
    page = alice.page
    _open_ask(alice)
    answer = page.locator("[data-turn] .message-assistant")
    for question in (QUESTION, "Which day is for flour?"):
        page.get_by_label("Message").fill(question)
        page.keyboard.press("Enter")
        expect(answer).to_contain_text(FLOUR)
        expect(page.locator(".message-user")).to_contain_text(question)
        page.get_by_role("link", name="New question").click()
        expect(page.locator(".message-user")).to_have_count(0)
        expect(page.get_by_label("Message")).to_be_focused()


def test_a_source_is_suppressed_in_the_answer_which_changes_in_place(alice: Visit, cast: Cast) -> None:
    fact = cast.acme.rest().remembered(FLOUR, kind="fact")
    page = alice.page
    _open_ask(alice)
    page.get_by_label("Message").fill(QUESTION)
    page.get_by_label("Message").press("Enter")
    page.get_by_text("1 source", exact=True).click()

    page.get_by_role("button", name="Suppress").click()

    now = page.get_by_label("The answer now")
    expect(now).to_contain_text("Suppressed.")
    expect(now).not_to_contain_text(FLOUR)
    expect(page.locator(".answer")).to_contain_text(FLOUR)
    assert cast.acme.rest().get(f"memories/{fact['id']}").json()["suppressed"] is True
    alice.shoot("ask-suppressed")
    now.get_by_role("button", name="Undo: unsuppress it").click()
    expect(now).to_contain_text("The answer stays the same")
    assert cast.acme.rest().get(f"memories/{fact['id']}").json()["suppressed"] is False
    copied = page.evaluate(COPY, ".answer .message-text")
    assert f"[mem:{fact['id']}]" in copied


def test_streams_and_asks_again_after_a_failure(alice: Visit, cast: Cast, server: ModelServer) -> None:
    choose(cast.acme, server)
    seen_to_stream = Event()
    server.will(Reply(hangs_up_after=1), saying("It comes on Tuesdays.", goes_on=seen_to_stream))
    page = alice.page
    _open_ask(alice)
    page.get_by_label("Message").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()

    expect(page.get_by_text("Your question is kept.")).to_be_visible()
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator("[data-text]")).to_have_text("It")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()

    seen_to_stream.set()
    expect(page.locator(".message-assistant")).to_contain_text("It comes on Tuesdays.")
    expect(page.get_by_role("button", name="Stop")).to_be_hidden()
    expect(page.get_by_text("Your question is kept.")).to_be_hidden()


def test_stopping_keeps_the_question(alice: Visit, cast: Cast, server: ModelServer) -> None:
    choose(cast.acme, server)
    server.will(saying("One " * 1_000, waits_between_seconds=0.2))
    page = alice.page
    _open_ask(alice)
    page.get_by_label("Message").fill(QUESTION)
    page.get_by_label("Message").press("Enter")
    expect(page.locator("[data-text]")).to_contain_text("One")

    page.get_by_role("button", name="Stop").click()

    expect(page.locator("[data-failure]")).to_have_text("Stopped.")
    expect(page.get_by_role("button", name="Ask again")).to_be_visible()
    # The server notices when it writes the next word.
    assert comes_true(lambda: cast.acme.rest().get("runs").json()["results"][0]["status"] == "cancelled")


def test_deletes_a_conversation_after_typing_the_word(alice: Visit, cast: Cast) -> None:
    cast.acme.rest().post("conversations/kitchen/messages", {"role": "user", "content": "Hello."})
    page = alice.page
    alice.open("Conversations")
    alice.follow(page.get_by_role("link", name="kitchen"))

    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nothing was deleted")).to_be_visible()
    page.get_by_label(re.compile("Type delete")).fill("delete")
    page.get_by_role("button", name="Delete").click()

    alice.says("Deleted, with everything that hung on it.")
    expect(page.get_by_role("heading", name="No conversations")).to_be_visible()
