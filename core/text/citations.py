"""How an agent cites a memory in what it writes: `[mem:<uuid>]`."""

from __future__ import annotations

import re
from uuid import UUID

CITATION = re.compile(r"\[mem:([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\]")

# An answer that cites more memories than this is a listing or an attack; each one costs a guarded UPDATE.
MAX_CITATIONS = 1_000


def cited_memory_ids(text: str) -> tuple[UUID, ...]:
    """The distinct ids that the text cites, in the order of their first citation, at most `MAX_CITATIONS`."""
    found: dict[UUID, None] = {}
    for match in CITATION.finditer(text):
        found[UUID(match[1])] = None
        if len(found) == MAX_CITATIONS:
            break
    return tuple(found)
