"""Where something extracted comes from."""

from __future__ import annotations

from dataclasses import replace

from ontology.nodes_and_edges.provenance import MAX_SOURCES, Origin, with_origin

ORIGIN = Origin("a" * 64, "rules", "Acme agent", "api_key", "k-1", "2026-01-01T00:00:00Z")


def test_two_texts_are_surer_than_one() -> None:
    once = with_origin({}, ORIGIN, confidence=0.6)
    twice = with_origin(once, replace(ORIGIN, text_hash="b" * 64), confidence=0.6)

    assert once["confidence"] == 0.6
    assert twice["confidence"] == 0.84
    assert [source["text_hash"] for source in twice["sources"]] == ["a" * 64, "b" * 64]


def test_the_same_text_adds_nothing() -> None:
    once = with_origin({"by": "Alice"}, ORIGIN, confidence=0.6)
    assert with_origin(once, ORIGIN, confidence=0.6) == once
    assert once["by"] == "Alice"


def test_the_newest_sources_are_kept() -> None:
    provenance: dict[str, object] = {}
    for number in range(MAX_SOURCES + 5):
        provenance = with_origin(provenance, replace(ORIGIN, text_hash=f"{number:064}"), confidence=0.5)
    assert len(provenance["sources"]) == MAX_SOURCES  # type: ignore[arg-type]  # JSON
    assert provenance["sources"][-1]["text_hash"] == f"{MAX_SOURCES + 4:064}"  # type: ignore[index]


def test_a_message_is_named_where_one_is_known() -> None:
    told = with_origin({}, replace(ORIGIN, message_id="m-1"), confidence=0.5)["sources"][0]
    assert told["message_id"] == "m-1"
    assert "message_id" not in with_origin({}, ORIGIN, confidence=0.5)["sources"][0]
