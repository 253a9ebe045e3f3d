"""Taking things back and returning them, in short transactions that may be cut short anywhere.

Each transaction holds the row of its undo, takes some things of one kind in one space, and notes in their rows what
became of them. What others have changed since the plan was made stays as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from uuid import UUID

from django.db.models import F

from core.clock import utc_now
from core.errors import NotFoundError, ProductError
from memory.memories.services.lifecycle import forget_memories, restore_memories
from memory.memories.services.step_inversion import invert_steps
from memory.models import Memory, MemoryRevision
from ontology.matching.services.merges import merge_nodes, undo_merge
from ontology.models import Change, Edge, Merge, Node
from ontology.nodes_and_edges.services.bulk_removal import delete_edges, delete_nodes, restore_nodes
from ontology.nodes_and_edges.services.change_inversion import invert_changes
from ontology.nodes_and_edges.services.edges import restore_edge
from transfer.models import Undo, UndoItem, UndoItemState, UndoStatus
from transfer.undo.decisions import CHANGED_SINCE, GONE, UndoAct
from transfer.undo.planned_item import EDGE, FACT, MEMORY, MERGE, NODE
from transfer.undo.services.memory_plans import AUTOMATIC, missing_right
from workspaces.access.callers import ActorKind, Caller, MissingScopeError, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import remaining_rights

# Things that one transaction removes together, or reverts one by one, so that its locks are short.
TAKEN_AT_ONCE, REVERTED_AT_ONCE = 500, 25
DUPLICATE = "duplicate"
Steps = dict[UUID, set[UUID]]


def take_some(*, workspace_id: UUID, undo_id: UUID, most: int) -> bool:
    """Take about this number of things back, or return them; return whether the undo, or its reversal, is over, or
    gone with its workspace."""
    everywhere, taken = maintenance_caller(workspace_id, "undo"), 0
    while True:
        with workspace_scope(everywhere):
            undo = Undo.objects.of(everywhere).filter(id=undo_id).select_for_update().first()
            if undo is None or not undo.is_running:
                return True
            waiting = _next_batch(everywhere, undo)
            if not waiting:
                _finish(undo)
                return True
            if batch := _lock_items(everywhere, waiting):
                _take_batch(undo, batch)
                _note_outcomes(batch)
        taken += len(batch)
        if taken >= most:
            return False


def _next_batch(everywhere: Caller, undo: Undo) -> list[UndoItem]:
    """Return the next things of one kind in one space, in the order of the plan; backwards for a reversal."""
    mine = UndoItem.objects.of(everywhere).filter(undo=undo)
    if undo.status == UndoStatus.APPLYING:
        waiting = mine.filter(state=UndoItemState.WAITING).order_by("position")
    else:
        waiting = mine.filter(state=UndoItemState.APPLIED).order_by("-position")
    batch: list[UndoItem] = []
    for item in waiting[:TAKEN_AT_ONCE]:
        if len(batch) == REVERTED_AT_ONCE and item.act == UndoAct.REVERT:
            break
        if batch and (item.space_id, item.act, _table(item)) != (batch[0].space_id, batch[0].act, _table(batch[0])):
            break
        batch.append(item)
    return batch


def _lock_items(everywhere: Caller, batch: Sequence[UndoItem]) -> list[UndoItem]:
    """Keep rows until the end of the transaction, and return those that are still there: the outcomes of those that the
    erasure of their space has deleted would add them again."""
    rows = UndoItem.objects.of(everywhere).filter(pk__in=[item.pk for item in batch]).order_by("pk")
    there = set(rows.select_for_update().values_list("pk", flat=True))
    return [item for item in batch if item.pk in there]


def _note_outcomes(batch: Sequence[UndoItem]) -> None:
    """Write what became of things. As an upsert, since an update of many rows takes Django as long as the work."""
    UndoItem.objects.bulk_create(
        batch,
        update_conflicts=True,
        unique_fields=["workspace", "undo", "position"],
        update_fields=["state", "reason", "made", "step_count"],
    )


def _finish(undo: Undo) -> None:
    now = utc_now()
    if undo.status == UndoStatus.APPLYING:
        undo.status, undo.finished_at = UndoStatus.DONE, now
    else:
        undo.status, undo.reverted_at = UndoStatus.REVERTED, now
    undo.save(update_fields=["status", "finished_at", "reverted_at"])


def _take_batch(undo: Undo, batch: Sequence[UndoItem]) -> None:
    is_return = undo.status == UndoStatus.REVERTING
    place = _acting_caller(undo, is_return=is_return).within(batch[0].space_id)
    table, ids = _table(batch[0]), [item.item_id for item in batch]
    # What a person undid is returned by those who decide about facts.
    needed = {Right.WRITE, Right.FACTS} if is_return and undo.actor_kind == ActorKind.USER else {Right.WRITE}
    if not needed <= place.rights:  # the key was revoked since, or the person has left
        _leave(batch, MissingScopeError.code, is_return=is_return)
        return
    with workspace_scope(place):
        _lock(place, table, ids)
        before = _load_steps(place, table, ids)
        same = [item for item in batch if table == MERGE or len(before[item.item_id]) == item.step_count]
        refused = _HANDLERS[is_return, table, UndoAct(batch[0].act)](place, same)
        after = _load_steps(place, table, ids)
        if table == MERGE:
            _count_merge_steps(undo, batch, refused)
    refused |= dict.fromkeys({item.id for item in batch} - {item.id for item in same}, CHANGED_SINCE)
    for item in batch:
        made = after[item.item_id] - before[item.item_id]
        item.made, item.step_count = sorted({*item.made, *made}), len(after[item.item_id])
        item.reason = refused.get(item.id, "")
        item.state = _next_state(is_return=is_return, is_refused=bool(item.reason))


def _leave(batch: Sequence[UndoItem], reason: str, *, is_return: bool) -> None:
    for item in batch:
        item.reason, item.state = reason, _next_state(is_return=is_return, is_refused=True)


def _next_state(*, is_return: bool, is_refused: bool) -> UndoItemState:
    if is_return:
        return UndoItemState.LEFT if is_refused else UndoItemState.RETURNED
    return UndoItemState.KEPT if is_refused else UndoItemState.APPLIED


def _acting_caller(undo: Undo, *, is_return: bool) -> Caller:
    """Return the caller who asked, with those rights of that call that it still has. Steps are taken in its name."""
    kind, identity, label = undo.actor_kind, undo.actor_id, undo.actor_label
    if is_return:
        kind, identity, label = undo.reverter_kind, undo.reverter_id, undo.reverter_label
    caller = Caller(undo.workspace_id, ActorKind(kind), identity, label, frozenset(map(Right, undo.rights)))
    return replace(caller, rights=remaining_rights(caller))


def _table(item: UndoItem) -> str:
    return MEMORY if item.kind == FACT else str(item.kind)


def _lock(place: Caller, table: str, ids: Collection[UUID]) -> None:
    """Keep things from being changed until the end of the transaction."""
    if table == MEMORY:
        memories = Memory.objects.of(place).filter(pk__in=ids).order_by("pk")
        list(memories.select_related("node").only("pk", "node__id").select_for_update(of=("self", "node"), no_key=True))
    elif table in {NODE, EDGE}:
        model = Node if table == NODE else Edge
        rows = model.objects.of(place).filter(id__in=ids).order_by("id")
        list(rows.select_for_update(of=("self",), no_key=True).values_list("id"))


def _load_steps(place: Caller, table: str, ids: Collection[UUID]) -> Steps:
    """Return the ids of the steps in the history of each thing, without those that follow from others."""
    found: Steps = defaultdict(set)
    if table == MEMORY:
        revisions = MemoryRevision.objects.of(place).filter(memory_id__in=ids).exclude(action__in=AUTOMATIC)
        pairs = revisions.values_list("memory_id", "id")
    else:
        pairs = Change.objects.of(place).filter(entity_id__in=ids).values_list("entity_id", "id")
    for identity, step in pairs:
        found[identity].add(step)
    return found


def _remove_memories(place: Caller, items: Sequence[UndoItem]) -> dict[UUID, str]:
    refused = _refusals(place, items, UndoAct.REMOVE)
    forget_memories(caller=place, memory_ids=_item_ids(items, refused), reason="undo")
    return refused


def _refusals(place: Caller, items: Sequence[UndoItem], act: UndoAct) -> dict[UUID, str]:
    """Return why memories stay, for those of which the acting caller may not decide and those that are gone."""
    found = Memory.objects.of(place).filter(pk__in=[item.item_id for item in items])
    memories = found.select_related("node").defer("node__words").in_bulk()
    reasons = {item.id: _missing(place, memories.get(item.item_id), act) for item in items}
    return {identity: reason for identity, reason in reasons.items() if reason}


def _missing(place: Caller, memory: Memory | None, act: UndoAct) -> str:
    return GONE if memory is None else missing_right(place, memory, act)


def _item_ids(items: Sequence[UndoItem], refused: Collection[UUID]) -> list[UUID]:
    return [item.item_id for item in items if item.id not in refused]


def _return_memories(place: Caller, items: Sequence[UndoItem]) -> dict[UUID, str]:
    refused = _refusals(place, items, UndoAct.REVERT)
    back = restore_memories(caller=place, memory_ids=_item_ids(items, refused))
    return {item.id: DUPLICATE for item in items if item.item_id not in back} | refused


def _delete_nodes(place: Caller, items: Sequence[UndoItem]) -> dict[UUID, str]:
    return _missing_items(items, delete_nodes(caller=place, node_ids=[item.item_id for item in items]))


def _return_nodes(place: Caller, items: Sequence[UndoItem]) -> dict[UUID, str]:
    return _missing_items(items, restore_nodes(caller=place, node_ids=[item.item_id for item in items]))


def _delete_edges(place: Caller, items: Sequence[UndoItem]) -> dict[UUID, str]:
    return _missing_items(items, delete_edges(caller=place, edge_ids=[item.item_id for item in items]))


def _missing_items(items: Sequence[UndoItem], done: Collection[UUID]) -> dict[UUID, str]:
    there = set(done)
    return {item.id: GONE for item in items if item.item_id not in there}


def _each(step: Callable[[Caller, UndoItem], object]) -> Callable[[Caller, Sequence[UndoItem]], dict[UUID, str]]:
    """Return what takes things one by one; what a service refuses stays, with the code of the refusal."""

    def take(place: Caller, items: Sequence[UndoItem]) -> dict[UUID, str]:
        refused = {}
        for item in items:
            try:
                with workspace_scope(place):
                    step(place, item)
            except NotFoundError:
                refused[item.id] = GONE
            except ProductError as error:
                refused[item.id] = error.code
        return refused

    return take


def _revert_memory(place: Caller, item: UndoItem) -> None:
    _invert_memory(place, item, item.steps)


def _return_memory(place: Caller, item: UndoItem) -> None:
    _invert_memory(place, item, item.made)


def _invert_memory(place: Caller, item: UndoItem, ids: Sequence[UUID]) -> None:
    steps = MemoryRevision.objects.of(place).filter(memory_id=item.item_id, id__in=ids)
    invert_steps(caller=place, memory_id=item.item_id, steps=list(steps))


def _revert_thing(place: Caller, item: UndoItem) -> None:
    invert_changes(caller=place, changes=list(Change.objects.of(place).filter(id__in=item.steps)))


def _return_thing(place: Caller, item: UndoItem) -> None:
    invert_changes(caller=place, changes=list(Change.objects.of(place).filter(id__in=item.made)))


def _return_edge(place: Caller, item: UndoItem) -> None:
    restore_edge(caller=place, edge_id=item.item_id)


def _undo_merge(place: Caller, item: UndoItem) -> None:
    undo_merge(caller=place, merge_id=item.item_id)


def _merge_again(place: Caller, item: UndoItem) -> None:
    merge = Merge.objects.of(place).get(id=item.item_id)
    take = merge.record.get("replaced", {})
    merge_nodes(caller=place, keep_id=merge.kept_id, absorb_id=merge.absorbed_id, take=take)


def _count_merge_steps(undo: Undo, batch: Sequence[UndoItem], refused: Collection[UUID]) -> None:
    """Let the nodes of merges that were just undone expect the step that this made, where they wait for the undo."""
    everywhere = maintenance_caller(undo.workspace_id, "undo")
    done = [item.item_id for item in batch if item.id not in refused]
    with workspace_scope(everywhere):
        for merge in Merge.objects.of(everywhere).filter(id__in=done):
            waiting = UndoItem.objects.of(everywhere).filter(undo=undo, state=UndoItemState.WAITING)
            of_merge = waiting.filter(item_id__in=[merge.kept_id, merge.absorbed_id])
            of_merge.update(step_count=F("step_count") + 1)


_HANDLERS: dict[tuple[bool, str, UndoAct], Callable[[Caller, Sequence[UndoItem]], dict[UUID, str]]] = {
    (False, MEMORY, UndoAct.REMOVE): _remove_memories,
    (True, MEMORY, UndoAct.REMOVE): _return_memories,
    (False, MEMORY, UndoAct.REVERT): _each(_revert_memory),
    (True, MEMORY, UndoAct.REVERT): _each(_return_memory),
    (False, NODE, UndoAct.REMOVE): _delete_nodes,
    (True, NODE, UndoAct.REMOVE): _return_nodes,
    (False, NODE, UndoAct.REVERT): _each(_revert_thing),
    (True, NODE, UndoAct.REVERT): _each(_return_thing),
    (False, EDGE, UndoAct.REMOVE): _delete_edges,
    (True, EDGE, UndoAct.REMOVE): _each(_return_edge),
    (False, EDGE, UndoAct.REVERT): _each(_revert_thing),
    (True, EDGE, UndoAct.REVERT): _each(_return_thing),
    (False, MERGE, UndoAct.REVERT): _each(_undo_merge),
    (True, MERGE, UndoAct.REVERT): _each(_merge_again),
}
