"""Columns of memories as they were at a moment, for queries: what the first later step replaced, else what is there."""

from __future__ import annotations

from datetime import datetime

from django.contrib.postgres.search import SearchVectorField
from django.db.models import Case, F, Func, OuterRef, Q, QuerySet, Subquery, TextField, Value, When
from django.db.models.fields.json import KT
from django.db.models.functions import Coalesce

from memory.models import MemoryRevision
from ontology.nodes_and_edges.querysets import NodeQuerySet
from ontology.search.services.hybrid_ranking import PAST_WORDS

YES, NO = "true", "false"  # as PostgreSQL writes what JSON has as a Boolean


def earlier_value(name: str, until: datetime) -> Subquery:
    """Return as text what the first step after `until` replaced under a name; NULL where none did.

    For querysets of memories, or of nodes, which have the same ids.
    """
    return Subquery(_later(name, until).values(value=KT(f"before__{name}"))[:1], output_field=TextField())


def earlier_json(name: str, until: datetime) -> Subquery:
    """Return the same as JSON."""
    return Subquery(_later(name, until).values(f"before__{name}")[:1])


def past_text(name: str, until: datetime, *, current: str) -> Coalesce:
    """Return a text as it was at a moment; `current` is the column that has it now."""
    return Coalesce(earlier_value(name, until), F(current), output_field=TextField())


def past_flag(name: str, until: datetime, *, is_set: Q) -> Coalesce:
    """Return `YES` or `NO` as it was at a moment; `is_set` is the condition under which it is now."""
    now = Case(When(is_set, then=Value(YES)), default=Value(NO), output_field=TextField())
    return Coalesce(earlier_value(name, until), now, output_field=TextField())


def with_past_words(nodes: NodeQuerySet, until: datetime) -> NodeQuerySet:
    """Return the nodes with the words that they had at a moment, by which `hybrid_ranking` then finds them."""
    words = Func(
        F("past_content"),
        function="app.search_words",
        template="%(function)s(ARRAY[%(expressions)s])",
        output_field=SearchVectorField(),
    )
    with_content: NodeQuerySet = nodes.alias(past_content=earlier_value("content", until))
    found: NodeQuerySet = with_content.annotate(
        **{PAST_WORDS: Case(When(past_content=None, then=F("words")), default=words)}
    )
    return found


def without_hidden(nodes: NodeQuerySet, until: datetime) -> NodeQuerySet:
    """Return the nodes without memories that were suppressed or forgotten at that moment, though they are not now."""
    hidden = {f"was_{name}": earlier_value(name, until) for name in ("suppressed", "is_deleted")}
    found: NodeQuerySet = nodes.alias(**hidden)
    for name in hidden:
        found = found.filter(Q(**{name: None}) | Q(**{name: NO}))
    return found


def _later(name: str, until: datetime) -> QuerySet[MemoryRevision]:
    same = MemoryRevision.objects.filter(workspace_id=OuterRef("workspace_id"), memory_id=OuterRef("pk"))
    return same.filter(created_at__gt=until, before__has_key=name).order_by("id")
