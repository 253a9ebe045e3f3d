"""What the Review page shows: the queue with the place of its reader in it, and one item with what bears on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.urls import reverse

from core.text import excerpt, fingerprint
from core.text.word_diff import DiffPart, compare_words
from memory.memories.review.forms import WordsForm
from memory.memories.review.item_kinds import KEYS, MEMORY_KINDS, VERDICTS, ItemKind, VerdictKind
from memory.memories.review.selectors import ContextUse, QueueEntry, context_use, contradicting_texts
from memory.memories.review.services.fact_requests import asking_people
from memory.memories.review.services.pair_verdicts import hash_pair, join_versions
from memory.memories.selectors import find_duplicate, is_recallable, memories_by_id
from memory.memories.services.lifecycle import statement_hash
from memory.memories.services.memory_search import search_memories
from memory.memories.services.supersession import needs_person
from memory.memories.sources.selectors import memory_sources
from memory.memories.sources.view_models import source_lines
from memory.memories.view_models import SOURCE_LABELS, detail_url, text_lines
from memory.models import Memory, Proposal, ReviewVerdict, Source
from ontology.nodes_and_edges.view_models import node_title, node_url
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope, workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import NamedSpaces

MAX_NEAR = 3
# The rarest words find what is nearly the same; the others cost 15 ms among 100,000 memories.
WORDS_OF_NEAR = 10
# What bears on an item with a smaller probability is not like it.
MIN_CONFIDENCE = 0.2
# A search needs the beginning of a text, and not 16,000 characters of it.
MAX_QUERY_CHARACTERS = 1_000
MAX_CHARACTERS_OF_ROW, MAX_CHARACTERS_OF_LINE = 140, 80
KIND_LABELS = {
    ItemKind.PENDING: "Pending",
    ItemKind.PROPOSAL: "Proposal",
    ItemKind.CONTRADICTION: "Contradiction",
    ItemKind.PATTERN: "New pattern",
    ItemKind.MERGE: "Same thing?",
    ItemKind.SUGGESTION: "Suggestion",
    ItemKind.STALE: "Stale",
}
MEANINGS = {
    ItemKind.PENDING: "Nothing recalls it until a person has decided.",
    ItemKind.PROPOSAL: "Offered from another space. Accepting makes a copy; the original stays.",
    ItemKind.CONTRADICTION: "Both are recalled now, and may say different things.",
    ItemKind.PATTERN: "Agents are warned of it from now on.",
    ItemKind.MERGE: "Two things that may be one.",
    ItemKind.SUGGESTION: "Agents weigh it against other context.",
    ItemKind.STALE: "No answer has cited it for as long as the workspace keeps such memories.",
}
VERB_LABELS = {
    VerdictKind.FACT: "Fact",
    VerdictKind.KEEP: "Keep as suggestion",
    VerdictKind.EDIT: "Edit",
    VerdictKind.MERGE: "Merge",
    VerdictKind.SUPPRESS: "Suppress",
    VerdictKind.FORGET: "Forget",
    VerdictKind.ACCEPT: "Accept",
    VerdictKind.REJECT: "Reject",
    VerdictKind.NEWER: "The newer holds",
    VerdictKind.OLDER: "The older holds",
    VerdictKind.BOTH: "Both hold",
    VerdictKind.APART: "Keep apart",
}
OWN_LABELS = {
    (ItemKind.PATTERN, VerdictKind.KEEP): "Keep warning",
    (ItemKind.STALE, VerdictKind.KEEP): "Keep",
    (ItemKind.PENDING, VerdictKind.FORGET): "Reject",
}
# Kinds whose first verdict is the usual one.
WITH_PRIMARY = MEMORY_KINDS | {ItemKind.PROPOSAL}
# Done with several at once, without reading each of them again.
BULK = (
    VerdictKind.FACT,
    VerdictKind.KEEP,
    VerdictKind.SUPPRESS,
    VerdictKind.FORGET,
    VerdictKind.ACCEPT,
    VerdictKind.REJECT,
)


@dataclass(frozen=True, slots=True)
class VerbButton:
    """One verdict as a button, with its key."""

    verdict: VerdictKind
    label: str
    key: str
    is_primary: bool = False


@dataclass(frozen=True, slots=True)
class NearMemory:
    """A memory of the space that is like the item, with what its words differ in.

    `is_same` says that it has the same words, `is_revived` that accepting makes it recallable. `confidence` is that of
    the search that the one bears on the other; a score would compare hits with each other alone.
    """

    memory: Memory
    url: str
    parts: Sequence[DiffPart] = ()
    confidence: float | None = None
    is_same: bool = False
    is_revived: bool = False


@dataclass(frozen=True, slots=True)
class OtherSide:
    """The older memory of a contradiction, or one node of a pair."""

    text: str
    url: str
    label: str
    at: Any = None
    into: UUID | None = None
    parts: Sequence[DiffPart] = ()


@dataclass(frozen=True, slots=True)
class ReviewCard:
    """One item as `review/_card.html` shows it. Without the right to decide it has no verbs."""

    entry: QueueEntry
    label: str
    meaning: str
    verbs: Sequence[VerbButton]
    form: WordsForm | None = None
    near: Sequence[NearMemory] = ()
    sides: Sequence[OtherSide] = ()
    said: Sequence[Mapping[str, Any]] = ()
    source: str = ""
    seen: str = ""
    url: str = ""
    use: ContextUse | None = None
    asked_by: Sequence[str] = ()
    withdraw_url: str = ""
    texts: Sequence[Mapping[str, str]] = field(default_factory=tuple)

    @property
    def is_same(self) -> bool:
        """Whether a memory of the space has exactly these words."""
        return any(each.is_same for each in self.near)

    @property
    def is_revived(self) -> bool:
        """Whether that one is not recalled now, and will be."""
        return any(each.is_revived for each in self.near)

    @property
    def may_merge(self) -> bool:
        """Whether what is near can take its place."""
        return self.entry.key.kind in MEMORY_KINDS and bool(self.verbs)


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One item in the list; `choice` is what its check box sends, with the hash of what it says."""

    entry: QueueEntry
    label: str
    text: str
    url: str
    is_current: bool

    @property
    def choice(self) -> str:
        key = self.entry.key
        return f"{key}:{statement_hash(self.entry.row)}" if key.kind in MEMORY_KINDS else str(key)


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """One of the person's last verdicts, which can be taken back."""

    verdict: ReviewVerdict
    text: str
    about: str = ""


