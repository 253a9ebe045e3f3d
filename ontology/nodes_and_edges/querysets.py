"""Querysets of nodes and edges: what readers see, and what may be recalled."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Self

from django.db.models import Q

from ontology.nodes_and_edges.pending_removals import connections_in_removal
from workspaces.access.callers import Caller
from workspaces.access.tenancy import SpacedQuerySet

if TYPE_CHECKING:  # the models are made with these
    from ontology.models import Edge, Node  # noqa: F401

EMPTY = Q()


class NodeQuerySet(SpacedQuerySet["Node"]):
    def of(self, caller: Caller) -> Self:
        """Return the nodes that the caller reads, without those of a connection that was deleted."""
        rows = super().of(caller)
        removed = connections_in_removal(caller)
        return rows.exclude(connection__in=removed) if removed else rows

    def with_removed(self, caller: Caller) -> Self:
        """Return the nodes that the caller reads, also those that are about to be deleted with their connection."""
        return super().of(caller)

    def live(self) -> NodeQuerySet:
        return self.filter(is_deleted=False)

    def recallable(self, at: datetime, *, or_valid: Q = EMPTY) -> NodeQuerySet:
        """Return what a search, a context or an answer may show at that moment: live, not suppressed, valid (or
        `or_valid`, past its end), not expired."""
        return self.live().valid(at, or_valid=or_valid).filter(suppressed_at=None)

    def valid(self, at: datetime, *, or_valid: Q = EMPTY) -> NodeQuerySet:
        """Return what holds at that moment and is not expired, deleted or suppressed ones included; or `or_valid`, past
        its end."""
        return self.filter(
            Q(valid_from=None) | Q(valid_from__lte=at),
            Q(valid_to=None) | Q(valid_to__gt=at) | or_valid,
            Q(expires_at=None) | Q(expires_at__gt=at),
        )

    def hidden(self, at: datetime) -> NodeQuerySet:
        """Return what is live and not recallable at that moment."""
        return self.live().filter(
            Q(suppressed_at__isnull=False) | Q(valid_from__gt=at) | Q(valid_to__lte=at) | Q(expires_at__lte=at)
        )


class EdgeQuerySet(SpacedQuerySet["Edge"]):
    def of(self, caller: Caller) -> Self:
        """Return the edges that the caller reads, without those that go with a connection that was deleted."""
        rows = super().of(caller)
        if removed := connections_in_removal(caller):
            for owner in ("connection", "source__connection", "target__connection"):
                rows = rows.filter(Q(**{owner: None}) | ~Q(**{f"{owner}__in": removed}))
        return rows

    def with_removed(self, caller: Caller) -> Self:
        """Return the edges that the caller reads, also those that are about to be deleted with their connection."""
        return super().of(caller)

    def live(self) -> EdgeQuerySet:
        return self.filter(is_deleted=False)

    def visible(self) -> EdgeQuerySet:
        """Live, between live nodes: an edge is hidden with either of its ends, and comes back with it."""
        return self.live().filter(source__is_deleted=False, target__is_deleted=False)
