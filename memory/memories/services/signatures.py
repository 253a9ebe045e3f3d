"""Who stands for the words of a memory: an agent for those that it rewrites, and for its own that are put back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memory.memories.history.past_state import WORDS_OF, TextSigner
from memory.models import Memory, MemoryRevision, Source
from workspaces.access.callers import PEOPLE, Caller
from workspaces.access.scope import workspace_scope

# Of a memory without a manual weight.
DEFAULT_WEIGHT = 1.0


@dataclass(frozen=True, slots=True)
class WordsAuthor:
    """The actor whose words a memory has, as a copy of it is signed; `id` is '' where that was not kept."""

    signature: str
    id: str
    kind: str


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


def find_words_author(caller: Caller, memory: Memory) -> WordsAuthor:
    """Return the author of the words of a memory, for a copy that keeps no editor.

    A person who has rewritten what another one said is the author: else they could speak in that one's name, and be
    the second person who says so. What an agent said stays an agent's.
    """
    author = WordsAuthor(memory.author, memory.author_id, memory.author_kind)
    if memory.author_kind not in PEOPLE or memory.edited_by_kind not in PEOPLE:
        return author
    edits = MemoryRevision.objects.of(caller).filter(memory=memory, before__has_key="content")
    edits = edits.filter(actor_kind=memory.edited_by_kind, actor_label=memory.edited_by)
    with workspace_scope(caller):
        last = edits.exclude(before__has_key=WORDS_OF).order_by("-id").first()
    if last is None and memory.edited_by == memory.author:  # the words of the author, which were put back
        return author
    return WordsAuthor(memory.edited_by, last.actor_id if last else "", memory.edited_by_kind)
