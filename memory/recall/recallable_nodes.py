"""Nodes that a context may show: by statements that are the same at each call for now, and built for another moment."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db.models import Q, QuerySet

from core.clock import utc_now
from memory.memories.selectors import Moments, replacement_condition
from ontology.models import Node
from ontology.nodes_and_edges.pending_removals import connections_in_removal
from ontology.nodes_and_edges.querysets import NodeQuerySet
from ontology.search.services.hybrid_ranking import AllowedRows
from workspaces.access.callers import Caller
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.tenancy import TenantQuerySet

# What is wanted of recallable nodes, as a `values_list`; with the values that differ from call to call.
Narrow = Callable[[Moments, NodeQuerySet, Any], QuerySet[Any, Any]]
NOW = Moments()


class RecallableNodes:
    """A query of the nodes that can be recalled at some moments, of which `narrow` says what is wanted.

    Where `or_valid` is given, it is the condition for the nodes of replaced memories, which are then among them.
    """

    def __init__(self, narrow: Narrow) -> None:
        self._narrow = narrow
        self._valid, self._or_replaced = CallerQuery(self._build_valid), CallerQuery(self._build_or_replaced)

    def rows(self, caller: Caller, moments: Moments, *, or_valid: Q | None = None, **values: Any) -> list[Any]:
        """Return the rows, for an open scope."""
        if _is_usual(caller, moments):
            return self._query(or_valid).rows(caller, at=utc_now(), **values)
        nodes = moments.recallable(Node.objects.of(caller), or_valid=or_valid)
        return list(self._narrow(moments, nodes, SimpleNamespace(**values)))

    def search_rows(self, caller: Caller, moments: Moments, *, or_valid: Q | None) -> AllowedRows | TenantQuerySet[Any]:
        """Return the nodes that a search may find, for an open scope."""
        if _is_usual(caller, moments):
            with suppress(EmptyResultSet):  # of a caller that reads no space
                compiled, values = self._query(or_valid).bind(caller, at=utc_now())
                return AllowedRows(compiled.text, compiled.parameters(values))
        return moments.recallable(Node.objects.of(caller), or_valid=or_valid)

    def _query(self, or_valid: Q | None) -> CallerQuery:
        return self._valid if or_valid is None else self._or_replaced

    def _build_valid(self, caller: Caller, given: Any) -> QuerySet[Any, Any]:
        return self._narrow(NOW, Node.objects.with_removed(caller).recallable(given.at), given)

    def _build_or_replaced(self, caller: Caller, given: Any) -> QuerySet[Any, Any]:
        nodes = Node.objects.with_removed(caller).recallable(given.at, or_valid=replacement_condition(caller))
        return self._narrow(NOW, nodes, given)


def _is_usual(caller: Caller, moments: Moments) -> bool:
    """Return whether it is about now, and no connection is in removal, whose nodes would have to be left out."""
    return not moments.are_set and not connections_in_removal(caller)
