"""Whether a question is about anything that is there: by the best of what was found, and by how near it comes."""

from __future__ import annotations

import numpy as np
import pytest

from core.confidence import (
    ANSWERABLE,
    ANSWERABLE_ABOUT_KNOWN,
    ANSWERABLE_BY_NAME,
    NEAR_MESSAGE,
    NEAR_TEXT,
    UNANSWERED,
    doubt_unanswerable,
    hit_confidence,
    is_near,
)

LITTLE = np.array([0.004, 0.001])
AMONG_OTHERS = np.array([0.4, 0.01])


@pytest.mark.parametrize(("number", "least"), [(2, 0.46), (40, 0.5), (400, 0.7303)])
def test_of_more_texts_the_nearest_must_come_nearer(number: int, least: float) -> None:
    assert is_near(np.array([np.nan, least + 0.001]), number=number, limit=NEAR_TEXT)
    assert not is_near(np.array([np.nan, least - 0.001]), number=number, limit=NEAR_TEXT)


def test_a_message_must_come_nearer_than_what_is_told_in_the_third_person() -> None:
    assert is_near(np.array([0.48]), number=20, limit=NEAR_TEXT)
    assert not is_near(np.array([0.48]), number=20, limit=NEAR_MESSAGE)


def test_a_question_is_answerable_by_its_best_item_or_by_what_is_near() -> None:
    assert doubt_unanswerable(LITTLE, AMONG_OTHERS, is_answerable=True) is AMONG_OTHERS
    about_known = doubt_unanswerable(LITTLE, AMONG_OTHERS, least=ANSWERABLE_ABOUT_KNOWN)
    assert about_known.tolist() == (LITTLE * UNANSWERED).tolist()
    assert doubt_unanswerable(LITTLE * 2, AMONG_OTHERS, least=ANSWERABLE_ABOUT_KNOWN) is AMONG_OTHERS


@pytest.mark.parametrize(("cosine", "has_name", "lacks_name", "is_in"), [
    (0.58, False, False, True),
    (0.58, True, False, False),  # the name alone may have brought it near
    (0.65, True, False, True),
    (0.65, True, True, False),
    (0.40, False, False, False),
    (np.nan, True, False, False),  # without vectors words alone tell
])  # fmt: skip
def test_a_name_brings_texts_near(cosine: float, *, has_name: bool, lacks_name: bool, is_in: bool) -> None:
    found = hit_confidence(
        cosines=np.array([cosine, 0.3]),
        coverages=np.zeros(2) if cosine > 0 else np.array([0.3, 0.0]),
        number=20,
        has_name=has_name,
        lacks_name=lacks_name,
    )

    assert bool(found.values.max() >= ANSWERABLE) is is_in
    assert found.is_of_nearest is is_in
    assert ANSWERABLE_BY_NAME < ANSWERABLE
