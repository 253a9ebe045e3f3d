"""Pages of a list that was read whole: a cursor holds a place, no item comes twice, and none can be made up."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import RequestFactory
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from core.errors import InvalidError
from core.http.pagination import MAX_LIMIT, paginate, read_limit


def asked(**query: Any) -> Request:
    return Request(RequestFactory().get("/v1/things", query))


def page(items: list[int], **query: Any) -> dict[str, Any]:
    return paginate(asked(**query), items, key=lambda item: (item,))


def query_of(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


def made_up(*values: Any) -> str:
    return urlsafe_b64encode(json.dumps(values).encode()).decode()


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 10, MAX_LIMIT])
def test_pages_hold_all_of_it_in_order_both_ways(limit: int) -> None:
    there, seen, pages = list(range(10)), [], []
    answer = page(there, limit=limit)
    while True:
        seen += answer["results"]
        pages.append(answer["results"])
        if not answer["next"]:
            break
        answer = page(there, **query_of(answer["next"]))

    assert seen == there
    for earlier in reversed(pages[:-1]):
        answer = page(there, **query_of(answer["previous"]))
        assert answer["results"] == earlier
    assert answer["previous"] is None


@pytest.mark.parametrize(
    ("afterwards", "results"),
    [([0, 1, 2, 3, 4], [2, 3]), ([0, 2, 3], [2, 3]), ([2, 3], [2, 3]), ([0, 1], []), ([], [])],
)
def test_what_comes_and_goes_skips_and_repeats_nothing(afterwards: list[int], results: list[int]) -> None:
    first = page([0, 1, 2, 3], limit=2)

    assert page(afterwards, **query_of(first["next"]))["results"] == results


@pytest.mark.parametrize("limit", ["0", "-1", "201", "1000", "01000", "1.5", "", "ten", "١", "1e2", " 1"])
def test_a_limit_outside_1_to_200_is_refused(limit: str) -> None:
    with pytest.raises(ValidationError):
        read_limit(asked(limit=limit))


@pytest.mark.parametrize(
    ("query", "limit"), [({}, 50), ({"limit": "1"}, 1), ({"limit": "200"}, 200), ({"limit": "007"}, 7)]
)
def test_a_limit_is_fifty_where_none_is_given(query: dict[str, str], limit: int) -> None:
    assert read_limit(asked(**query)) == limit


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "////",
        made_up(),
        made_up(False),
        made_up(False, "1"),
        made_up(False, 1, 2),
        made_up(0, 1),
        made_up(None, 1),
        made_up(False, True),
        made_up(False, 1.0),
        urlsafe_b64encode(b"\xff").decode(),
        urlsafe_b64encode(b"[" * 100_000).decode(),
    ],
)
def test_a_cursor_cannot_be_made_up(cursor: str) -> None:
    with pytest.raises(InvalidError):
        page([0, 1, 2], cursor=cursor)
