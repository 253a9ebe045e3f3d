"""Memories of one request: the same comes of them as if each came in a request of its own, in few statements."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import Memory, MemoryRevision
from tests.cast import Cast, RestClient
from tests.transfer.test_items import counts, memory, taken
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

ROME, OSLO, PARIS = "Anna lives in Rome.", "Anna has moved to Oslo.", "Anna lives in Paris now."
SECRET = "The key is sk-ant-api03-" + "a1B2" * 24
FORGOTTEN = "Coffee is ordered on Fridays."
STATEMENTS_OF_A_HUNDRED = 500  # of which most compare each with what it may replace


def dated(content: str, year: int, **fields: Any) -> dict[str, Any]:
    return memory(content, created_at=f"{year}-03-01T00:00:00Z", **fields)


def standing(caller: Caller) -> list[tuple[Any, ...]]:
    """What is kept, from when to when it holds, what closed it, and how it came to that."""
    with workspace_scope(caller):
        rows = Memory.objects.of(caller).filter(node__is_deleted=False).select_related("node", "superseded_by__node")
        return sorted(
            (
                memory.content,
                str(memory.node.valid_from),
                str(memory.node.valid_to),
                memory.superseded_by.content if memory.superseded_by else "",
                memory.review,
                memory.live_fingerprint is None,
                sorted(MemoryRevision.objects.filter(memory=memory).values_list("action", flat=True)),
            )
            for memory in rows
        )


@pytest.mark.parametrize(
    "items",
    [
        [dated(ROME, 2020), dated(OSLO, 2021), dated(PARIS, 2022)],
        [dated(PARIS, 2022), dated(ROME, 2020), dated(OSLO, 2021)],
        [dated(ROME, 2020), dated(OSLO, 2021), dated(ROME, 2020)],
        [dated(ROME, 2020), dated(OSLO, 2021), dated(ROME, 2022)],
        [dated(OSLO, 2021), dated(OSLO, 2019), memory(), memory()],
        [memory(), dated(SECRET, 2020), dated(ROME, 2020), dated(FORGOTTEN, 2020), dated(OSLO, 2021)],
        [dated(ROME, 2020, valid_to="2020-06-01T00:00:00Z"), dated(OSLO, 2021), dated("Tea is ordered daily.", 2020)],
    ],
    ids=["in order", "out of order", "told again", "back again", "twice", "some refused", "with an end"],
)
def test_together_the_same_comes_of_them_as_one_by_one(
    cast: Cast, acme: RestClient, umbrella: RestClient, items: list[dict[str, Any]]
) -> None:
    for client in (acme, umbrella):
        taken(client, dated(FORGOTTEN, 2020))
        client.delete(f"memories/{client.get('memories').json()['results'][0]['id']}")

    together = [(one["status"], one.get("code")) for one in taken(acme, *items).json()["results"]]
    singly = [(one["status"], one.get("code")) for item in items for one in taken(umbrella, item).json()["results"]]

    assert together == singly
    assert standing(cast.acme.caller) == standing(cast.umbrella.caller)


def test_what_is_there_and_closed_by_another_one_of_the_request_is_told_again(
    cast: Cast, acme: RestClient, umbrella: RestClient
) -> None:
    items = [dated(OSLO, 2021), dated(ROME, 2022)]
    for client in (acme, umbrella):
        taken(client, dated(ROME, 2020))

    assert counts(taken(acme, *items)) == (2, 0, 0)
    for item in items:
        taken(umbrella, item)

    assert standing(cast.acme.caller) == standing(cast.umbrella.caller)


def test_a_hundred_memories_take_few_statements(acme: RestClient) -> None:
    said = [memory(f"Shop {number} keeps oven {number * 7} at {150 + number} degrees.") for number in range(100)]
    taken(acme, memory("Shop 1000 keeps oven 7 at 99 degrees."))

    with CaptureQueriesContext(connection) as made:
        assert counts(taken(acme, *said)) == (100, 0, 0)
    with CaptureQueriesContext(connection) as again:
        assert counts(taken(acme, *said)) == (0, 100, 0)

    assert len(made) < STATEMENTS_OF_A_HUNDRED
    assert len(again) < 60
