"""What a memory weighs: the pure rules as tables, and the door that moves them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from memory.memories.weights import adjust_manual_weight, effective_weight
from tests.cast import Cast, RestClient
from tests.memory.citing import cite
from workspaces.access.callers import Right


@pytest.mark.parametrize(
    ("manual", "references", "weight"),
    [
        (1, 0, 1),
        (1, 1, 1.1),
        (1, 3, 1.2),
        (1, 7, 1.3),
        (1, 1_023, 2),
        (0, 0, 0.1),
        (-5, 0, 0.1),
        (-5, 10**9, 0.1),
        (9.95, 1, 10),
        (20, 0, 10),
    ],
)
def test_the_effective_weight_is_clamped(manual: float, references: int, weight: float) -> None:
    assert effective_weight(manual=manual, references=references) == pytest.approx(weight)


@pytest.mark.parametrize(
    ("manual", "delta", "seen", "now", "result"),
    [
        (1, 0.5, None, 100, 1.5),  # nobody told what they saw
        (1, 0.5, 3, 3, 1.5),  # nothing happened since
        (1, 0.5, 0, 1, 1.4),  # recall added 0.1 since
        (1, 0.5, 1, 3, 1.4),
        (1, 0.5, 0, 31, 1.0),  # recall added exactly as much
        (1, 0.5, 0, 10**6, 1.0),  # more: never below zero
        (1, 0.5, 7, 3, 1.5),  # a caller that saw more than there is gains nothing
        (1, -0.5, 0, 31, 0.5),  # lowering is meant as it is said
        (1, 0, 0, 31, 1.0),
        (19, 5, None, 0, 20),
        (-19, -5, None, 0, -20),
    ],
)
def test_a_rise_is_reduced_by_what_recall_added_since(
    manual: float, delta: float, seen: int | None, now: int, result: float
) -> None:
    assert adjust_manual_weight(manual=manual, delta=delta, seen=seen, now=now) == pytest.approx(result)


def test_weighing_moves_the_manual_part_only(cast: Cast, acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]
    cite(cast.acme.rest(Right.READ, Right.WRITE), memory_id)

    answer = acme.post(f"memories/{memory_id}/weight", {"delta": 0.5, "times_referenced": 0})

    assert (answer.json()["manual_weight"], answer.json()["weight"]) == (1.4, 1.5)
    newest = acme.get(f"memories/{memory_id}/history").json()["results"][0]
    assert (newest["action"], newest["before"]) == ("weigh", {"manual_weight": 1.0})


@pytest.mark.parametrize("delta", [10, -10])
def test_weighing_needs_the_scope_facts(cast: Cast, acme: RestClient, delta: float) -> None:
    memory = acme.remembered("Tea.")

    refused = cast.acme.rest(Right.READ, Right.WRITE).post(f"memories/{memory['id']}/weight", {"delta": delta})

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert "'facts'" in refused.json()["detail"]
    assert acme.get(f"memories/{memory['id']}").json() == memory


def test_a_weight_that_does_not_move_leaves_no_revision(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]

    for delta in (0, -0.0):
        assert acme.post(f"memories/{memory_id}/weight", {"delta": delta}).json()["manual_weight"] == 1.0

    assert len(acme.get(f"memories/{memory_id}/history").json()["results"]) == 1


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"delta": NaN}', 400),
        ('{"delta": Infinity}', 400),
        ('{"delta": 1e999}', 422),
        ('{"delta": "1"}', 422),
        ('{"delta": "NaN"}', 422),
        ('{"delta": true}', 422),
        ('{"delta": null}', 422),
        ('{"delta": 10.01}', 422),
        ('{"delta": -10.01}', 422),
        ("{}", 422),
        ('{"delta": 1, "times_referenced": -1}', 422),
        ('{"delta": 1, "times_referenced": 1.5}', 422),
        ('{"delta": 1, "times_referenced": "1"}', 422),
        ('{"delta": 1, "times_referenced": 99999999999}', 422),
        ('{"delta": 1, "weight": 1}', 422),
    ],
)
def test_what_is_no_weight_is_refused_and_moves_nothing(acme: RestClient, body: str, status: int) -> None:
    memory: dict[str, Any] = acme.remembered("Tea.")

    assert acme.raw("POST", f"memories/{memory['id']}/weight", body).status_code == status
    assert acme.get(f"memories/{memory['id']}").json() == memory


def test_no_sequence_of_weights_leaves_the_limits(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea.")["id"]

    weights = [
        acme.post(f"memories/{memory_id}/weight", {"delta": delta}).json()
        for delta in (10, 10, 10, -10, -10, -10, -10, -10)
    ]

    assert [weight["manual_weight"] for weight in weights] == [11, 20, 20, 10, 0, -10, -20, -20]
    assert [weight["weight"] for weight in weights] == [10, 10, 10, 10, 0.1, 0.1, 0.1, 0.1]
    assert all(math.isfinite(weight["weight"]) for weight in weights)
