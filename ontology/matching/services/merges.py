"""Making one node out of two, and two out of one again."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, Value
from django.db.models.functions import Greatest

from core.clock import utc_now
from core.errors import ConflictError, FieldProblem, InvalidError, NotFoundError
from core.ids import new_id, new_id_following
from ontology.matching.selectors import access_merge, workspace_merges
from ontology.models import Edge, Entity, Merge, Node
from ontology.nodes_and_edges.normalisation import render_properties
from ontology.nodes_and_edges.provenance import merge_provenance, unmerge_provenance
from ontology.nodes_and_edges.services.change_history import record_changes
from ontology.nodes_and_edges.services.node_editor import refuse_governed
from ontology.nodes_and_edges.services.node_writer import change_node
from ontology.nodes_and_edges.services.outbox import SQL, announce_edges, announce_histories, announce_node_edges
from ontology.nodes_and_edges.validation import refuse_unfit_properties
from telemetry.actions.call_targets import note_targets
from workspaces.access.callers import PEOPLE, Caller, Right
from workspaces.access.scope import workspace_scope


class BuiltUponError(ConflictError):
    """A later merge moved what this one had moved; merges are undone from the newest on."""

    code = "merge_built_upon"
    title = "A later merge builds upon this one. Undo that one first."


def merge_nodes(*, caller: Caller, keep_id: UUID, absorb_id: UUID, take: Collection[str] = ()) -> Merge:
    """Let `keep` take over the edges and references of `absorb`, and the properties that it lacks; delete `absorb`.

    Of the properties that both have, `take` names those whose value in `absorb` replaces the one in `keep`; aliases
    are those of both in any case. The other's name becomes an alias. An edge that would lead from the node to itself,
    or be there twice, is deleted.
    Raises MissingScopeError without `write`, NotFoundError, InvalidError, GovernedNodeError, and ContentTooLargeError
    when one node cannot hold the properties of both.
    """
    caller.require(Right.WRITE)
    if keep_id == absorb_id:
        problem = FieldProblem("absorb", "same_node", "A node cannot be merged with itself.")
        raise InvalidError(problems=(problem,))
    with workspace_scope(caller):
        nodes = _lock_nodes(caller, keep_id, absorb_id)
        if len(nodes) < 2 or any(node.is_deleted for node in nodes.values()):
            raise NotFoundError()
        keep, absorb = nodes[keep_id], nodes[absorb_id]
        refuse_governed(keep)
        refuse_governed(absorb)
        _refuse_unknown_properties(take, absorb)
        now = utc_now()
        record = {**_take_properties(caller, keep, absorb, take), **_take_references(caller, keep, absorb)}
        deleted = {"is_deleted": True, "deleted_at": now}
        change_node(caller=caller, node_id=absorb_id, expected={"is_deleted": False}, changes=deleted)
        # With the ends that they have now too: a graph that was away may learn of the merge and its undoing at once,
        # when the absorbed node is there and no longer takes its relationships along.
        announce_node_edges(caller.workspace_id, [absorb_id])
        record.update(_take_edges(caller, keep_id, absorb_id, now))
        moved = Edge.objects.filter(id__in={*record["moved_out"], *record["moved_in"]})
        announce_edges(caller.workspace_id, moved.only("id", "source_id", "target_id").iterator())
        announce_histories(caller.workspace_id, [keep_id])
        record_changes(
            caller=caller, entity=Entity.NODE, ids=[keep_id], action="merge", before={"absorbed": str(absorb_id)}
        )
        record_changes(
            caller=caller, entity=Entity.NODE, ids=[absorb_id], action="absorb", before={"kept": str(keep_id)}
        )
        merge: Merge = Merge.objects.create(
            # What builds upon a merge has a later id; an earlier merge of these nodes has committed by now.
            id=new_id_following(workspace_merges(caller).values_list("id", flat=True).first()),
            workspace_id=caller.workspace_id,
            kept_id=keep_id,
            absorbed_id=absorb_id,
            record=record,
            merged_by=caller.label,
        )
        return merge


def undo_merge(*, caller: Caller, merge_id: UUID) -> Merge:
    """Make everything as it was before a merge, except for what was changed since. Idempotent.

    Raises MissingScopeError without `write`, NotFoundError, BuiltUponError.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        merge = access_merge(caller, merge_id, lock=True)
        if merge.undone_at is not None:
            return merge
        _undo(caller, merge)
        return access_merge(caller, merge_id)


