"""What the lists of the console share: chips, the way back to everything, totals in words."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from core.errors import InvalidError
from memory.memories.forms import MemoryListForm
from tests.cast import Cast
from tests.pages import Visitor
from workspaces.access.scope import workspace_scope
from workspaces.http.console_lists import Filters, chip_groups, count_in_words, hits_in_words, read_address
from workspaces.models import Membership

LIST = frozenset({"view", "q"})


@pytest.mark.parametrize(
    ("address", "value", "alone", "url", "is_on"),
    [
        ("", "tea", False, "?tags=tea", False),
        ("tags=tea", "tea", False, "?", True),
        ("tags=tea,milk", "tea", False, "?tags=milk", True),
        ("view=facts&tags=tea", "milk", False, "?view=facts&tags=tea&tags=milk", False),
        ("tags=tea&q=pot", "milk", True, "?tags=milk&q=pot", False),
        ("tags=tea&q=pot", "tea", True, "?q=pot", True),
    ],
)
def test_a_chip_adds_its_value_or_takes_it_away(address: str, value: str, alone: bool, url: str, is_on: bool) -> None:
    chip = Filters(QueryDict(address), LIST).chip("tags", "Tea", value, alone=alone)

    assert (chip["url"], chip["on"]) == (url, is_on)


def test_a_single_value_may_hold_commas() -> None:
    filters = Filters.single({"agent": "desk, night shift"})

    assert filters.chip("agent", "desk, night shift", "desk, night shift", alone=True)["on"]
    assert not filters.chip("agent", "desk", "desk", alone=True)["on"]


@pytest.mark.parametrize(
    ("address", "are_set", "clear_url"),
    [
        ("", False, ""),
        ("view=facts&q=tea", False, ""),
        ("view=facts&q=tea&tags=pot", True, "?view=facts&q=tea"),
        ("q=&tags=pot", True, "?"),
    ],
)
def test_clearing_keeps_the_list_and_the_search(address: str, are_set: bool, clear_url: str) -> None:
    filters = Filters(QueryDict(address), LIST)

    assert (filters.are_set, filters.clear_url) == (are_set, clear_url)


def test_a_search_keeps_the_filters() -> None:
    filters = Filters(QueryDict("q=tea&tags=pot&tags=cup&view=facts"), LIST)

    assert filters.hidden_fields(without={"q", "view"}) == [
        {"name": "tags", "value": "pot"},
        {"name": "tags", "value": "cup"},
    ]


def test_empty_groups_are_left_out() -> None:
    chip: dict[str, Any] = {"label": "x"}
    assert chip_groups([("Empty", []), ("Full", [chip])]) == [{"label": "Full", "chips": [chip], "folded": False}]


def test_an_address_is_read_without_what_is_unknown_and_without_the_cursor() -> None:
    given, asked = read_address(MemoryListForm, QueryDict("q=tea&cursor=c&utm_source=mail&tags=a,b"))

    assert given.dict() == {"q": "tea", "tags": "a,b"}
    assert (asked.q, asked.tags) == ("tea", ["a", "b"])
    with pytest.raises(InvalidError):
        read_address(MemoryListForm, QueryDict("view=nowhere"))


@pytest.mark.django_db
def test_a_total_stops_counting(cast: Cast) -> None:
    with workspace_scope(cast.acme.caller):
        everybody = Membership.objects.of(cast.acme.caller)
        number = everybody.count()
        assert number > 1
        assert count_in_words(everybody.filter(user=cast.bob), "member", "members") == "1 member"
        assert count_in_words(everybody, "member", "members", most=number) == f"{number} members"
        assert count_in_words(everybody, "member", "members", most=number - 1) == f"Over {number - 1} members"


def test_what_a_search_found_is_told_with_its_method() -> None:
    assert hits_in_words(3, method="hybrid", latency_ms=12.4) == "3 found by words and meaning in 12 ms"
    assert hits_in_words(40, method="keyword", latency_ms=9) == "The best 40 by words only in 9 ms"


@pytest.mark.parametrize(
    "path",
    ["memory?view=facts&tags=none", "ontology?types=none", "agents?agent=none", "agents/patterns?status=retired"],
)
@pytest.mark.django_db
def test_every_filtered_list_without_rows_leads_back(cast: Cast, path: str) -> None:
    address, _, query = path.partition("?")
    bob = Visitor.of(cast.bob, cast.acme.workspace)
    page = bob.get(address, **dict(part.split("=") for part in query.split("&")))

    assert "Nothing fits these filters" in page.content.decode()
    assert "Clear filters" in page.content.decode()