def build_card(seat: ConsoleContext, entry: QueueEntry, form: WordsForm | None = None) -> ReviewCard:
    """Return an item next to what bears on it."""
    builders = {ItemKind.PROPOSAL: _proposal_card, ItemKind.CONTRADICTION: _contradiction_card}
    builders |= {ItemKind.PATTERN: _pattern_card, ItemKind.MERGE: _merge_card}
    return builders.get(entry.key.kind, _memory_card)(seat, entry, form)


def reviewing_caller(seat: ConsoleContext, entry: QueueEntry) -> Caller:
    """Return the person as the caller who writes into the space of the item, and reads no other."""
    if entry.key.kind == ItemKind.PROPOSAL:
        return seat.caller.naming(NamedSpaces(space=entry.row.space)).within(entry.row.space_id)
    return seat.caller.alone()


def bulk_verbs(seat: ConsoleContext) -> list[VerbButton]:
    """Return what can be done to several items at once."""
    return [VerbButton(verdict, VERB_LABELS[verdict], KEYS[verdict]) for verdict in BULK] if _may_decide(seat) else []


def queue_rows(places: Sequence[tuple[QueueEntry, str]], current: QueueEntry | None) -> list[QueueRow]:
    """Return items and their addresses as lines of the list."""
    return [
        QueueRow(
            entry,
            KIND_LABELS[entry.key.kind],
            excerpt(entry.text, limit=MAX_CHARACTERS_OF_ROW),
            url,
            current is not None and entry.key == current.key,
        )
        for entry, url in places
    ]


def verdict_lines(caller: Caller, verdicts: Sequence[ReviewVerdict]) -> list[VerdictLine]:
    """Return verdicts in words, with the beginning of the memories that they are about: of two that contradict each
    other the newer one's."""
    pairs = [each.item_id for each in verdicts if each.kind == ItemKind.CONTRADICTION]
    with reading_scope(caller):
        memories = memories_by_id(caller, [each.item_id for each in verdicts])
        said = {key: memory.content for key, memory in memories.items()} | contradicting_texts(caller, pairs)
    return [
        VerdictLine(each, verdict_words(each), excerpt(said.get(each.item_id, ""), limit=MAX_CHARACTERS_OF_LINE))
        for each in verdicts
    ]


def verdict_words(verdict: ReviewVerdict) -> str:
    """Return what a verdict did."""
    return DONE.get(verdict.verdict, verdict.verdict.capitalize())


DONE = {
    "fact": "Made a fact",
    "keep": "Kept",
    "edit": "Edited",
    "merge": "Merged",
    "suppress": "Suppressed",
    "forget": "Forgotten",
    "accept": "Accepted",
    "reject": "Rejected",
    "newer": "The newer holds",
    "older": "The older holds",
    "both": "Both hold",
    "apart": "Kept apart",
    "ask": "Asked for a fact",
}


def _verbs(seat: ConsoleContext, kind: ItemKind, *, without: Sequence[VerdictKind] = ()) -> list[VerbButton]:
    if not _may_decide(seat):
        return []
    return [
        VerbButton(
            verdict,
            OWN_LABELS.get((kind, verdict), VERB_LABELS[verdict]),
            KEYS[verdict],
            place == 0 and kind in WITH_PRIMARY,
        )
        for place, verdict in enumerate(each for each in VERDICTS[kind] if each not in without)
    ]


