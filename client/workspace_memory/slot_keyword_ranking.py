"""Ranking items by words, for the backend in memory: rarer words count more. Pure."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from workspace_memory.slot_values import SlotHit, StoredSlot

_WORD = re.compile(r"\w+")


def ranked(stored: StoredSlot, query: str) -> list[SlotHit]:
    """The items that share a word with the query, best first; the best has score 1. Of equals, the newest first."""
    items: Sequence[Any] = stored.value if isinstance(stored.value, list) else [stored.value]
    wanted = _words(query)
    words = [wanted & _words(text_of(item)) for item in items]
    spread = Counter(word for found in words for word in found)
    weights = [sum(math.log1p(len(items) / spread[word]) for word in found) for found in words]
    best = max(weights, default=0.0)
    order = sorted(range(len(items)), key=lambda place: (weights[place], place), reverse=True)
    return [
        SlotHit(item=items[place], score=weights[place] / best, schema_version=stored.version_at(place))
        for place in order
        if weights[place] > 0
    ]


def text_of(item: Any) -> str:
    """What of an item can be searched: its texts, without the names of its fields."""
    if isinstance(item, dict):
        return " ".join(text_of(inner) for inner in item.values())
    if isinstance(item, list):
        return " ".join(map(text_of, item))
    return item if isinstance(item, str) else json.dumps(item)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}
