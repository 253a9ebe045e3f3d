"""From when the age of a memory counts that nothing has cited."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine

from core.clock import utc_now
from tests.cast import Cast, RestClient
from tests.transfer.test_items import memory, taken
from workspaces.access.callers import Right

LONG_AGO = timedelta(days=91)


def stale(client: RestClient) -> list[str]:
    return [one["id"] for one in client.get("memories/stale").json()["results"]]


@pytest.fixture
def old(cast: Cast) -> str:
    """A memory of 91 days ago."""
    with time_machine.travel(utc_now() - LONG_AGO):
        return str(cast.acme.rest().remembered("Tea is green.")["id"])


def test_an_untouched_memory_is_stale(acme: RestClient, old: str) -> None:
    assert stale(acme) == [old]


@pytest.mark.parametrize(
    "steps",
    [
        ["edit"],
        ["forget", "restore"],
        ["suppress"],
        ["suppress", "unsuppress"],
        ["promote", "demote"],
        ["pin", "unpin"],
        ["weight"],
        ["close", "reopen"],
    ],
)
def test_the_age_counts_from_the_last_step_which_keeps_it_from_the_purge(
    acme: RestClient, old: str, steps: list[str]
) -> None:
    for step in steps:
        if step == "edit":
            answer = acme.patch(f"memories/{old}", {"importance": 1.0})
        elif step == "forget":
            answer = acme.delete(f"memories/{old}")
        else:
            answer = acme.post(f"memories/{old}/{step}", {"delta": 1} if step == "weight" else {})
        assert answer.status_code == 200, answer.content

    assert stale(acme) == []
    assert acme.post("memories/stale/purge").json()["count"] == 0
    with time_machine.travel(utc_now() + LONG_AGO):
        assert stale(acme) == [old]


def test_a_step_that_changes_nothing_leaves_the_age(acme: RestClient, old: str) -> None:
    acme.post(f"memories/{old}/unpin")
    acme.patch(f"memories/{old}", {"content": "Tea is green."})

    assert stale(acme) == [old]


def test_what_is_restored_is_not_stale_at_once(acme: RestClient, old: str) -> None:
    assert acme.post("memories/stale/purge").json()["count"] == 1
    acme.post(f"memories/{old}/restore")

    assert stale(acme) == []


def test_what_is_imported_with_an_old_date_is_not_stale(cast: Cast, acme: RestClient) -> None:
    assert taken(acme, memory("Coffee is black.", created_at=(utc_now() - 4 * LONG_AGO).isoformat())).status_code == 200

    assert stale(acme) == []


def test_a_read_only_key_changes_no_age(cast: Cast, old: str) -> None:
    reader = cast.acme.rest(Right.READ)
    reader.get(f"memories/{old}")
    reader.post("memories/search", {"query": "tea"})

    assert stale(cast.acme.rest()) == [old]
