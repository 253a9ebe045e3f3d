"""One ranking out of several arms: normalised scores are averaged, and a missing arm is no mark against the others."""

from __future__ import annotations

from uuid import UUID

import pytest

from core.score_fusion import COSINE_FLOOR, fuse_arms

A, B, C = (UUID(int=number) for number in (1, 2, 3))
KEYWORD, SEMANTIC = "keyword", "semantic"


def scores(**arms: list[tuple[UUID, float]]) -> list[tuple[UUID, float]]:
    """What is found, best first, with its score."""
    return [(hit.id, round(hit.score, 3)) for hit in fuse_arms(arms, limit=10)]


def test_the_best_of_both_arms_has_a_score_of_one() -> None:
    assert scores(keyword=[(A, 7.0)], semantic=[(A, 0.9)]) == [(A, 1.0)]


@pytest.mark.parametrize(
    ("cosine", "score"),
    [(0.9, 0.5), (0.65, 0.25), (COSINE_FLOOR + 0.05, 0.05), (COSINE_FLOOR, None), (0.1, None), (-1.0, None)],
)
def test_a_cosine_counts_from_the_floor_on(cosine: float, score: float | None) -> None:
    """Beside the nearest (0.9), in one of two arms."""
    found = dict(scores(keyword=[], semantic=[(A, 0.9), (B, cosine)]))

    assert found.get(B) == score


def test_nothing_is_found_by_meaning_where_nothing_is_near() -> None:
    assert scores(semantic=[(A, 0.39), (B, 0.2)]) == []


def test_one_arm_alone_is_the_whole_score() -> None:
    assert scores(keyword=[(A, 4.0), (B, 1.0)]) == [(A, 1.0), (B, 0.25)]


def test_what_both_find_beats_what_one_finds() -> None:
    found = scores(keyword=[(A, 4.0), (B, 3.0)], semantic=[(C, 0.9), (B, 0.8)])

    assert [identity for identity, _ in found] == [B, C, A]


def test_what_waits_for_its_vector_has_the_score_of_its_words() -> None:
    arms = {KEYWORD: [(A, 4.0), (B, 2.0)], SEMANTIC: [(A, 0.9)]}

    assert [(hit.id, hit.score) for hit in fuse_arms(arms, limit=10, waiting={B})] == [(A, 1.0), (B, 0.5)]


def test_equal_scores_keep_the_newest_first() -> None:
    assert scores(keyword=[(A, 1.0), (C, 1.0), (B, 1.0)]) == [(C, 1.0), (B, 1.0), (A, 1.0)]


def test_places_are_ranks_of_each_arm() -> None:
    [hit, *_] = fuse_arms({KEYWORD: [(B, 2.0), (A, 1.0)], SEMANTIC: [(A, 0.8)]}, limit=10)

    assert hit.id == A
    assert {name: place.rank for name, place in hit.places.items()} == {KEYWORD: 2, SEMANTIC: 1}


@pytest.mark.parametrize("limit", [0, 1, 2, 5])
def test_no_more_than_the_limit_is_answered(limit: int) -> None:
    assert len(fuse_arms({KEYWORD: [(A, 3.0), (B, 2.0), (C, 1.0)]}, limit=limit)) == min(limit, 3)


@pytest.mark.parametrize("ranked", [[], [(A, 0.0)], [(A, -1.0)]])
def test_an_arm_without_a_score_finds_nothing(ranked: list[tuple[UUID, float]]) -> None:
    assert scores(keyword=ranked) == []
