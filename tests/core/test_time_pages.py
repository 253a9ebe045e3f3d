"""Pages in the order of time: nothing is skipped or shown twice, also where a thousand rows have one time."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.test import RequestFactory
from rest_framework.request import Request

from conversations.models import Conversation
from core.errors import InvalidError
from core.http.time_pages import Place, TimePages
from tests.cast import Cast
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import SHARED

START = datetime(2026, 5, 1, tzinfo=UTC)


def _page(is_oldest_first: bool, **query: Any) -> tuple[list[str], TimePages]:
    pages = TimePages(is_oldest_first=is_oldest_first)
    request = Request(RequestFactory().get("/v1/things", query))
    return [row.key for row in pages.paginate_queryset(Conversation.objects.all(), request)], pages


def _query(address: str | None) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address or "").query))


@pytest.mark.parametrize("is_oldest_first", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 7])
def test_pages_hold_all_of_it_in_order_both_ways(cast: Cast, limit: int, is_oldest_first: bool) -> None:
    caller = maintenance_caller(cast.acme.workspace.id, "test")
    with workspace_scope(caller):
        # Later rows have earlier times, and three share one.
        for number, days in enumerate([5, 4, 4, 4, 1, 0]):
            Conversation.objects.create(
                workspace_id=caller.workspace_id,
                space_id=SHARED.id,
                key=f"c{number}",
                created_at=START + timedelta(days=days),
            )
        seen, walked, query = list[str](), list[list[str]](), {"limit": str(limit)}
        while True:
            keys, pages = _page(is_oldest_first, **query)
            seen += keys
            walked.append(keys)
            if not pages.get_next_link():
                break
            query = _query(pages.get_next_link())
        for earlier in reversed(walked[:-1]):
            keys, pages = _page(is_oldest_first, **_query(pages.get_previous_link()))
            assert keys == earlier
        assert pages.get_previous_link() is None

    newest_first = ["c0", "c3", "c2", "c1", "c4", "c5"]
    assert seen == (newest_first[::-1] if is_oldest_first else newest_first)


@pytest.mark.parametrize(
    "values",
    [
        [],
        ["x"],
        [False, "yesterday", "01a20de5-b1aa-729b-a0f7-648a80286a99"],
        [False, "2026-05-01T00:00:00", "01a20de5-b1aa-729b-a0f7-648a80286a99"],
        [1, "2026-05-01T00:00:00+00:00", "01a20de5-b1aa-729b-a0f7-648a80286a99"],
        [False, "2026-05-01T00:00:00+00:00", 7],
        {"a": 1},
        7,
    ],
)
def test_cursors_cannot_be_made_up(values: Any) -> None:
    with pytest.raises(InvalidError):
        Place.read(urlsafe_b64encode(json.dumps(values).encode()).decode())


@pytest.mark.parametrize("cursor", ["", "%", "p=1", "é"])
def test_a_cursor_of_another_kind_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidError):
        Place.read(cursor)
