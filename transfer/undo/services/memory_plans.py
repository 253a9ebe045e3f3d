"""Which memories an undo is about, and what becomes of each; read in a number of queries that does not grow."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.memories.services.step_inversion import INVERTIBLE
from memory.memories.services.supersession import OPEN, SUPERSEDE
from memory.models import Kind, Memory, MemoryRevision, MemorySource
from transfer.undo.decisions import GONE, NEEDS_FACTS, PINNED, HistoryStep, UndoAct, UndoDecision, decide
from transfer.undo.planned_item import MAX_ITEMS, MAX_LOOKED_AT, EarlierUndos, PlannedItem, earlier_undos, in_batches
from transfer.undo.services.undo_scopes import UndoScope, is_author
from workspaces.access.callers import Caller, Right

# Steps that follow from others by themselves: what a memory closes opens again when it goes.
AUTOMATIC = (SUPERSEDE, OPEN)
CREATIONS = frozenset({"remember", "accept"})


@dataclass(frozen=True, slots=True)
class _Step:
    id: UUID
    action: str
    kind: str
    actor_id: str
    label: str
    at: datetime


def plan_memories(scope: UndoScope) -> tuple[list[PlannedItem], bool]:
    """Return what becomes of memories, the last written first, and whether there are more; for the reader's scope."""
    plan = _plan_imported if scope.imported_before else _plan_written
    ids = _find_imported(scope) if scope.imported_before else _find_written(scope)
    # Batch by batch, since very many with nothing left to undo would hide the others for ever.
    planned = (item for batch in in_batches(ids) for item in plan(scope, batch))
    items = list(islice(planned, MAX_ITEMS + 1))
    return items[:MAX_ITEMS], len(items) > MAX_ITEMS or len(ids) > MAX_LOOKED_AT


def _find_imported(scope: UndoScope) -> list[UUID]:
    came = Memory.objects.of(scope.reader).live().filter(pk__lt=scope.imported_before)
    return list(came.order_by("-pk").values_list("pk", flat=True)[: MAX_LOOKED_AT + 1])


def _find_written(scope: UndoScope) -> list[UUID]:
    steps = _own_steps(scope).order_by("-id").values_list("memory_id", flat=True)
    return list(islice(dict.fromkeys(steps.iterator()), MAX_LOOKED_AT + 1))


def _own_steps(scope: UndoScope) -> QuerySet[MemoryRevision]:
    mine = MemoryRevision.objects.of(scope.reader).exclude(action__in=AUTOMATIC)
    written = scope.time_condition() & Q(actor_id__in=scope.authors)
    if scope.conversation is None:
        return mine.filter(written)
    return mine.filter(written | Q(pk__in=_steps_of_messages(scope, scope.conversation)))


def _steps_of_messages(scope: UndoScope, conversation: UUID) -> QuerySet[Any]:
    """Return the steps that messages of the run's conversation made, which were said while it ran."""
    said = MemorySource.objects.of(scope.reader).filter(conversation_id=conversation)
    return said.filter(said_at__gte=scope.since, said_at__lte=scope.until).values("revision_id")


def _plan_imported(scope: UndoScope, ids: Sequence[UUID]) -> Iterator[PlannedItem]:
    """Plan what came in with an import: what is untouched since goes."""
    memories, undos = _memories(scope, ids), earlier_undos(scope.reader, ids)
    counts = Counter(_history(scope.reader, ids).values_list("memory_id", flat=True).iterator())
    later = _steps(_history(scope.reader, ids).filter(id__gte=scope.imported_before))
    for identity in ids:
        if identity in undos.waiting or identity not in memories:
            continue
        steps = [
            HistoryStep(step.id, step.action, is_own=False, by=step.label)
            for step in later.get(identity, ())
            if not undos.is_void(identity, step.id)
        ]
        decision = decide(steps, is_created=True, invertible=INVERTIBLE)
        if decision:
            yield _plan_item(scope, memories[identity], decision, counts[identity])


def _plan_written(scope: UndoScope, ids: Sequence[UUID]) -> Iterator[PlannedItem]:
    memories, undos = _memories(scope, ids), earlier_undos(scope.reader, ids)
    history, own = _steps(_history(scope.reader, ids)), _ids_of_own_steps(scope, ids)
    for identity in ids:
        steps = history[identity]
        if identity in undos.waiting or identity not in memories:
            continue
        is_created = steps[0].action in CREATIONS and steps[0].id in own and not undos.is_void(identity, steps[0].id)
        memory = memories[identity]
        if is_created and memory.node.is_deleted:
            continue
        decision = decide(_as_history(scope, steps, own, undos, identity), is_created=is_created, invertible=INVERTIBLE)
        if decision:
            yield _plan_item(scope, memory, decision, len(steps))


def _ids_of_own_steps(scope: UndoScope, ids: Sequence[UUID]) -> set[UUID]:
    return set(_own_steps(scope).filter(memory_id__in=ids).values_list("id", flat=True))


def _as_history(
    scope: UndoScope, steps: Sequence[_Step], own: Collection[UUID], undos: EarlierUndos, identity: UUID
) -> list[HistoryStep]:
    return [
        HistoryStep(
            step.id,
            step.action,
            is_own=step.id in own,
            by=step.label,
            is_ambiguous=is_author(scope, kind=step.kind, identity=step.actor_id) and scope.is_ambiguous(step.at),
        )
        for step in steps
        if not undos.is_void(identity, step.id)
    ]


def _memories(scope: UndoScope, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    found = Memory.objects.of(scope.reader).filter(pk__in=ids).select_related("node").defer("node__words")
    return {memory.pk: memory for memory in found}


def _history(reader: Caller, ids: Sequence[UUID]) -> QuerySet[MemoryRevision]:
    return MemoryRevision.objects.of(reader).filter(memory_id__in=ids).exclude(action__in=AUTOMATIC)


def _steps(history: QuerySet[MemoryRevision]) -> Mapping[UUID, list[_Step]]:
    """Return the steps of each memory, the oldest first."""
    found: dict[UUID, list[_Step]] = defaultdict(list)
    names = ("memory_id", "id", "action", "actor_kind", "actor_id", "actor_label", "created_at")
    for memory_id, *step in history.order_by("id").values_list(*names).iterator():
        found[memory_id].append(_Step(*step))
    return found


def _plan_item(scope: UndoScope, memory: Memory, decision: UndoDecision, step_count: int) -> PlannedItem:
    return PlannedItem(
        kind=memory.kind,
        item_id=memory.pk,
        space_id=memory.space_id,
        act=decision.act,
        steps=decision.steps,
        reason=decision.reason or missing_right(scope.reader, memory, decision.act),
        by=decision.by,
        step_count=step_count,
    )


def missing_right(caller: Caller, memory: Memory, act: UndoAct) -> str:
    """Return the reason for which the caller may not take a memory back; '' where it may."""
    if memory.kind == Kind.FACT and not caller.may(Right.FACTS):
        return NEEDS_FACTS
    if act == UndoAct.REMOVE and memory.is_pinned and not caller.may(Right.ADMIN):
        return PINNED
    return GONE if act == UndoAct.REMOVE and memory.node.is_deleted else ""
