"""How an agent cites in what it writes: `[mem:<uuid>]` a memory or fact, `[node:<uuid>]` any node."""

from __future__ import annotations

import re
from uuid import UUID

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
CITATION = re.compile(rf"\[(mem|node):({_UUID})\]")

# An answer that cites more than this is a listing or an attack; each one costs a guarded UPDATE.
MAX_CITATIONS = 1_000


def cited_ids(text: str) -> dict[UUID, str]:
    """Return the distinct ids that the text cites, each with the mark of its first citation (`mem` or `node`).

    In the order of these first citations, at most `MAX_CITATIONS`.
    """
    found: dict[UUID, str] = {}
    for match in CITATION.finditer(text):
        found.setdefault(UUID(match[2]), match[1])
        if len(found) == MAX_CITATIONS:
            break
    return found
