"""Words that say the same: what a search looks for in addition to what was typed."""

from __future__ import annotations

import pytest

from core.english.word_forms import other_forms


@pytest.mark.parametrize(("word", "others"), [
    ("find", {"found"}),
    ("found", {"find"}),
    ("finds", {"found"}),
    ("finding", {"found"}),
    ("buying", {"bought"}),
    ("running", {"ran"}),
    ("driving", {"drove", "driven"}),
    ("goes", {"went", "gone"}),
    ("went", {"go", "gone"}),
    ("children", {"child", "kid"}),
    ("allergies", {"allergic"}),
    ("choice", {"choose"}),
    ("choose", {"chose", "chosen", "choice"}),
    ("colours", {"color"}),
    ("color", {"colour"}),
    ("bikes", {"bicycle"}),
    ("organised", {"organized"}),
    ("organizing", {"organising"}),
    ("boss", {"supervisor", "manager"}),
    ("supervisors", {"boss"}),
    ("husband", {"spouse"}),
    ("raised", set()),
    ("mill", set()),
    ("baking", set()),
    ("bus", set()),
    ("", set()),
])  # fmt: skip
def test_other_forms(word: str, others: set[str]) -> None:
    assert set(other_forms(word)) == others
