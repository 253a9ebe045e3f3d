"""Import of other products' graphs: nodes by their keys there, and edges between them; idempotent for each item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.db.models.functions import Coalesce

from core.bulk import LineResult
from core.errors import ConflictError, NotFoundError, ProductError
from core.ids import id_from_name
from memory.memories.services.memory_writer import ForgottenBeforeError
from ontology.models import Edge, Node
from ontology.nodes_and_edges.provenance import describe_import
from ontology.nodes_and_edges.services.bulk import add_edges
from ontology.nodes_and_edges.services.edges import NewEdge, Triple
from ontology.nodes_and_edges.services.node_editor import NodeDraft
from ontology.nodes_and_edges.services.node_writer import NewNode, create_nodes
from transfer.models import Import, ImportStatus
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace

# What is older than a whole workspace that was brought in counts as part of it, when that is undone.
A_MOMENT_LATER = timedelta(milliseconds=1)
DELETED = "It was deleted here before. Restore it, if it is to be there again."
NO_END = "No node came in, and none is there, with the key that it names as source or target."


class ChangedHereError(ConflictError):
    """The node is there already and says something else; which of the two is right, only a person knows."""

    code = "differs_here"
    title = "The node is there and says something else: it was changed, here or in the other product. It stays."


@dataclass(frozen=True, slots=True)
class ImportedNode:
    """A thing of another product. `key` is its name there; in one space it tells it from all others."""

    key: str
    draft: NodeDraft


@dataclass(frozen=True, slots=True)
class ImportedEdge:
    """A relation of another product, between things with these keys."""

    type: str
    source: str
    target: str
    properties: Mapping[str, Any] = field(default_factory=dict)


def import_nodes(*, caller: Caller, items: Sequence[ImportedNode]) -> list[LineResult]:
    """Create the nodes that are not there yet, in the open scope, and return what became of each.

    Raises ConflictError when the same is being imported right now.
    """
    born = _time_of_ids(caller)
    ids = [_node_id(caller, item.key, born) for item in items]
    there = {node.id: node for node in Node.objects.in_written_space(caller).filter(id__in=ids).defer("words")}
    fresh: dict[UUID, NewNode] = {}
    results: list[LineResult] = []
    for identity, item in zip(ids, items, strict=True):
        try:
            new = replace(item.draft, provenance=_provenance(caller)).validate()
            is_new = identity not in there and identity not in fresh
            if is_new:
                fresh[identity] = replace(new, id=identity)
            elif identity in there:
                _refuse_other(there[identity], new)
            results.append(LineResult(identity, is_new=is_new))
        except ProductError as error:
            results.append(LineResult(error=error))
    try:
        with transaction.atomic():
            create_nodes(caller=caller, new=list(fresh.values()))
    except IntegrityError as error:
        raise ConflictError("The same graph is being imported right now. Try again.") from error
    return results


def import_edges(*, caller: Caller, items: Sequence[ImportedEdge]) -> list[LineResult]:
    """Connect nodes by their keys, in the open scope; an edge that was deleted here does not come back."""
    born = _time_of_ids(caller)
    drafts = [
        NewEdge(
            type=item.type,
            source_id=_node_id(caller, item.source, born),
            target_id=_node_id(caller, item.target, born),
            properties=dict(item.properties),
            provenance=_provenance(caller),
        )
        for item in items
    ]
    deleted = _deleted_triples(caller, drafts)
    made = iter(add_edges(caller=caller, drafts=[draft for draft in drafts if draft.triple not in deleted]))
    return [
        LineResult(error=ForgottenBeforeError(DELETED)) if draft.triple in deleted else _explain(next(made))
        for draft in drafts
    ]


def _time_of_ids(caller: Caller) -> datetime:
    """Return the moment that ids of imported nodes say: the same one for each import of a key, so that the node is
    found again; the workspace's own beginning, or that of what it was filled with."""
    everywhere = maintenance_caller(caller.workspace_id, "import")
    with workspace_scope(everywhere):
        done = Import.objects.of(everywhere).filter(status=ImportStatus.DONE)
        filled = done.aggregate(last=Max(Coalesce("started_at", "created_at")))["last"]
    begun: datetime = filled or Workspace.objects.get(id=caller.workspace_id).created_at
    return begun + A_MOMENT_LATER


def _node_id(caller: Caller, key: str, born: datetime) -> UUID:
    """Return the id of the node with this key in the written space."""
    parts = (caller.workspace_id.bytes, caller.reach.written.bytes, b"node\x1f", key.encode())
    return id_from_name(born, b"".join(parts))


def _provenance(caller: Caller) -> dict[str, Any]:
    return describe_import(label=caller.label)


def _refuse_other(there: Node, new: NewNode) -> None:
    """Raise ForgottenBeforeError for a node that was deleted, ChangedHereError for one that says something else."""
    if there.is_deleted:
        raise ForgottenBeforeError(DELETED)
    if (there.type, there.name, there.properties) != (new.type, new.name, new.properties):
        raise ChangedHereError()


def _deleted_triples(caller: Caller, drafts: Sequence[NewEdge]) -> set[Triple]:
    """Return those between which there is no edge any more: it was deleted, and none was made since."""
    sources, targets = {one.source_id for one in drafts}, {one.target_id for one in drafts}
    between = Edge.objects.in_written_space(caller).filter(source_id__in=sources, target_id__in=targets)
    gone: set[Triple] = set()
    live: set[Triple] = set()
    for source, target, name, is_deleted in between.values_list("source_id", "target_id", "type", "is_deleted"):
        (gone if is_deleted else live).add((source, target, name))
    return gone - live


def _explain(result: LineResult) -> LineResult:
    return LineResult(error=NotFoundError(NO_END)) if isinstance(result.error, NotFoundError) else result
