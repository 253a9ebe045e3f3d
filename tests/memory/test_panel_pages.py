"""A page of one thing as the panel next to a list asks for it, the rows of that list, and how high they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from config.templatetags.lists import day_name
from core.clock import utc_now
from tests.cast import Answer, Cast, RestClient
from tests.pages import Visitor, text_of, toast_of

OVEN = "The oven door sticks."


def in_panel(visitor: Visitor, path: str, *, at: str = "memory") -> Answer:
    """Ask as the script does that opens a row."""
    headers = {"HX-Request": "true", "HX-Target": "panel", "HX-Current-URL": f"http://testserver{visitor.address(at)}"}
    return visitor.client.get(visitor.address(path), headers=headers)


def addresses(acme: RestClient) -> dict[str, str]:
    """A page of each kind of thing that a list leads to, with a text that is on it."""
    memory = acme.remembered(OVEN)
    node = acme.post("ontology/nodes", {"type": "place", "name": "Backyard"}).json()
    said = acme.post("conversations/kitchen/messages", {"role": "user", "content": "When is it baked?"}).json()
    run = acme.post("runs", {"agent": "clerk", "conversation": "kitchen"}).json()
    receipt = acme.post("context", {"query": "oven"}).json()["receipt_id"]
    return {
        f"memory/{memory['id']}": OVEN,
        f"ontology/nodes/{node['id']}": "Backyard",
        f"conversations/{said['conversation_id']}": "When is it baked?",
        f"explain/runs/{run['id']}": "Run of clerk",
        f"receipts/{receipt}": "What it held",
    }


@pytest.mark.django_db
def test_the_panel_has_what_the_page_has_without_the_frame(bob: Visitor, outsider: Visitor, acme: RestClient) -> None:
    for path, text in addresses(acme).items():
        page, panel = text_of(bob.get(path)), text_of(in_panel(bob, path))

        assert text in page, path
        assert text in panel, path
        assert "<!doctype html>" in page, path
        assert [part for part in ("<!doctype html>", "rail-nav", "<script") if part in panel] == [], path
        assert "opened next to the list" in panel, path
        assert f'href="{bob.address(path)}" data-panel-page' in panel, path
        assert in_panel(outsider, path).status_code == 404, path


@pytest.mark.django_db
def test_a_verb_in_the_panel_brings_its_row_along(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(OVEN)["id"]
    row = f"hx-swap-oob=\"outerHTML:[data-key='memory-{memory}']\""

    next_to_list = bob.swap(f"memory/{memory}/pin", target="memory", at="memory?view=suggestions")
    assert toast_of(next_to_list)["undo_target"] == "#memory"
    assert row in text_of(next_to_list)
    assert row not in text_of(bob.swap(f"memory/{memory}/unpin", target="memory", at=f"memory/{memory}"))


@pytest.mark.django_db
def test_saving_in_the_panel_leaves_the_address_of_the_list(bob: Visitor, acme: RestClient) -> None:
    memory = acme.remembered(OVEN)["id"]
    form = {"content": "The oven door is new.", "importance": "0.5", "confidence": "1"}

    saved = bob.swap(f"memory/{memory}/edit", target="memory", at="memory?view=suggestions", **form)
    assert toast_of(saved)["text"].startswith("Saved.")
    assert "HX-Replace-Url" not in saved.headers
    on_page = bob.swap(f"memory/{memory}/edit", target="memory", at=f"memory/{memory}/edit", **form)
    assert on_page.headers["HX-Replace-Url"] == bob.address(f"memory/{memory}")


@pytest.mark.django_db
def test_rows_say_only_what_is_not_as_it_was_at_first(bob: Visitor, acme: RestClient) -> None:
    plain = acme.remembered(OVEN)["id"]
    page = text_of(bob.get("memory", view="suggestions"))
    assert [word for word in (" refs</span>", ">weight ", "Confidence") if word in page] == []

    run = acme.post("runs", {"agent": "clerk"}).json()["id"]
    acme.post(f"runs/{run}/finish", {"status": "succeeded", "output": f"See [mem:{plain}]."})
    acme.remembered("Perhaps the van is blue.", confidence=0.4)
    bob.post(f"memory/{plain}/weigh", delta="0.5")
    page = text_of(bob.get("memory", view="suggestions"))
    assert "1 ref</span>" in page
    assert ">weight 1." in page
    assert '<span class="unseen">Confidence </span><span class="number">0.40</span>' in page


@pytest.mark.django_db
def test_lists_in_the_order_of_time_stand_under_their_days(bob: Visitor, acme: RestClient) -> None:
    acme.remembered(OVEN)

    assert '<li class="day">Today</li>' in text_of(bob.get("memory", view="suggestions"))
    assert '<li class="day">' not in text_of(bob.get("memory", view="search", q="oven"))


@pytest.mark.django_db
def test_the_height_of_rows_is_chosen_by_the_address_and_kept(cast: Cast, bob: Visitor) -> None:
    assert 'data-rows="compact"' in text_of(bob.get("conversations"))

    chosen = bob.get("memory", view="facts", rows="comfortable")

    assert 'data-rows="comfortable"' in text_of(chosen)
    assert 'href="?view=facts&amp;rows=compact"' in text_of(chosen)
    assert chosen.cookies["rows"]["samesite"] == "Lax"
    assert 'data-rows="comfortable"' in text_of(bob.get("conversations"))
    assert 'data-rows="comfortable"' in text_of(bob.get("ontology", rows="enormous"))


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["http://[", "http://testserver//[", "http://testserver/%00", "//"])
def test_an_address_that_cannot_be_read_is_that_of_no_list(cast: Cast, bob: Visitor, address: str) -> None:
    memory = cast.acme.rest().remembered(OVEN)["id"]
    headers = {"HX-Request": "true", "HX-Target": "memory", "HX-Current-URL": address}

    for verb in ("pin", "unpin"):
        assert bob.client.post(bob.address(f"memory/{memory}/{verb}"), headers=headers).status_code == 200
    bob.client.logout()
    assert bob.client.get(bob.address("memory"), headers=headers).headers["HX-Redirect"].startswith("/sign-in")


@pytest.mark.parametrize(
    ("days", "said"),
    [(0, "Today"), (1, "Yesterday")],
)
def test_days_near_now_have_names(days: int, said: str) -> None:
    assert day_name(utc_now() - timedelta(days=days)) == said


def test_other_days_are_dates() -> None:
    assert day_name(datetime(2021, 11, 3, 12, tzinfo=UTC)) == "Wednesday 3 November 2021"
    assert day_name(None) == "Never"
