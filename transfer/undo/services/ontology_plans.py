"""Which nodes, edges and merges an undo is about, and what becomes of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from core.ids import parse_id
from ontology.models import GOVERNED_TYPES, Change, Edge, Entity, Merge, Node
from ontology.nodes_and_edges.provenance import PROGRAM
from ontology.nodes_and_edges.services.change_inversion import INVERTIBLE_CHANGES, RESTORE
from transfer.undo.decisions import CONNECTED, SAME_NAME, HistoryStep, UndoAct, UndoDecision, decide
from transfer.undo.planned_item import (
    EDGE,
    MAX_ITEMS,
    MAX_LOOKED_AT,
    MERGE,
    NODE,
    EarlierUndos,
    PlannedItem,
    earlier_undos,
    in_batches,
)
from transfer.undo.services.undo_scopes import UndoScope

MERGE_ACTION = "merge"
# Steps that a merge and its undoing leave with both nodes.
MERGE_STEPS = frozenset({MERGE_ACTION, "absorb", "undo_merge"})
History = Mapping[UUID, Sequence[Change]]


@dataclass(frozen=True, slots=True)
class _Changed:
    """A node or an edge, with what the authors have done with it, the latest first."""

    entity: str
    id: UUID
    steps: Sequence[UUID]


def plan_ontology(scope: UndoScope) -> tuple[list[PlannedItem], bool]:
    """Return what becomes of merges, edges and nodes, and whether there are more; for the reader's open scope."""
    touched, has_more = _find_changed(scope)
    changed = {entity: {each.id for each in touched if each.entity == entity} for entity in Entity}
    merges = _own_merges(scope, [each.id for each in touched])
    absorbed = {merge.absorbed_id for merge in merges}
    nodes = _find_created_nodes(scope, absorbed)
    edges = _find_created_edges(scope)
    node_ids = changed[Entity.NODE] | {node.id for node in nodes}
    edge_ids = changed[Entity.EDGE] | {edge.id for edge in edges}
    history = _histories(scope, node_ids | edge_ids)
    undos = earlier_undos(scope.reader, [*node_ids, *edge_ids, *(merge.id for merge in merges)])
    nodes_there = {node.id: node for node in (*nodes, *_changed_nodes(scope, node_ids - {node.id for node in nodes}))}
    edges_there = {edge.id: edge for edge in (*edges, *_changed_edges(scope, edge_ids - {edge.id for edge in edges}))}
    planner = _Planner(scope, history, undos, {step for each in touched for step in each.steps})
    planned_nodes = planner.nodes(nodes_there, created={node.id for node in nodes})
    removed = {item.item_id for item in planned_nodes if item.act == UndoAct.REMOVE and not item.reason}
    planned_edges = [
        item
        for item in planner.edges(edges_there, created={edge.id for edge in edges})
        # An edge goes with its node, and comes back with it.
        if not {edges_there[item.item_id].source_id, edges_there[item.item_id].target_id} & removed
    ]
    items = [*planner.merges(merges), *planned_edges, *planned_nodes]
    return items[:MAX_ITEMS], len(items) > MAX_ITEMS or has_more


def _own_changes(scope: UndoScope) -> QuerySet[Change]:
    mine = Change.objects.of(scope.reader).filter(scope.time_condition(), actor_id__in=scope.authors)
    return mine.filter(action__in=[*INVERTIBLE_CHANGES, MERGE_ACTION])


def _find_changed(scope: UndoScope) -> tuple[list[_Changed], bool]:
    """Return what the authors have changed and may be taken back, the latest first, and whether there is more.

    By thing, and without those that are settled: else very many changes of some would hide those of others for ever.
    """
    steps: dict[tuple[str, UUID], list[UUID]] = defaultdict(list)
    rows = _own_changes(scope).order_by("-id").values_list("entity", "entity_id", "id")
    for entity, identity, step in rows.iterator():
        steps[entity, identity].append(step)
    things = [_Changed(entity, identity, each) for (entity, identity), each in steps.items()]
    open_things = (thing for batch in in_batches(things) for thing in _without_settled(scope, batch))
    found = list(islice(open_things, MAX_ITEMS + 1))
    return found[:MAX_ITEMS], len(found) > MAX_ITEMS or len(things) > MAX_LOOKED_AT


