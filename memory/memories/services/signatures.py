"""Who stands for the words of a memory: an agent for those that it rewrites, and for its own that are put back."""

from __future__ import annotations

from typing import Any

from memory.memories.history.past_state import TextSigner
from memory.models import Memory, Source
from workspaces.access.callers import Caller

# Of a memory without a manual weight.
DEFAULT_WEIGHT = 1.0


def text_signature(caller: Caller, signer: TextSigner | None) -> dict[str, str]:
    """Return the columns that say who wrote the words: the caller, or the `signer` of words that are only put back.

    A context names the author of the words that it shows.
    """
    by = signer or TextSigner(caller.label, caller.kind)
    return {"edited_by": by.by, "edited_by_kind": by.by_kind}


def sign_rewrite(caller: Caller, memory: Memory) -> dict[str, Any]:
    """Make an agent the author of the text that it has rewritten; return what was recorded before.

    Otherwise an agent could put its own words under the name of a person, and cite them as another one's.
    """
    if not caller.is_agent or (memory.author_id == caller.id and memory.source != Source.USER):
        return {}
    now: dict[str, Any] = {"author": caller.signature}
    if memory.source == Source.USER:
        now["source"] = Source.AGENT
    if not caller.is_trusted and memory.manual_weight != DEFAULT_WEIGHT:
        now["manual_weight"] = DEFAULT_WEIGHT
    Memory.objects.filter(pk=memory.pk).update(**now, author_id=caller.id, author_kind=caller.kind)
    return {name: getattr(memory, name) for name in now}
