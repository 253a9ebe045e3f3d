"""Marks of types, names of edges from both ends, and actions in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ontology.graph.action_words import describe_action
from ontology.nodes_and_edges.inverse_names import edge_words, inverse_words
from ontology.nodes_and_edges.type_marks import HUES, PLACES, SHAPES, TypeMark, assign_marks, type_mark

STATIC = Path(__file__).parents[2] / "static"
TOKENS = STATIC / "css" / "tokens.css"
MIN_CONTRAST = 3.0  # of graphical objects, WCAG 2.2, 1.4.11


def test_a_type_that_comes_later_changes_no_mark() -> None:
    names = [f"type {number}" for number in range(PLACES)]
    assert all(assign_marks(names[:number]).items() <= assign_marks(names).items() for number in range(1, PLACES, 7))


def test_marks_differ_up_to_their_number_and_hues_as_long_as_there_are_any() -> None:
    marks = assign_marks(f"type {number}" for number in range(PLACES))
    assert len(set(marks.values())) == PLACES
    assert len({mark.hue for mark in list(marks.values())[:HUES]}) == HUES
    assert len({mark.shape for mark in list(marks.values())[: len(SHAPES)]}) == len(SHAPES)
    assert {mark.shape for mark in marks.values()} == set(SHAPES)


@pytest.mark.parametrize(
    "names", [("company", "product", "person", "place"), ("product", "place", "company", "memory")]
)
def test_types_of_one_workspace_differ_in_shape_whatever_their_names(names: tuple[str, ...]) -> None:
    assert len({mark.shape for mark in assign_marks(names).values()}) == len(names)
    assert assign_marks(names) == assign_marks(names)


def test_every_shape_has_a_picture() -> None:
    icons, painter = ((STATIC / name).read_text() for name in ("icons.svg", "js/graph-paint.js"))
    assert [shape for shape in SHAPES if f'id="shape-{shape}"' not in icons] == []
    assert [shape for shape in SHAPES if shape != "circle" and f"{shape}: [" not in painter] == []


def test_more_types_than_marks_have_marks_as_well() -> None:
    many = assign_marks(f"type {number}" for number in range(500))
    assert len(many) == 500
    assert type_mark("Person") == type_mark("person")
    assert isinstance(type_mark(""), TypeMark)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_hues_stand_out_on_every_surface(theme: int) -> None:
    tokens = dict(re.findall(r"--([\w-]+): light-dark\((#\w{6}, #\w{6})\)", TOKENS.read_text()))
    colours = {name: value.split(", ")[theme] for name, value in tokens.items()}
    for hue in range(HUES):
        for surface in ("bg", "bg-sunken", "bg-raised", "bg-hover", "bg-selected"):
            found = _contrast(colours[f"hue-{hue}"], colours[surface])
            assert found >= MIN_CONTRAST, (hue, surface, round(found, 2))


@pytest.mark.parametrize(
    ("kind", "there", "back"),
    [
        ("placed_by", "placed by", "placed"),
        ("works_at", "works at", "employs"),
        ("Works-At", "Works-At", "employs"),
        ("hums_for", "hums for", "hums for this"),
        ("_", "_", "_ this"),
    ],
)
def test_an_edge_has_a_name_from_both_ends(kind: str, there: str, back: str) -> None:
    assert (edge_words(kind), inverse_words(kind)) == (there, back)


@pytest.mark.parametrize(
    ("kind", "tool", "words"),
    [
        ("ontology_mutation", "PATCH ontology/nodes/{node_id}", "edited it"),
        ("graph_query", "GET ontology/nodes/{node_id}", "read it"),
        ("graph_query", "ontology_search", "found it"),
        ("ontology_mutation", "memory.edit", "edited it"),
        ("ontology_mutation", "ontology/nodes", "changed it with ontology/nodes"),
        ("ontology_mutation", "", "changed it"),
        ("send_invoice", "erp.send", "send invoice with erp.send"),
    ],
)
def test_actions_are_said_in_words(kind: str, tool: str, words: str) -> None:
    assert describe_action(kind, tool) == words


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