def _without_settled(scope: UndoScope, things: Sequence[_Changed]) -> list[_Changed]:
    """Return things without those that undos have taken back, and those that their authors have removed themselves."""
    ids = [thing.id for thing in things]
    undos, removed = earlier_undos(scope.reader, ids), _find_own_deletions(scope, ids)
    return [
        thing
        for thing in things
        if thing.id not in removed and not all(undos.is_void(thing.id, step) for step in thing.steps)
    ]


def _find_own_deletions(scope: UndoScope, ids: Sequence[UUID]) -> set[UUID]:
    """Return those of some things that were created in the time that is undone, and are deleted; not by a merge."""
    nodes = Node.objects.of(scope.reader).filter(scope.time_condition(), id__in=ids, is_deleted=True)
    apart = nodes.exclude(id__in=Merge.objects.of(scope.reader).filter(undone_at=None).values("absorbed_id"))
    edges = Edge.objects.of(scope.reader).filter(scope.time_condition(), id__in=ids, is_deleted=True)
    rows = chain(apart.values_list("id", "provenance"), edges.values_list("id", "provenance"))
    return {identity for identity, provenance in rows if _is_created(scope, provenance)}


def _own_merges(scope: UndoScope, ids: Sequence[UUID]) -> list[Merge]:
    """Return the merges of the authors that hold, the newest first, as they have to be undone."""
    steps = _own_changes(scope).filter(entity_id__in=ids, action=MERGE_ACTION)
    made = {(change.entity_id, parse_id(change.before.get("absorbed"))) for change in steps}
    if not made:
        return []
    held = Merge.objects.of(scope.reader).filter(kept__in=[kept for kept, _ in made], undone_at=None)
    then = held.filter(created_at__gte=scope.since, created_at__lte=scope.until).order_by("-id")
    return [merge for merge in then if (merge.kept_id, merge.absorbed_id) in made]


def _find_created_nodes(scope: UndoScope, absorbed: Collection[UUID]) -> list[Node]:
    """Return the nodes that were created and are there, or are back once the merges of the authors are undone."""
    live = Node.objects.of(scope.reader).filter(Q(is_deleted=False) | Q(id__in=list(absorbed)))
    free = live.exclude(type__in=sorted(GOVERNED_TYPES)).defer("words").order_by("-id")
    if scope.imported_before:
        return list(free.filter(id__lt=scope.imported_before)[: MAX_ITEMS + 1])
    written = free.filter(scope.time_condition()).filter(_author_condition(scope) | Q(author_id__in=scope.authors))
    return [node for node in written[: MAX_ITEMS + 1] if _is_created(scope, node.provenance)]


def _find_created_edges(scope: UndoScope) -> list[Edge]:
    live = Edge.objects.of(scope.reader).live().order_by("-id")
    if scope.imported_before:
        return list(live.filter(id__lt=scope.imported_before)[: MAX_ITEMS + 1])
    written = live.filter(scope.time_condition()).filter(_author_condition(scope))
    return [edge for edge in written[: MAX_ITEMS + 1] if _is_created(scope, edge.provenance)]


def _author_condition(scope: UndoScope) -> Q:
    """Return the condition for what one of the authors described, or extracted from a text."""
    condition = Q(provenance__source=PROGRAM, provenance__by__in=list(scope.names))
    for identity in scope.authors:
        condition |= Q(provenance__contains={"sources": [{"by_id": identity}]})
    return condition


def _is_created(scope: UndoScope, provenance: Mapping[str, Any]) -> bool:
    """Return whether one of the authors was the first to say it."""
    if sources := provenance.get("sources"):
        return sources[0].get("by_id") in scope.authors
    return provenance.get("source") == PROGRAM and provenance.get("by") in scope.names


def _changed_nodes(scope: UndoScope, ids: Collection[UUID]) -> list[Node]:
    known = Node.objects.of(scope.reader).filter(id__in=list(ids)).exclude(type__in=sorted(GOVERNED_TYPES))
    return list(known.defer("words"))


def _changed_edges(scope: UndoScope, ids: Collection[UUID]) -> list[Edge]:
    return list(Edge.objects.of(scope.reader).filter(id__in=list(ids)))


def _histories(scope: UndoScope, ids: Collection[UUID]) -> History:
    found: dict[UUID, list[Change]] = defaultdict(list)
    for change in Change.objects.of(scope.reader).filter(entity_id__in=list(ids)).order_by("id").defer("before"):
        found[change.entity_id].append(change)
    return found


