"""What a PATCH of a node or an edge changes: the fields that differ, and properties one by one."""

from __future__ import annotations

from typing import Any

import pytest

from ontology.nodes_and_edges.merge_patch import apply_merge_patch

THERE = {"name": "Ada", "aliases": ["A."], "properties": {"born": 1815, "home": {"city": "London"}}}


@pytest.mark.parametrize(
    ("asked", "changes"),
    [
        ({}, {}),
        ({"name": "Ada"}, {}),
        ({"name": "Ada L."}, {"name": "Ada L."}),
        ({"aliases": []}, {"aliases": []}),
        ({"aliases": ["A."]}, {}),
        ({"properties": {}}, {}),
        ({"properties": {"born": 1815}}, {}),
        ({"properties": {"born": 1816}}, {"properties": {"born": 1816, "home": {"city": "London"}}}),
        ({"properties": {"born": None}}, {"properties": {"home": {"city": "London"}}}),
        ({"properties": {"unknown": None}}, {}),
        ({"properties": {"born": None, "home": None}}, {"properties": {}}),
        ({"properties": {"home": {"street": "x"}}}, {"properties": {"born": 1815, "home": {"street": "x"}}}),
        ({"properties": {"born": False}}, {"properties": {"born": False, "home": {"city": "London"}}}),
        ({"properties": {"died": 1852}}, {"properties": {**THERE["properties"], "died": 1852}}),  # type: ignore[dict-item]
    ],
)
def test_only_what_differs_changes(asked: dict[str, Any], changes: dict[str, Any]) -> None:
    assert apply_merge_patch(THERE, asked) == changes


def test_what_is_there_stays_as_it_was() -> None:
    there = {"properties": {"born": 1815}}

    apply_merge_patch(there, {"properties": {"born": None}})

    assert there == {"properties": {"born": 1815}}