def undo_crossing_merges(caller: Caller, nodes: Q) -> None:
    """Undo every merge that has brought one of the given nodes together with another, and what builds upon those.

    For a caller that is about to remove the nodes: what came from elsewhere stays, and what came with them goes with
    them.
    """
    active = Merge.objects.of(caller).filter(undone_at=None)
    merged = Q(id__in=active.values("kept")) | Q(id__in=active.values("absorbed"))
    affected = set(Node.objects.filter(nodes, merged).values_list("id", flat=True))
    while True:
        found = list(active.filter(Q(kept__in=affected) | Q(absorbed__in=affected)).order_by("-id"))
        touched = {end for merge in found for end in (merge.kept_id, merge.absorbed_id)}
        if touched <= affected:
            break
        affected |= touched
    for merge in found:
        _undo(caller, merge)


def _undo(caller: Caller, merge: Merge) -> None:
    both = [merge.kept_id, merge.absorbed_id]
    nodes = _lock_nodes(caller, *both)
    later = Merge.objects.of(caller).filter(undone_at=None, id__gt=merge.id)
    if later.filter(Q(kept=merge.kept_id) | Q(absorbed=merge.kept_id)).exists():
        raise BuiltUponError()
    _give_edges_back(caller, merge)
    _give_properties_back(caller, nodes[merge.kept_id], merge)
    restored = {"is_deleted": False, "deleted_at": None}
    change_node(caller=caller, node_id=merge.absorbed_id, expected={"is_deleted": True}, changes=restored)
    announce_histories(caller.workspace_id, [merge.kept_id])
    before = {"merge": str(merge.id)}
    record_changes(caller=caller, entity=Entity.NODE, ids=both, action="undo_merge", before=before)
    Merge.objects.filter(id=merge.id).update(undone_at=utc_now(), undone_by=caller.label)


def _lock_nodes(caller: Caller, *ids: UUID) -> dict[UUID, Node]:
    found = Node.objects.of(caller).filter(id__in=ids).order_by("id").select_for_update(no_key=True)
    nodes = {node.id: node for node in found}
    note_targets((node.id, node.type) for node in nodes.values())
    return nodes


def _refuse_unknown_properties(take: Collection[str], absorb: Node) -> None:
    """Raise InvalidError for a property that the absorbed node does not have, or has no more."""
    if unknown := sorted(set(take) - absorb.properties.keys()):
        detail = f"The absorbed node has no such property: {', '.join(unknown)}."
        raise InvalidError(problems=(FieldProblem("take", "unknown_property", detail),))


def _take_properties(caller: Caller, keep: Node, absorb: Node, take: Collection[str]) -> dict[str, Any]:
    added = {name: value for name, value in absorb.properties.items() if name not in keep.properties}
    replaced = {
        name: {"before": keep.properties[name], "after": absorb.properties[name]}
        for name in set(take) & keep.properties.keys() - {"aliases"}
        if keep.properties[name] != absorb.properties[name]
    }
    aliases = _aliases(keep, absorb)
    taken = {name: values["after"] for name, values in replaced.items()}
    properties = {**keep.properties, **taken, **added, **({"aliases": aliases} if aliases else {})}
    record: dict[str, Any] = {
        "added": added,
        "replaced": replaced,
        "aliases_before": keep.properties.get("aliases"),
        "aliases_after": properties.get("aliases"),
    }
    if properties != keep.properties:
        refuse_unfit_properties(properties)
        agent = None if caller.kind in PEOPLE else {"by": caller.label, "by_kind": caller.kind}
        provenance = merge_provenance(keep.provenance, absorb.provenance, token=str(new_id()), agent=agent)
        record["edited"] = [keep.provenance.get("edited"), provenance.get("edited")]
        changes = {"properties": properties, "body": render_properties(properties), "provenance": provenance}
        change_node(caller=caller, node_id=keep.id, expected={"is_deleted": False}, changes=changes)
    return record


def _aliases(keep: Node, absorb: Node) -> list[Any]:
    """Return every name that is not the kept node's own, each once. The value of `aliases` may be anything."""
    known = [node.properties.get("aliases") for node in (keep, absorb)]
    lists = [aliases if isinstance(aliases, list) else [] if aliases is None else [aliases] for aliases in known]
    name = [absorb.name] if absorb.name and absorb.name_key != keep.name_key else []
    found: list[Any] = []
    for alias in [*lists[0], *name, *lists[1]]:
        if alias not in found and alias != keep.name:
            found.append(alias)
    return found


def _take_references(caller: Caller, keep: Node, absorb: Node) -> dict[str, Any]:
    is_counted = caller.is_trusted or keep.author_id == absorb.author_id
    independent = absorb.independent_references if is_counted else 0
    if absorb.reference_count:
        Node.objects.filter(id=keep.id).update(
            reference_count=F("reference_count") + absorb.reference_count,
            independent_references=F("independent_references") + independent,
            # Greatest passes over nulls in PostgreSQL.
            last_referenced_at=Greatest(F("last_referenced_at"), Value(absorb.last_referenced_at)),
        )
    return {"references": absorb.reference_count, "independent_references": independent}


