"""A reading of a slot costs by the JSON values in it: their number is bounded, however they came there."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import pytest
from django.db import connection

from memory.models import SlotItem
from memory.working_memory import slot_limits
from tests.cast import Answer, Cast, RestClient
from tests.memory.test_slot_limits import VALUES
from workspaces.access.scope import workspace_scope

TIERS = ("working", "session", "episodic", "semantic")
MOST = 1_000


@pytest.fixture(autouse=True)
def most(monkeypatch: pytest.MonkeyPatch) -> None:
    """A smaller limit, so that a test need not send much."""
    monkeypatch.setattr(slot_limits, "MAX_VALUES", MOST)


def append(client: RestClient, tier: str, item: Any, **limits: Any) -> Answer:
    return client.post(f"slots/{tier}/said/append", {"item": item, **limits})


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("item", [[{}] * 399, {"a": [1] * 398}, [["x,[{"]] * 199 + [0]])
def test_items_together_hold_so_many_values(acme: RestClient, tier: str, item: Any) -> None:
    assert [append(acme, tier, item).status_code for _ in range(2)] == [200, 200]

    refused = append(acme, tier, item)

    assert (refused.status_code, refused.json()["code"]) == (413, "slot_too_large")
    assert refused.json()["detail"] == "A slot holds at most 1,000 JSON values, and this would be 1,200."
    assert acme.get(f"slots/{tier}/said").json()["value"] == [item, item]
    assert append(acme, tier, [{}] * 199).status_code == 200, "As many as there may be."


@pytest.mark.parametrize("tier", TIERS)
def test_the_oldest_items_make_room(acme: RestClient, tier: str) -> None:
    for number in range(4):
        assert append(acme, tier, [number] * 399, max_items=2).status_code == 200

    assert [item[0] for item in acme.get(f"slots/{tier}/said").json()["value"]] == [2, 3]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("fits", "does_not"), [([0] * MOST, [0] * (MOST + 1)), ({"a": [0] * 998}, {"a": [0] * 999})])
def test_a_value_that_is_put_holds_as_many(acme: RestClient, tier: str, fits: Any, does_not: Any) -> None:
    assert acme.put(f"slots/{tier}/said", {"value": fits}).status_code == 200

    refused = acme.put(f"slots/{tier}/said", {"value": does_not})

    assert (refused.status_code, refused.json()["code"]) == (413, "slot_too_large")
    assert acme.get(f"slots/{tier}/said").json()["value"] == fits


@pytest.mark.parametrize("tier", TIERS)
def test_a_slot_that_has_more_is_read_and_shortened(
    acme: RestClient, tier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slot_limits, "MAX_VALUES", 10 * MOST)
    for _ in range(3):
        append(acme, tier, [{}] * 500)
    monkeypatch.setattr(slot_limits, "MAX_VALUES", MOST)

    assert len(acme.get(f"slots/{tier}/said").json()["value"]) == 3
    assert append(acme, tier, 1).status_code == 413
    assert append(acme, tier, 1, max_items=2).status_code == 200
    assert acme.get(f"slots/{tier}/said").json()["value"] == [[{}] * 500, 1]


def test_the_longest_body_that_is_read_fits(acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    for tier in TIERS:
        assert acme.put(f"slots/{tier}/said", {"value": {"a": [0] * 199_998}}).status_code == 200


def test_items_that_were_there_are_counted_by_the_migration(cast: Cast, acme: RestClient) -> None:
    fill = import_module("memory.migrations.0012_values_of_slot_items").FILL
    update = fill[fill.index("UPDATE") : fill.index("SET CONSTRAINTS")]
    items = [value for value, _ in VALUES]
    acme.put("slots/session/said", {"value": items})
    with workspace_scope(cast.acme.caller):
        SlotItem.objects.update(value_count=1)

        with connection.cursor() as cursor:
            cursor.execute(update)

        counted = list(SlotItem.objects.order_by("position").values_list("value", "value_count"))
    assert [json.dumps(value) for value, _ in counted] == list(map(json.dumps, items))
    assert [number for _, number in counted] == [number for _, number in VALUES]
