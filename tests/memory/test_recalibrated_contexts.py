"""What a calibration changes for those who ask: confidence in contexts, and nothing in searches and receipts."""

from __future__ import annotations

from typing import Any

from memory.models import Kind
from memory.recall.calibration import Calibration
from tests.cast import Cast, RestClient
from tests.memory.test_recalibration import keep
from tests.pages import Visitor, text_of

QUERY = "When is tea ordered?"


def block(answer: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return next((part["items"] for part in answer["blocks"] if part["name"] == name), [])


def test_contexts_compare_and_report_what_it_became_and_receipts_keep_what_it_was(cast: Cast, acme: RestClient) -> None:
    kept = acme.remembered("Tea is ordered on Mondays.")["id"]
    fact = acme.remembered("Tea is ordered by Bob.", kind=Kind.FACT)["id"]
    [before] = block(acme.post("context", {"query": QUERY}).json(), "memories")
    searched = acme.post("memories/search", {"query": QUERY}).json()["results"]
    keep(cast.acme, "memories", intercept=-2.0)

    answer = acme.post("context", {"query": QUERY}).json()

    [after] = block(answer, "memories")
    assert after["confidence"] == Calibration(1.0, -2.0).apply(before["confidence"]) < before["confidence"]
    assert after["score"] < before["score"]
    chosen = acme.get(f"receipts/{answer['receipt_id']}").json()["chosen"]
    assert {item["id"]: item.get("raw_confidence") for item in chosen} == {kept: before["confidence"], fact: None}
    assert acme.post("memories/search", {"query": QUERY}).json()["results"] == searched, "Searches stay comparable."

    between = (after["confidence"] + before["confidence"]) / 2
    acme.put("settings", {"memory": {"min_confidence": between}})
    silent = acme.post("context", {"query": QUERY}).json()
    assert {"id": kept, "reason": "low_confidence"} in silent["dropped"]
    assert [item["id"] for item in block(silent, "facts")] == [fact], "No citation silences a fact."


def test_nodes_have_a_calibration_of_their_own(cast: Cast, acme: RestClient) -> None:
    acme.remembered("The windmill Aurelia grinds rye.")
    acme.post("ontology/nodes", {"type": "building", "name": "Windmill Aurelia"})
    before = acme.post("context", {"query": "windmill Aurelia"}).json()
    keep(cast.acme, "nodes", intercept=1.0)

    after = acme.post("context", {"query": "windmill Aurelia"}).json()

    assert [item["confidence"] for item in block(after, "memories")] == [
        item["confidence"] for item in block(before, "memories")
    ]
    [was], [became] = block(before, "nodes"), block(after, "nodes")
    assert became["confidence"] == Calibration(1.0, 1.0).apply(was["confidence"]) > was["confidence"]


def test_owners_see_what_it_rests_on_and_viewers_do_not(cast: Cast, alice: Visitor, viewer: Visitor) -> None:
    assert "Too little was cited" in text_of(alice.get("settings/memory"))
    keep(cast.acme, "memories", intercept=-2.0)

    page = text_of(alice.get("settings/memory"))

    assert "0.3 became" in page
    assert f"{Calibration(1.0, -2.0).apply(0.3):.4f}" in page
    assert "0.3 became" not in text_of(viewer.get("settings/memory"))