class _Planner:
    """What becomes of nodes and edges, by their histories."""

    def __init__(self, scope: UndoScope, history: History, undos: EarlierUndos, own: Collection[UUID]) -> None:
        self.scope, self.history, self.undos, self.own = scope, history, undos, own

    def merges(self, merges: Sequence[Merge]) -> Iterator[PlannedItem]:
        """Plan merges to be undone; what was changed since is respected by their undoing."""
        for merge in merges:
            if merge.id not in self.undos.waiting:
                yield PlannedItem(MERGE, merge.id, merge.space_id, UndoAct.REVERT)

    def nodes(self, nodes: Mapping[UUID, Node], *, created: Collection[UUID]) -> list[PlannedItem]:
        """Plan nodes; one that another author has connected since stays."""
        connected = self._connecting_authors([identity for identity in nodes if identity in created])
        items = []
        for identity, node in nodes.items():
            # Of one that an undo has removed, what counts is what was done since: it may be back by the same hand.
            is_created = identity in created and not self._is_undone(identity)
            decision = self._decide(identity, node.provenance, node.author_id, is_created=is_created)
            if decision and not decision.reason and identity in connected and self._removes(identity, decision):
                decision = UndoDecision(decision.act, reason=CONNECTED, by=connected[identity])
            if decision:
                items.append(self._plan_item(NODE, node, decision))
        return items

    def edges(self, edges: Mapping[UUID, Edge], *, created: Collection[UUID]) -> Iterator[PlannedItem]:
        """Plan edges."""
        for identity, edge in edges.items():
            decision = self._decide(identity, edge.provenance, "", is_created=identity in created)
            if decision:
                yield self._plan_item(EDGE, edge, decision)

    def _decide(
        self, identity: UUID, provenance: Mapping[str, Any], author_id: str, *, is_created: bool
    ) -> UndoDecision | None:
        if identity in self.undos.waiting:
            return None
        steps = [
            HistoryStep(
                change.id,
                change.action,
                is_own=self._is_own(change),
                by=change.actor_label,
                is_ambiguous=change.id in self.own and self.scope.is_ambiguous(change.created_at),
            )
            for change in self.history.get(identity, ())
            if not self.undos.is_void(identity, change.id)
        ]
        decision = decide(steps, is_created=is_created, invertible=INVERTIBLE_CHANGES)
        if decision and is_created and not decision.reason and self._is_uncertain(provenance, author_id):
            return UndoDecision(decision.act, reason=SAME_NAME)
        return decision

    def _is_own(self, change: Change) -> bool:
        if self.scope.imported_before:
            return change.id < self.scope.imported_before
        return change.id in self.own or (change.actor_id in self.scope.authors and change.action in MERGE_STEPS)

    def _is_uncertain(self, provenance: Mapping[str, Any], author_id: str) -> bool:
        """Return whether a name alone says whose it is, and another key or app has the same."""
        has_id = author_id in self.scope.authors or bool(provenance.get("sources"))
        return self.scope.name_is_shared and not has_id and not self.scope.imported_before

    def _is_undone(self, identity: UUID) -> bool:
        return identity in self.undos.removed_until

    def _removes(self, identity: UUID, decision: UndoDecision) -> bool:
        """Return whether a node goes: as one that was created, or with the step that has brought it back."""
        restored = {change.id for change in self.history.get(identity, ()) if change.action == RESTORE}
        return decision.act == UndoAct.REMOVE or not restored.isdisjoint(decision.steps)

    def _connecting_authors(self, created: Sequence[UUID]) -> dict[UUID, str]:
        """Return, by node, the name of another author who has connected it."""
        ends = Q(source__in=created) | Q(target__in=created)
        edges = Edge.objects.of(self.scope.reader).live().filter(ends)
        if self.scope.imported_before:
            edges = edges.filter(id__gte=self.scope.imported_before)
        found: dict[UUID, str] = {}
        for source, target, provenance in edges.values_list("source_id", "target_id", "provenance").iterator():
            if provenance and (self.scope.imported_before or not _is_created(self.scope, provenance)):
                names = [provenance.get("by"), *(each.get("by") for each in provenance.get("sources", ()))]
                found |= dict.fromkeys((source, target), next(filter(None, names), ""))
        return found

    def _plan_item(self, kind: str, thing: Node | Edge, decision: UndoDecision) -> PlannedItem:
        return PlannedItem(
            kind=kind,
            item_id=thing.id,
            space_id=thing.space_id,
            act=decision.act,
            steps=decision.steps,
            reason=decision.reason,
            by=decision.by,
            step_count=len(self.history.get(thing.id, ())),
        )