def _may_decide(seat: ConsoleContext) -> bool:
    return seat.caller.may(Right.WRITE) and seat.caller.may(Right.FACTS)


def _memory_card(seat: ConsoleContext, entry: QueueEntry, form: WordsForm | None) -> ReviewCard:
    memory, kind, caller = entry.row, entry.key.kind, seat.caller.alone()
    near = _near_memories(seat, caller, memory.content, without=memory.pk)
    with reading_scope(caller):
        asked = [each.decided_by for each in asking_people(caller, memory)]
        sources = memory_sources(caller, memory)[:2]
    return ReviewCard(
        entry,
        KIND_LABELS[kind],
        MEANINGS[kind],
        _verbs(seat, kind, without=() if near else (VerdictKind.MERGE,)),
        form or WordsForm.of(entry.key, memory.content),
        near,
        said=source_lines(seat, sources),
        source=f"{SOURCE_LABELS[Source(memory.source)]}: {memory.author}",
        seen=statement_hash(memory),
        url=detail_url(seat, memory),
        use=context_use(seat.caller, memory.pk, near[0].memory.pk if near else None),
        asked_by=asked,
        texts=text_lines(memory),
    )


def _proposal_card(seat: ConsoleContext, entry: QueueEntry, form: WordsForm | None) -> ReviewCard:
    proposal, kind = entry.row, entry.key.kind
    withdraw = reverse("review-withdraw", args=[seat.workspace.slug, proposal.pk])
    may_withdraw = seat.caller.may(Right.WRITE) and proposal.origin_space in map(str, seat.spaces)
    return ReviewCard(
        entry,
        f"Proposed to {proposal.space}",
        MEANINGS[kind],
        _verbs(seat, kind),
        form or WordsForm.of(entry.key, proposal.content),
        _near_proposed(seat, entry, proposal),
        withdraw_url=withdraw if may_withdraw else "",
        texts=text_lines(proposal),
    )


def _contradiction_card(seat: ConsoleContext, entry: QueueEntry, form: WordsForm | None) -> ReviewCard:
    newer, older = entry.row.source.memory, entry.row.target.memory
    parts = compare_words(older.content, newer.content)
    sides = [
        OtherSide(newer.content, detail_url(seat, newer), "Newer", newer.node.created_at, parts=parts),
        OtherSide(older.content, detail_url(seat, older), "Older", older.node.created_at),
    ]
    kind, seen = entry.key.kind, hash_pair(newer, older)
    return ReviewCard(entry, KIND_LABELS[kind], MEANINGS[kind], _verbs(seat, kind), sides=sides, seen=seen)


def _pattern_card(seat: ConsoleContext, entry: QueueEntry, form: WordsForm | None) -> ReviewCard:
    kind, url = entry.key.kind, reverse("agent-pattern", args=[seat.workspace.slug, entry.key.id])
    return ReviewCard(entry, KIND_LABELS[kind], MEANINGS[kind], _verbs(seat, kind), url=url)


def _merge_card(seat: ConsoleContext, entry: QueueEntry, form: WordsForm | None) -> ReviewCard:
    kind, pair = entry.key.kind, (entry.row.first, entry.row.second)
    sides = [
        OtherSide(f"{node_title(node)} ({node.type})", node_url(seat, node), label, node.created_at, node.pk)
        for label, node in zip(("One", "Other"), pair, strict=True)
    ]
    url = reverse("ontology-merge-queue", args=[seat.workspace.slug])
    seen = join_versions(*pair)
    return ReviewCard(entry, KIND_LABELS[kind], MEANINGS[kind], _verbs(seat, kind), sides=sides, seen=seen, url=url)


def _near_memories(seat: ConsoleContext, caller: Caller, text: str, *, without: UUID | None) -> list[NearMemory]:
    query = text[:MAX_QUERY_CHARACTERS]
    found = search_memories(caller=caller, query=query, limit=MAX_NEAR + 1, most_words=WORDS_OF_NEAR)
    compared = [
        NearMemory(
            hit.memory, detail_url(seat, hit.memory), compare_words(text, hit.memory.content), hit.found.confidence
        )
        for hit in found.hits
        if hit.memory.pk != without
    ]
    return [each for each in compared if each.parts or (each.confidence or 0) >= MIN_CONFIDENCE][:MAX_NEAR]


def _near_proposed(seat: ConsoleContext, entry: QueueEntry, proposal: Proposal) -> list[NearMemory]:
    caller = reviewing_caller(seat, entry)
    with workspace_scope(caller):
        same = find_duplicate(caller, fingerprint(workspace_id=caller.workspace_id, text=proposal.content))
        is_revived = same is not None and not needs_person(same) and not is_recallable(caller, same)
    others = _near_memories(seat, caller, proposal.content, without=same.pk if same else None)
    if same is None:
        return others
    twin = NearMemory(same, detail_url(seat, same), is_same=True, is_revived=is_revived)
    return [twin, *others][:MAX_NEAR]
