"""Lists, searches and contexts of another moment say what was said then, as what it counted then."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from core.clock import utc_now
from mcp_server.tools.memories import list_
from memory.memories.schemas import MemoryFilters
from memory.memories.services.lifecycle import apply_transition
from memory.memories.transitions import Verb
from tests.cast import Cast, RestClient

TUESDAY, THURSDAY = "The staff meeting is on Tuesday.", "The staff meeting is on Thursday."
QUESTION = "The staff meeting"
START = utc_now() - timedelta(days=30)
CLOCKS = ("as_of", "known_at")


def _day(number: float) -> datetime:
    return START + timedelta(days=number)


def _at(number: float) -> str:
    return _day(number).isoformat()


@pytest.fixture
def meeting(acme: RestClient) -> dict[str, Any]:
    """A memory that was edited on day 2, promoted on day 4, pinned on day 6, and tagged on day 8."""
    with time_machine.travel(_day(0), tick=False):
        found = acme.remembered(TUESDAY)
    with time_machine.travel(_day(2), tick=False):
        assert acme.patch(f"memories/{found['id']}", {"content": THURSDAY}).status_code == 200
    with time_machine.travel(_day(4), tick=False):
        assert acme.post(f"memories/{found['id']}/promote").status_code == 200
    with time_machine.travel(_day(6), tick=False):
        assert acme.post(f"memories/{found['id']}/pin").status_code == 200
    with time_machine.travel(_day(8), tick=False):
        assert acme.patch(f"memories/{found['id']}", {"tags": ["week"]}).status_code == 200
    return found


def _listed(rest: RestClient, **query: Any) -> list[dict[str, Any]]:
    answer = rest.get("memories", **query)
    assert answer.status_code == 200, answer.content
    return list(answer.json()["results"])


def _found(rest: RestClient, query: str = QUESTION, **body: Any) -> list[dict[str, Any]]:
    answer = rest.post("memories/search", {"query": query, **body})
    assert answer.status_code == 200, answer.content
    return [hit["memory"] for hit in answer.json()["results"]]


def _context(rest: RestClient, **body: Any) -> dict[str, Any]:
    answer = rest.post("context", {"query": QUESTION, **body})
    assert answer.status_code == 200, answer.content
    return {block["name"]: block["text"] for block in answer.json()["blocks"]}


@pytest.mark.parametrize("clock", CLOCKS)
def test_every_door_says_what_was_said_then(cast: Cast, acme: RestClient, meeting: dict[str, Any], clock: str) -> None:
    agent = cast.acme.caller
    for day, text, kind, pinned, tags in [
        (1, TUESDAY, "memory", False, []),
        (3, THURSDAY, "memory", False, []),
        (5, THURSDAY, "fact", False, []),
        (7, THURSDAY, "fact", True, []),
        (9, THURSDAY, "fact", True, ["week"]),
    ]:
        then = {clock: _at(day)}
        [told] = list_(agent, body=MemoryFilters.model_validate(then)).results
        assert (told.content, told.kind) == (text, kind)
        for [seen] in (_listed(acme, **then), _found(acme, **then)):
            said = (seen["content"], seen["kind"], seen["pinned"], seen["tags"])
            assert said == (text, kind, pinned, tags), (day, clock)
        blocks = _context(acme, **then)
        assert text in blocks["facts" if kind == "fact" else "memories"]
        assert (TUESDAY if text == THURSDAY else THURSDAY) not in str(blocks)


@pytest.mark.parametrize("clock", CLOCKS)
def test_filters_are_those_of_then(acme: RestClient, meeting: dict[str, Any], clock: str) -> None:
    before, after = {clock: _at(1)}, {clock: _at(9)}
    for old, new in [({"kinds": "memory"}, {"kinds": "fact"}), ({"pinned": "false"}, {"pinned": "true"})]:
        assert [len(_listed(acme, **when, **narrow)) for when in (before, after) for narrow in (old, new)] == [
            1,
            0,
            0,
            1,
        ]
    assert [len(_listed(acme, **when, tags="week")) for when in (before, after)] == [0, 1]
    assert [len(_found(acme, **when, kinds=["fact"])) for when in (before, after)] == [0, 1]
    assert [len(_found(acme, **when, tags=["week"], pinned=True)) for when in (before, after)] == [0, 1]


@pytest.mark.parametrize("clock", CLOCKS)
def test_it_is_found_by_the_words_of_then(acme: RestClient, meeting: dict[str, Any], clock: str) -> None:
    def words(query: str, day: int) -> list[str]:
        return [hit["content"] for hit in _found(acme, query, mode="keyword", **{clock: _at(day)})]

    assert words("Tuesday", 1) == [TUESDAY]
    assert words("Thursday", 1) == []
    assert words("Tuesday", 3) == []
    assert words("Thursday", 3) == [THURSDAY]


def test_a_moment_before_it_was_written_has_it_as_it_was_written(acme: RestClient) -> None:
    found = acme.remembered("Anna lives in Rome.", valid_from="2020-01-01T00:00:00Z")
    acme.patch(f"memories/{found['id']}", {"content": "Anna lives in Rome, near the river."})

    assert [each["content"] for each in _listed(acme, as_of="2021-01-01T00:00:00Z")] == ["Anna lives in Rome."]
    assert _listed(acme, known_at="2021-01-01T00:00:00Z") == []


def test_suppression_is_shown_as_it_was_and_recalled_by_nobody(cast: Cast, acme: RestClient) -> None:
    with time_machine.travel(_day(0), tick=False):
        found = acme.remembered(TUESDAY)
    with time_machine.travel(_day(2), tick=False):
        acme.post(f"memories/{found['id']}/suppress", {"reason": "Old plan"})

    [then], [now] = _listed(acme, as_of=_at(1)), _listed(acme)
    assert (then["suppressed"], then["suppressed_reason"]) == (False, None)
    assert (now["suppressed"], now["suppressed_reason"]) == (True, "Old plan")
    assert _found(acme, as_of=_at(1)) == []
    assert _context(acme, as_of=_at(1)) == {}

    with time_machine.travel(_day(4), tick=False):
        apply_transition(caller=cast.acme.caller, memory_id=now["id"], verb=Verb.UNSUPPRESS)
    [then] = _listed(acme, as_of=_at(3))
    assert (then["suppressed"], then["suppressed_reason"]) == (True, "Old plan")
    assert _found(acme, as_of=_at(3)) == [], "It was not recallable then."
    assert len(_found(acme, as_of=_at(1))) == len(_found(acme)) == 1


def test_what_was_forgotten_since_is_brought_back_by_no_moment(acme: RestClient, meeting: dict[str, Any]) -> None:
    acme.delete(f"memories/{meeting['id']}?force=true")

    for clock in CLOCKS:
        assert _listed(acme, **{clock: _at(1)}) == []
        assert _found(acme, **{clock: _at(1)}) == []
        assert _context(acme, **{clock: _at(1)}) == {}


def test_what_was_forgotten_at_the_time_is_not_of_that_time(acme: RestClient) -> None:
    with time_machine.travel(_day(0), tick=False):
        found = acme.remembered(TUESDAY)
    with time_machine.travel(_day(2), tick=False):
        acme.delete(f"memories/{found['id']}")
    with time_machine.travel(_day(4), tick=False):
        acme.post(f"memories/{found['id']}/restore")

    assert [len(_listed(acme, known_at=_at(day))) for day in (1, 3, 5)] == [1, 0, 1]
    assert [len(_found(acme, known_at=_at(day))) for day in (1, 3, 5)] == [1, 0, 1]


def test_other_things_have_the_names_of_then(acme: RestClient) -> None:
    with time_machine.travel(_day(0), tick=False):
        node = acme.post(
            "ontology/nodes", {"type": "meeting", "name": "Staff meeting", "properties": {"day": "Tuesday"}}
        )
    with time_machine.travel(_day(2), tick=False):
        acme.patch(f"ontology/nodes/{node.json()['id']}", {"name": "Staff lunch", "properties": {"day": "Thursday"}})

    named = {"node_ids": [node.json()["id"]]}
    assert "Staff meeting day: Tuesday" in _context(acme, as_of=_at(1), **named)["nodes"]
    assert "Staff lunch day: Thursday" in _context(acme, **named)["nodes"]


def test_both_clocks_together_ask_what_was_known_of_a_time(acme: RestClient, meeting: dict[str, Any]) -> None:
    assert [each["content"] for each in _listed(acme, as_of=_at(9), known_at=_at(1))] == [TUESDAY]
    assert [each["content"] for each in _listed(acme, as_of=_at(1), known_at=_at(9))] == [TUESDAY]
