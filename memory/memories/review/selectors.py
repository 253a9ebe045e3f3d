"""The review queue: what of a space needs a person, kind by kind, and the verdicts that were given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from core.clock import utc_now
from core.db.row_count import RowCount
from core.errors import NotFoundError
from memory.memories.proposals.selectors import proposals_in_status
from memory.memories.review.item_kinds import ASK, ItemKey, ItemKind, ReviewState, VerdictKind
from memory.memories.selectors import CONTRADICTS, is_stale
from memory.models import ContextReceipt, Kind, Memory, ProposalStatus, ReviewVerdict
from ontology.models import Edge, MergeCandidate, Node
from telemetry.models import Pattern
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope, scope_notes
from workspaces.access.selectors import current_workspace
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import review_policy

# The newest receipts, in which items are looked for.
CONTEXTS = 200


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One item of the queue: its text, since when it waits, and the row that it is about."""

    key: ItemKey
    text: str
    at: datetime
    row: Any


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Of the newest `contexts`, in how many a memory was, and the memory that is most like it."""

    contexts: int
    memory: int
    nearest: int


@dataclass(frozen=True, slots=True)
class QueueSource:
    """Where items of one kind come from. `is_newest_first` says in which order of their keys."""

    rows: Callable[[Caller], QuerySet[Any]]
    entry: Callable[[Any], tuple[str, datetime]]
    is_newest_first: bool = False

    def rows_in_order(self, caller: Caller, after: UUID | None = None) -> QuerySet[Any]:
        """Return the rows in their order, behind one of them."""
        rows = self.rows(caller).order_by("-pk" if self.is_newest_first else "pk")
        if after is None:
            return rows
        return rows.filter(**{"pk__lt" if self.is_newest_first else "pk__gt": after})


def queue_entries(
    caller: Caller, *, kinds: Collection[ItemKind] = (), after: ItemKey | None = None, limit: int
) -> list[QueueEntry]:
    """Return what waits behind `after`, kind by kind. Proposals are those to all spaces that the call reads; all else
    is of the space that it writes into. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    order = list(ItemKind)
    found: list[QueueEntry] = []
    with reading_scope(caller):
        for kind in order[order.index(after.kind) if after else 0 :]:
            if (kinds and kind not in kinds) or len(found) >= limit:
                continue
            rows = SOURCES[kind].rows_in_order(caller, after.id if after and after.kind == kind else None)
            found += [_entry(kind, row) for row in rows[: limit - len(found)]]
    return found


def count_queue(caller: Caller, *, most: int) -> dict[ItemKind, int]:
    """Return the number of items of each kind, in one statement; counting stops beyond `most` of one."""
    caller.require(Right.READ)
    with reading_scope(caller):
        counted = {
            str(kind): RowCount(source.rows(caller).select_related(None).order_by().values("pk")[: most + 1])
            for kind, source in SOURCES.items()
        }
        found = cast("dict[str, int]", Workspace.objects.filter(id=caller.workspace_id).values(**counted).get())
    return {kind: found[kind] for kind in ItemKind}


def count_at_most(caller: Caller, most: int) -> int:
    """Return the number of items of all kinds; where there are more than `most`, any number beyond it.

    Where the commonest kind is that many, the others are not counted: together they cost each page 20 ms. Raises
    MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        suggestions = SOURCES[ItemKind.SUGGESTION].rows(caller).select_related(None).order_by()
        number = suggestions.values("pk")[: most + 1].count()
        return number if number > most else sum(count_queue(caller, most=most).values())


def find_entry(caller: Caller, item: ItemKey) -> QueueEntry | None:
    """Return an item that still waits, for an open scope or without one."""
    caller.require(Right.READ)
    with reading_scope(caller):
        row = SOURCES[item.kind].rows(caller).filter(pk=item.id).first()
    return None if row is None else _entry(item.kind, row)


def access_verdict(caller: Caller, verdict_id: UUID, *, lock: bool = False) -> ReviewVerdict:
    """Return a verdict of the space that the caller writes into. Raises NotFoundError."""
    caller.require(Right.READ)
    with reading_scope(caller):
        found = ReviewVerdict.objects.in_written_space(caller).filter(pk=verdict_id)
        verdict = (found.select_for_update() if lock else found).first()
    if verdict is None:
        raise NotFoundError()
    return verdict


def recent_verdicts(caller: Caller, *, most: int) -> Sequence[ReviewVerdict]:
    """Return the caller's own newest verdicts that hold, in the spaces that it reads."""
    with reading_scope(caller):
        mine = ReviewVerdict.objects.of(caller).filter(
            decided_by_id=caller.id, decided_by_kind=caller.kind, undone_at=None
        )
        return list(mine.order_by("-id")[:most])


def is_merged(caller: Caller, memory: Memory) -> bool:
    """Return whether a person let the memory that closed this one stand for both: it was said twice, and is still true.
    For an open scope."""
    if memory.superseded_by_id is None:
        return False
    into = ReviewVerdict.objects.of(caller).filter(
        item_id=memory.pk, verdict=VerdictKind.MERGE, undone_at=None, before__into=str(memory.superseded_by_id)
    )
    return bool(into.exists())


