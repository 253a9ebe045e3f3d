"""Where something extracted comes from: which text said it, by whom, how sure that is. Pure.

A node's or edge's `provenance` is `{"sources": [...], "confidence"}`; the texts themselves are kept nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

# The newest of them; what a hundred texts say needs no list.
MOST_SOURCES = 20


@dataclass(frozen=True, slots=True)
class Origin:
    """One text that said something.

    `text_hash` tells equal texts of one workspace and nothing across workspaces (core.text.fingerprint), `method` is
    "rules" or the name of the model, `at` RFC 3339.
    """

    text_hash: str
    method: str
    by: str
    by_kind: str
    by_id: str
    at: str
    message_id: str | None = None


def with_origin(provenance: Mapping[str, Any], origin: Origin, *, confidence: float) -> dict[str, Any]:
    """The provenance with one source more, or as it was when that text is among its sources already.

    Two texts count as two observations: both would have to be wrong.
    """
    sources = list(provenance.get("sources", []))
    if any(source.get("text_hash") == origin.text_hash for source in sources):
        return dict(provenance)
    told = {name: value for name, value in asdict(origin).items() if value is not None}
    before = float(provenance.get("confidence", 0.0))
    return {
        **provenance,
        "sources": [*sources, {**told, "confidence": confidence}][-MOST_SOURCES:],
        "confidence": round(1 - (1 - before) * (1 - confidence), 4),
    }
