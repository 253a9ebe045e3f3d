"""Import of other products' graphs: nodes by their keys there, and edges between them; idempotent for each item."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from core.bulk import LineResult
from core.db.locks import wait_for_lock
from core.errors import ConflictError, NotFoundError, ProductError
from memory.memories.services.memory_writer import ForgottenBeforeError
from ontology.models import Edge, Node
from ontology.nodes_and_edges.provenance import describe_import
from ontology.nodes_and_edges.services.bulk import add_edges
from ontology.nodes_and_edges.services.edges import NewEdge, Triple
from ontology.nodes_and_edges.services.node_editor import NodeDraft
from ontology.nodes_and_edges.services.node_writer import NewNode, create_nodes
from ontology.nodes_and_edges.validation import refuse_unfit_properties
from workspaces.access.callers import Caller

GRAPH_LOCK = "import graph"
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

    Raises QuotaExceededError.
    """
    wait_for_lock(GRAPH_LOCK, caller.workspace_id, caller.reach.written)  # or two imports would create a node each
    there = _known_nodes(caller, {item.key for item in items})
    fresh: dict[str, NewNode] = {}
    refused: dict[int, ProductError] = {}
    for place, item in enumerate(items):
        try:
            new = replace(item.draft, provenance=_provenance(caller, key=item.key)).validate()
            if known := there.get(item.key):
                _refuse_deleted(known)
                _refuse_other(known, new)
            else:
                _refuse_other(fresh.setdefault(item.key, new), new)
        except ProductError as error:
            refused[place] = error
    made = create_nodes(caller=caller, new=list(fresh.values())) if fresh else []
    ids = {key: node.id for key, node in there.items()} | dict(zip(fresh, (node.id for node in made), strict=True))
    results: list[LineResult] = []
    for place, item in enumerate(items):
        if place in refused:
            results.append(LineResult(error=refused[place]))
        else:
            results.append(LineResult(ids[item.key], is_new=fresh.pop(item.key, None) is not None))
    return results


def import_edges(*, caller: Caller, items: Sequence[ImportedEdge]) -> list[LineResult]:
    """Connect nodes by their keys, in the open scope; an edge that was deleted here does not come back."""
    known = _known_nodes(caller, {key for item in items for key in (item.source, item.target)})
    drafts = {
        place: NewEdge(
            type=item.type,
            source_id=known[item.source].id,
            target_id=known[item.target].id,
            properties=dict(item.properties),
            provenance=_provenance(caller),
        )
        for place, item in enumerate(items)
        if item.source in known and item.target in known
    }
    results = {place: LineResult(error=_why_absent(item)) for place, item in enumerate(items) if place not in drafts}
    deleted = _deleted_triples(caller, list(drafts.values()))
    fit = {place: draft for place, draft in drafts.items() if draft.triple not in deleted}
    made = dict(zip(fit, add_edges(caller=caller, drafts=list(fit.values())), strict=True))
    results |= {place: LineResult(error=ForgottenBeforeError(DELETED)) for place in drafts.keys() - fit.keys()}
    results |= {place: _explain(result) for place, result in made.items()}
    return [results[place] for place in range(len(items))]


def _known_nodes(caller: Caller, keys: Collection[str]) -> dict[str, Node]:
    """Return the nodes of the written space that came in with these keys; a live one before one that was deleted."""
    came = Node.objects.in_written_space(caller).filter(provenance__import_key__in=list(keys))
    found = came.defer("words").order_by("-is_deleted", "id")
    return {str(node.provenance["import_key"]): node for node in found}


def _provenance(caller: Caller, *, key: str = "") -> dict[str, Any]:
    return describe_import(label=caller.label, key=key)


def _refuse_deleted(there: Node) -> None:
    """Raise ForgottenBeforeError for a node that was deleted."""
    if there.is_deleted:
        raise ForgottenBeforeError(DELETED)


def _refuse_other(there: Node | NewNode, new: NewNode) -> None:
    """Raise ChangedHereError for a node that says something else."""
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


def _why_absent(item: ImportedEdge) -> ProductError:
    """Return what is wrong with an edge without its nodes: its own fault before that."""
    try:
        refuse_unfit_properties(item.properties)
    except ProductError as error:
        return error
    return NotFoundError(NO_END)


def _explain(result: LineResult) -> LineResult:
    return LineResult(error=NotFoundError(NO_END)) if isinstance(result.error, NotFoundError) else result