def contradicting_texts(caller: Caller, edges: Sequence[UUID]) -> dict[UUID, str]:
    """Return what the newer of two contradicting memories says, by the edge between them; for an open scope."""
    found = Edge.objects.of(caller).filter(pk__in=edges) if edges else Edge.objects.none()
    return dict(found.values_list("pk", "source__body"))


def context_use(caller: Caller, memory_id: UUID, nearest: UUID | None) -> ContextUse:
    """Return in how many of the newest contexts a memory was, and the one that is most like it."""
    with reading_scope(caller):
        mine = ContextReceipt.objects.of(caller).filter(read_spaces__contained_by=list(caller.reach.read))
        held = {
            name: Q(chosen__contains=[{"id": str(each)}])
            for name, each in (("has_memory", memory_id), ("has_nearest", nearest or memory_id))
        }
        newest = mine.annotate(**held).order_by("-created_at")[:CONTEXTS]
        counts = newest.aggregate(
            contexts=Count("pk"),
            memory=Count("pk", filter=Q(has_memory=True)),
            nearest=Count("pk", filter=Q(has_nearest=True)),
        )
    return ContextUse(**counts)


def _entry(kind: ItemKind, row: Any) -> QueueEntry:
    text, at = SOURCES[kind].entry(row)
    return QueueEntry(ItemKey(kind, row.pk), text, at, row)


def _pending(caller: Caller) -> QuerySet[Memory]:
    mine = Memory.objects.of(caller.alone()).filter(review=ReviewState.PENDING, node__is_deleted=False)
    return _without_own_requests(caller, mine.select_related("node"))


def _suggestions(caller: Caller) -> QuerySet[Memory]:
    now = utc_now()
    mine = Memory.objects.of(caller.alone()).filter(
        Q(node__valid_to=None) | Q(node__valid_to__gt=now),
        Q(node__expires_at=None) | Q(node__expires_at__gt=now),
        review=ReviewState.OPEN,
        superseded_at=None,
        node__type=Kind.MEMORY,
        node__is_deleted=False,
        node__suppressed_at=None,
    )
    return _without_own_requests(caller, mine.exclude(is_stale(caller)).select_related("node"))


def _stale(caller: Caller) -> QuerySet[Memory]:
    mine = Memory.objects.of(caller.alone()).filter(node__is_deleted=False, node__suppressed_at=None)
    return mine.filter(is_stale(caller)).select_related("node")


def _without_own_requests(caller: Caller, memories: QuerySet[Memory]) -> QuerySet[Memory]:
    """Leave out what waits for another person to confirm what the caller asked for."""
    if not _takes_two(caller):
        return memories
    asked = ReviewVerdict.objects.of(caller).filter(
        item_id=OuterRef("pk"), verdict=ASK, undone_at=None, decided_by_id=caller.id, mark=OuterRef("live_fingerprint")
    )
    return memories.filter(~Exists(asked))


def _takes_two(caller: Caller) -> bool:
    """Return whether facts need another person's word; asked once in a scope."""
    with reading_scope(caller):
        notes, name = scope_notes(), f"facts take two {caller.workspace_id}"
        if name not in notes:
            notes[name] = "yes" if review_policy(current_workspace(caller)).four_eyes else ""
        return bool(notes[name])


def _contradictions(caller: Caller) -> QuerySet[Edge]:
    recallable = Node.objects.of(caller.alone()).recallable(utc_now()).filter(type__in=Kind.values)
    edges = Edge.objects.of(caller.alone()).live().filter(type=CONTRADICTS)
    held = edges.filter(source__in=recallable, target__in=recallable)
    return held.select_related("source__memory", "target__memory")


def _patterns(caller: Caller) -> QuerySet[Pattern]:
    decided = ReviewVerdict.objects.of(caller.alone()).filter(
        kind=ItemKind.PATTERN, item_id=OuterRef("pk"), undone_at=None, decided_at__gte=OuterRef("promoted_at")
    )
    return Pattern.objects.of(caller.alone()).filter(~Exists(decided), status="promoted", suppressed_at=None)


def _merges(caller: Caller) -> QuerySet[MergeCandidate]:
    mine = MergeCandidate.objects.of(caller.alone()).filter(kept_apart_at=None)
    return mine.filter(first__is_deleted=False, second__is_deleted=False).select_related("first", "second")


def _of_memory(memory: Memory) -> tuple[str, datetime]:
    return memory.content, memory.node.created_at


SOURCES: dict[ItemKind, QueueSource] = {
    ItemKind.PENDING: QueueSource(_pending, _of_memory),
    ItemKind.PROPOSAL: QueueSource(
        lambda caller: proposals_in_status(caller, ProposalStatus.PENDING), lambda row: (row.content, row.created_at)
    ),
    ItemKind.CONTRADICTION: QueueSource(_contradictions, lambda row: (row.source.body, row.created_at)),
    ItemKind.PATTERN: QueueSource(_patterns, lambda row: (f"{row.key}: {row.recommendation}", row.promoted_at)),
    ItemKind.MERGE: QueueSource(_merges, lambda row: (f"{row.first.name} / {row.second.name}", row.created_at)),
    ItemKind.SUGGESTION: QueueSource(_suggestions, _of_memory, is_newest_first=True),
    ItemKind.STALE: QueueSource(_stale, _of_memory),
}
