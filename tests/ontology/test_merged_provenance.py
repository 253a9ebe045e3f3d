"""Whose words a merged node has: a person's only where all of it is a person's, the merge included."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from ontology.nodes_and_edges.provenance import describe_author, is_by_person, mark_edited, merge_provenance

PERSONS = describe_author(label="Mara", is_person=True)
KEYS = describe_author(label="kw", is_person=False)
STATES: dict[str, dict[str, Any]] = {
    "a person's": PERSONS,
    "a person's, edited by a person": mark_edited(PERSONS, label="Theo", kind="user"),
    "a person's, edited by a key": mark_edited(PERSONS, label="kw", kind="api_key"),
    "a key's": KEYS,
    "an extraction": {"sources": [{"by": "kw", "by_kind": "api_key"}], "confidence": 0.6},
}
OF_PERSONS = {"a person's", "a person's, edited by a person"}
MERGERS: list[dict[str, str] | None] = [None, {"by": "kw", "by_kind": "api_key"}]


@pytest.mark.parametrize(("kept", "absorbed", "agent"), list(product(STATES, STATES, MERGERS)))
def test_no_merge_makes_a_persons_words_of_an_agents(kept: str, absorbed: str, agent: dict[str, str] | None) -> None:
    merged = merge_provenance(STATES[kept], STATES[absorbed], token="t", agent=agent)

    assert is_by_person(merged) == ({kept, absorbed} <= OF_PERSONS and agent is None)
