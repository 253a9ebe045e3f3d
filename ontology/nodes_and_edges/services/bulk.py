"""Many nodes or edges in one request: each line is kept or refused for itself, the kept ones in a few statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from core.bulk import LineResult
from core.errors import NotFoundError, ProductError
from ontology.models import Node
from ontology.nodes_and_edges.services.edges import (
    NewEdge,
    create_edges,
    find_governed_edges,
    live_connections,
    live_ends,
)
from ontology.nodes_and_edges.services.node_editor import NodeDraft
from ontology.nodes_and_edges.services.node_writer import create_nodes
from ontology.nodes_and_edges.validation import refuse_unfit_properties
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

Draft = TypeVar("Draft")
Checked = TypeVar("Checked")


def add_nodes(*, caller: Caller, drafts: Sequence[NodeDraft]) -> list[LineResult]:
    """Create nodes, in order; a draft that `NodeDraft.validate` refuses does not affect the others.

    Raises MissingScopeError without `write`.
    """
    caller.require(Right.WRITE)
    results, fit = _sort_drafts(drafts, NodeDraft.validate)
    with workspace_scope(caller):
        known = live_connections(caller, [new.connection_id for new in fit.values() if new.connection_id])
        fit = _keep_resolvable(results, fit, lambda new: {new.connection_id} - {None} <= known)
        nodes: list[Node] = create_nodes(caller=caller, new=list(fit.values())) if fit else []
    for line, node in zip(fit, nodes, strict=True):
        results[line] = LineResult(node.id, is_new=True)
    return [results[line] for line in range(len(drafts))]


def add_edges(*, caller: Caller, drafts: Sequence[NewEdge]) -> list[LineResult]:
    """Connect nodes, in order; a line whose ends or connection are unknown is refused alone.

    So is one whose edge is there in a space that the caller does not read.

    Raises MissingScopeError without `write`, and without `facts` where one of them is of `find_governed_edges`.
    """
    caller.require(Right.WRITE)
    results, fit = _sort_drafts(drafts, _validate_edge)
    with workspace_scope(caller):
        known = live_connections(caller, [new.connection_id for new in fit.values() if new.connection_id])
        known |= live_ends(caller, {end for new in fit.values() for end in (new.source_id, new.target_id)})
        fit = _keep_resolvable(
            results, fit, lambda new: {new.source_id, new.target_id, new.connection_id} - {None} <= known
        )
        if find_governed_edges(caller, list(fit.values())):
            caller.require(Right.FACTS)
        made = create_edges(caller=caller, new=list(fit.values())) if fit else []
    for line, edge in zip(fit, made, strict=True):
        results[line] = LineResult(edge.id, is_new=edge.is_new)
    return [results[line] for line in range(len(drafts))]


def _validate_edge(new: NewEdge) -> NewEdge:
    refuse_unfit_properties(new.properties)
    return new


def _sort_drafts(
    drafts: Sequence[Draft], check: Callable[[Draft], Checked]
) -> tuple[dict[int, LineResult], dict[int, Checked]]:
    """Refusals and fit drafts, each by its line."""
    refused: dict[int, LineResult] = {}
    fit: dict[int, Checked] = {}
    for line, draft in enumerate(drafts):
        try:
            fit[line] = check(draft)
        except ProductError as error:
            refused[line] = LineResult(error=error)
    return refused, fit


def _keep_resolvable(
    results: dict[int, LineResult], fit: Mapping[int, Checked], is_known: Callable[[Checked], bool]
) -> dict[int, Checked]:
    """Return the lines whose references exist; the others are noted as not found."""
    results.update({line: LineResult(error=NotFoundError()) for line, new in fit.items() if not is_known(new)})
    return {line: new for line, new in fit.items() if line not in results}
