"""Pages show another moment, in their address: Memory, Things and Explain."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from core.clock import utc_now
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of

TUESDAY, THURSDAY = "The staff meeting is on Tuesday.", "The staff meeting is on Thursday."
START = utc_now() - timedelta(days=30)
CLOCKS = ("as_of", "known_at")
BACK = "Back to now"


def _day(number: float) -> datetime:
    return START + timedelta(days=number)


def _field(number: float) -> str:
    """A moment as the field of a form sends it."""
    return _day(number).strftime("%Y-%m-%dT%H:%M:%S")


@pytest.fixture
def bob(cast: Cast) -> Visitor:
    return Visitor.of(cast.bob, cast.acme.workspace)


@pytest.fixture
def meeting(acme: RestClient) -> dict[str, Any]:
    """A memory that was edited on day 2 and promoted on day 4."""
    with time_machine.travel(_day(0), tick=False):
        found = acme.remembered(TUESDAY)
    with time_machine.travel(_day(2), tick=False):
        acme.patch(f"memories/{found['id']}", {"content": THURSDAY})
    with time_machine.travel(_day(4), tick=False):
        acme.post(f"memories/{found['id']}/promote")
    return found


@pytest.mark.parametrize("clock", CLOCKS)
def test_lists_of_memory_show_what_was_believed(bob: Visitor, meeting: dict[str, Any], clock: str) -> None:
    then = text_of(bob.get("memory", view="suggestions", **{clock: _field(1)}))

    assert TUESDAY in then
    assert THURSDAY not in then
    assert "Edited since" in then
    assert "Promoted since" in then
    assert BACK in then
    assert 'href="?view=suggestions"' in then
    assert f"{_day(1):%-d %b %Y at %H:%M:%S} UTC" in then
    assert f"/{meeting['id']}/pin" not in then, "Nothing is done to a memory as it was."
    assert f"view=facts&amp;{clock}=" in then
    assert THURSDAY in text_of(bob.get("memory", view="facts", **{clock: _field(5)}))
    assert TUESDAY not in text_of(bob.get("memory", view="facts", **{clock: _field(1)}))
    now = text_of(bob.get("memory", view="facts"))
    assert THURSDAY in now
    assert BACK not in now


def test_a_search_of_another_moment_shows_it(bob: Visitor, meeting: dict[str, Any]) -> None:
    page = text_of(bob.get("memory", q="meeting Tuesday", as_of=_field(1)))

    assert TUESDAY in page
    assert THURSDAY not in page
    assert 'name="as_of" value="' in page


def test_people_see_what_was_forgotten_since(bob: Visitor, acme: RestClient, meeting: dict[str, Any]) -> None:
    acme.delete(f"memories/{meeting['id']}")

    page = text_of(bob.get("memory", view="search", as_of=_field(1)))

    assert TUESDAY in page
    assert "Forgotten since" in page


@pytest.mark.parametrize("clock", CLOCKS)
def test_the_page_of_a_memory_shows_it_as_it_was(bob: Visitor, meeting: dict[str, Any], clock: str) -> None:
    page = text_of(bob.get(f"memory/{meeting['id']}", **{clock: _field(1)}))

    assert TUESDAY in page
    assert "Thursday" not in page
    assert "Edited since" in page
    assert BACK in page
    assert "Revert to this" not in page
    assert f"/{meeting['id']}/edit" not in page


@pytest.mark.parametrize("clock", CLOCKS)
def test_things_have_the_names_of_then(bob: Visitor, acme: RestClient, clock: str) -> None:
    with time_machine.travel(_day(0), tick=False):
        node = acme.post("ontology/nodes", {"type": "company", "name": "Northern mill", "properties": {}}).json()["id"]
        gone = acme.post("ontology/nodes", {"type": "company", "name": "Old bakery", "properties": {}}).json()["id"]
    with time_machine.travel(_day(2), tick=False):
        acme.patch(f"ontology/nodes/{node}", {"name": "Southern mill"})
        acme.delete(f"ontology/nodes/{gone}")
        acme.post("ontology/nodes", {"type": "company", "name": "New bakery", "properties": {}})
    then = {clock: _field(1)}

    page = text_of(bob.get("ontology", **then))
    graph = text_of(bob.get("ontology", view="graph", **then))
    one = text_of(bob.get(f"ontology/nodes/{node}", **then))
    hits = text_of(bob.get("ontology", q="mill", **then))

    for shown in (page, graph):
        assert "Northern mill" in shown
        assert "Old bakery" in shown
        assert BACK in shown
        assert not any(name in shown for name in ("Southern mill", "New bakery"))
    assert "Northern mill" in one
    assert "Southern" not in one
    assert f"/nodes/{node}/edit" not in one
    assert "Northern mill" in hits
    assert "Southern mill" in text_of(bob.get("ontology", q="mill"))


@pytest.mark.parametrize("clock", CLOCKS)
def test_the_search_lab_and_running_again_ask_for_another_moment(
    bob: Visitor, acme: RestClient, meeting: dict[str, Any], clock: str
) -> None:
    receipt = acme.post("context", {"query": "The staff meeting"}).json()["receipt_id"]
    then = {clock: _field(1)}

    lab = text_of(bob.get("explain/search", q="The staff meeting", **then))
    again = text_of(bob.post(f"receipts/{receipt}/rerun", query="The staff meeting", **then))
    form = text_of(bob.get(f"receipts/{receipt}", **then))

    assert TUESDAY in lab
    assert THURSDAY not in lab
    assert 'href="?q=The+staff+meeting"' in lab
    assert TUESDAY in again
    assert f"{_day(1):%-d %b %Y at %H:%M:%S} UTC" in lab
    assert f"{_day(1):%-d %b %Y at %H:%M:%S} UTC" in again
    assert f'value="{_field(1)}"' in form


@pytest.mark.parametrize("page", ["memory", "ontology", "explain/search"])
def test_a_time_that_is_none_is_refused(bob: Visitor, page: str) -> None:
    assert bob.get(page, q="tea", as_of="yesterday").status_code == 422


def test_charlie_sees_no_moment(cast: Cast, meeting: dict[str, Any]) -> None:
    charlie = Visitor.of(cast.charlie, cast.acme.workspace)

    for page in ("memory", f"memory/{meeting['id']}", "ontology", "explain/search"):
        assert charlie.get(page, as_of=_field(1)).status_code == 404