def _take_edges(caller: Caller, keep_id: UUID, absorb_id: UUID, now: datetime) -> dict[str, Any]:
    given = {"workspace_id": caller.workspace_id, "keep": keep_id, "absorb": absorb_id, "now": now}
    record: dict[str, Any] = {
        "dropped": _update_edges("drop_edges", given),
        "moved_out": _update_edges("move_sources", given),
        "moved_in": _update_edges("move_targets", given),
    }
    if caller.kind not in PEOPLE:  # a person who merges vouches for no edge of an agent
        record["edge_mark"] = _mark_moved(caller, [*record["moved_out"], *record["moved_in"]])
    return record


def _mark_moved(caller: Caller, ids: Sequence[str]) -> str:
    """Say of edges that an agent has them lead somewhere else now; return the mark, by which it is taken back."""
    mark = str(new_id())
    edited = {"by": caller.label, "by_kind": caller.kind, "merge": mark}
    values: dict[str, Any] = {
        "workspace_id": caller.workspace_id,
        "ids": list(ids),
        "edited": json.dumps(edited),
        "people": list(PEOPLE),
    }
    with connection.cursor() as cursor:
        cursor.execute(SQL["mark_moved_edges"], values)
    return mark


def _update_edges(statement: str, given: dict[str, Any]) -> list[str]:
    """Run a statement that changes edges; return their ids."""
    with connection.cursor() as cursor:
        cursor.execute(SQL[statement], given)
        return sorted(str(identity) for (identity,) in cursor.fetchall())


def _give_edges_back(caller: Caller, merge: Merge) -> None:
    mine = Edge.objects.of(caller)
    moved = mine.filter(id__in={*merge.record["moved_out"], *merge.record["moved_in"]})
    # With the ends that they have now, which the graph has to forget; those that they get are entered with the node.
    announce_edges(caller.workspace_id, moved.only("id", "source_id", "target_id").iterator())
    changes: dict[str, Any] = {"version": F("version") + 1, "updated_at": utc_now()}
    out = mine.filter(id__in=merge.record["moved_out"], source=merge.kept_id)
    out.update(source=merge.absorbed_id, **changes)
    into = mine.filter(id__in=merge.record["moved_in"], target=merge.kept_id)
    into.update(target=merge.absorbed_id, **changes)
    if mark := merge.record.get("edge_mark"):
        moved_ids = [*merge.record["moved_out"], *merge.record["moved_in"]]
        with connection.cursor() as cursor:
            values: dict[str, Any] = {"workspace_id": caller.workspace_id, "ids": moved_ids, "merge": mark}
            cursor.execute(SQL["unmark_moved_edges"], values)
    dropped = mine.filter(id__in=merge.record["dropped"], is_deleted=True)
    # Unless one that was moved has become the same since.
    same = mine.filter(source=OuterRef("source"), target=OuterRef("target"), type=OuterRef("type"), is_deleted=False)
    same = same.filter(space_id=OuterRef("space_id"))
    dropped.exclude(Exists(same)).update(is_deleted=False, deleted_at=None, **changes)


def _give_properties_back(caller: Caller, kept: Node, merge: Merge) -> None:
    """Take away what the merge added, and put back what it replaced, where it still is what the merge made it."""
    record = merge.record
    replaced = record.get("replaced", {})  # absent from a merge that an older version recorded
    properties = {
        name: replaced[name]["before"] if name in replaced and replaced[name]["after"] == value else value
        for name, value in kept.properties.items()
        if not (name in record["added"] and record["added"][name] == value)
    }
    if kept.properties.get("aliases") == record["aliases_after"]:
        properties.pop("aliases", None)
        if record["aliases_before"] is not None:
            properties["aliases"] = record["aliases_before"]
    if properties != kept.properties:
        changes = {"properties": properties, "body": render_properties(properties)}
        if "edited" in record:  # absent from a merge that an older version recorded
            changes["provenance"] = unmerge_provenance(kept.provenance, *record["edited"])
        change_node(caller=caller, node_id=kept.id, expected={}, changes=changes)
    Node.objects.filter(id=kept.id).update(
        reference_count=Greatest(F("reference_count") - record["references"], Value(0)),
        # A merge that an older version recorded has only the sum, which is what the counter was filled from.
        independent_references=Greatest(
            F("independent_references") - record.get("independent_references", record["references"]), Value(0)
        ),
    )
