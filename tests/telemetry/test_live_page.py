"""The page Live: who did what, with links, without JavaScript, and for those who may look."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.clock import moment, utc_now
from telemetry.live.live_event import LiveActor, LiveEvent
from telemetry.live.services import changes
from telemetry.live.services.publisher import publish
from telemetry.live.view_models import describe
from tests.cast import Cast, RestClient
from tests.pages import Visitor, text_of
from workspaces.access.callers import Right
from workspaces.access.spaces import SHARED
from workspaces.keys.services import create_key

pytestmark = pytest.mark.heavy
HOSTILE = '"><script>alert(1)</script>'


def _event(**fields: Any) -> LiveEvent:
    given = {
        "at": str(moment(utc_now())),
        "verb": "read",
        "layer": "memories",
        "action": "POST memories/search",
        "door": "rest",
        "actor": LiveActor("api_key", "k-1", "order-desk"),
        "spaces": (str(SHARED.id),),
        "type": "memory",
        **fields,
    }
    return LiveEvent(**given)


def _rows(text: str) -> list[str]:
    return re.findall(r"<tr data-row.*?</tr>", text, re.DOTALL)


def test_each_line_says_who_did_what_and_leads_to_it(cast: Cast, acme: RestClient, alice: Visitor) -> None:
    memory = acme.remembered("Never shown here.")
    acme.get(f"memories/{uuid4()}")

    text = text_of(alice.get("live"))
    failed, wrote = _rows(text)

    assert "Never shown here." not in text
    assert "Acme agent" in wrote
    assert "remembered" in wrote
    assert f'href="/w/{cast.acme.workspace.slug}/memory/{memory["id"]}"' in wrote
    assert "not_found" in failed
    assert "a memory" in failed
    assert 'href="?actor=Acme+agent"' in wrote


def test_people_have_their_names_and_oneself_is_you(cast: Cast, alice: Visitor, bob: Visitor) -> None:
    publish(cast.acme.workspace.id, _event(actor=LiveActor("user", str(cast.bob.id))))
    assert "Bob" in _rows(text_of(alice.get("live")))[0]
    assert "You" in _rows(text_of(bob.get("live")))[0]


def test_looking_at_a_context_again_is_not_writing_one(
    acme: RestClient, alice: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    flour = acme.remembered("Flour is delivered on Tuesdays.")
    receipt = acme.post("context", {"query": "When is flour delivered?"}).json()["receipt_id"]
    alice.post(f"receipts/{receipt}/reproduce")
    alice.post(f"receipts/{receipt}/rerun", query="When is flour delivered?")

    ran, reproduced = (_words(row) for row in _rows(text_of(alice.get("live", layer="contexts", verb="read")))[:2])
    assert "You reproduced a context" in reproduced
    assert "You reran a context" in ran

    # The transaction of a test does not commit: what is noted in it counts at once.
    monkeypatch.setattr(changes, "transaction", SimpleNamespace(on_commit=lambda note, robust: note()))
    alice.post(f"receipts/{receipt}/rerun", query="When is flour delivered?", suppress=flour["id"])
    assert "You reran a context" in _words(_rows(text_of(alice.get("live", verb="write")))[0])


def _words(row: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", row).split())


def test_filters_stand_in_the_address(cast: Cast, alice: Visitor) -> None:
    publish(
        cast.acme.workspace.id,
        _event(),
        _event(verb="write", actor=LiveActor("api_key", "k-2", "clerk")),
        _event(outcome="failure", error_code="timeout", layer="ontology"),
    )
    for query, number in (
        ({"verb": "write"}, 1),
        ({"actor": "clerk"}, 1),
        ({"outcome": "failure"}, 1),
        ({"layer": "memories"}, 2),
        ({"verb": "chew"}, 3),
        ({}, 3),
    ):
        assert len(_rows(text_of(alice.get("live", **query)))) == number, query


def test_the_script_gets_new_rows_alone(cast: Cast, alice: Visitor) -> None:
    publish(cast.acme.workspace.id, _event(count=1))
    (place,) = re.findall(r'data-live-id="([\d-]+)"', text_of(alice.get("live")))
    headers = {"HX-Request": "true", "HX-Target": "live-rows"}

    def news() -> Any:
        return alice.client.get(alice.address("live"), {"after": place}, headers=headers)

    assert news().status_code == 204
    publish(cast.acme.workspace.id, _event(count=2), _event(count=3))
    text = text_of(news())
    assert text.count("<tr") == 2
    assert text.index("3 memories") < text.index("2 memories")  # newest first
    assert "<html" not in text


def test_earlier_ones_are_a_link_away(cast: Cast, alice: Visitor) -> None:
    publish(cast.acme.workspace.id, *(_event(count=number) for number in range(2, 132)))
    first = text_of(alice.get("live"))
    (earlier,) = re.findall(r'href="([^"]*before=[^"]*)"', first)
    second = text_of(alice.get(earlier))
    assert (len(_rows(first)), len(_rows(second))) == (100, 30)
    assert "data-live-rows" not in second  # what is past does not move
    assert "2 memories" in _rows(second)[-1]


def test_hostile_names_are_escaped(cast: Cast, alice: Visitor) -> None:
    create_key(caller=cast.acme.caller, name=HOSTILE, scopes=list(Right))
    hostile = _event(actor=LiveActor("api_key", "k", HOSTILE), action=HOSTILE, error_code=HOSTILE, outcome="failure")
    publish(cast.acme.workspace.id, hostile, _event(type=HOSTILE, layer=HOSTILE, verb="read"))
    text = text_of(alice.get("live", actor=HOSTILE)) + text_of(alice.get("live"))
    assert "<script>alert" not in text


def test_the_number_of_queries_does_not_grow(cast: Cast, alice: Visitor) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as made:
            assert alice.get("live").status_code == 200
        return len(made)

    person = LiveActor("user", str(cast.bob.id))
    publish(cast.acme.workspace.id, _event(actor=person))
    few = queries()
    publish(cast.acme.workspace.id, *(_event(actor=person, ids=(str(uuid4()),)) for _ in range(90)))
    assert queries() == few


def test_another_space_has_another_view(cast: Cast, acme: RestClient, alice: Visitor, bob: Visitor) -> None:
    acme.post("memories", {"content": "Only for 42.", "user": "42"})
    assert _rows(text_of(alice.get("live"))) == []
    assert len(_rows(text_of(alice.get("live", space="user:42")))) == 1  # an owner; it is recorded
    assert bob.get("live", space="user:42").status_code == 403


def test_the_frame_follows_the_stream_of_what_it_shows(cast: Cast, alice: Visitor) -> None:
    events = f"/v1/workspaces/{cast.acme.workspace.id}/events"
    assert f'data-live-url="{events}"' in text_of(alice.get("memory"))
    assert f'data-live-url="{events}?space=project%3Aapollo"' in text_of(alice.get("memory", space="project:apollo"))
    assert 'data-live-news="memories"' in text_of(alice.get("memory"))
    assert "data-live-url" not in text_of(alice.get("/workspaces"))
    assert 'id="review-count"' in text_of(alice.get("live/counters"))


def test_without_events_the_page_says_so(alice: Visitor) -> None:
    assert "Nothing in the last hour" in text_of(alice.get("live"))
    assert "Nothing of this kind" in text_of(alice.get("live", verb="write"))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (_event(count=12), ("searched", "12 memories")),
        (_event(action="GET memories/{memory_id}", outcome="failure"), ("read", "a memory")),
        (_event(action="memory.remember", verb="write", count=1), ("remembered", "a memory")),
        (_event(action="POST memories/{memory_id}/promote", verb="write", count=1), ("promoted", "a memory")),
        (_event(action="PATCH ontology/nodes/{node_id}", verb="write", type="node", count=1), ("edited", "a thing")),
        (_event(action="POST context", type="receipt", layer="contexts", count=1), ("assembled", "a context")),
        (_event(action="POST memory/selected/tag", verb="write", count=2), ("tagged", "2 memories")),
        (_event(action="erp.send", door="agent", type=""), ("called", "erp.send")),
        (_event(action="GET users/{user}/memory", type="", layer="working_memory"), ("read", "working memory")),
        (_event(action="chat.turn", type="", layer="chat", door="chat"), ("answered", "a question")),
        (_event(action="learn", door="server", type="pattern", layer="telemetry", count=2), ("learned", "2 patterns")),
    ],
)
def test_an_event_in_words(event: LiveEvent, words: tuple[str, str]) -> None:
    assert describe(event) == words
