"""A compiled query returns what Django's own returns, for whatever values it is given."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import F, QuerySet

from core.clock import utc_now
from core.db.compiled_query import compile_query
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import preview_context
from ontology.models import Node
from tests.cast import Cast, RestClient
from workspaces.access.callers import Caller
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import workspace_scope

COLUMNS = ("id", "name", "provenance", "created_at", "memory__source")


def _some(caller: Caller, given: Any) -> QuerySet[Any, Any]:
    nodes = Node.objects.with_removed(caller).recallable(given.at).filter(id__in=given.ids)
    return nodes.exclude(name=given.name).exclude(body__contains="100%").order_by("id").values_list(*COLUMNS)


def _newest(caller: Caller, given: Any) -> QuerySet[Any, Any]:
    return Node.objects.with_removed(caller).order_by("-id").values_list("id")[: given.number]


SOME, NEWEST = CallerQuery(_some), CallerQuery(_newest)


def test_rows_are_those_of_django(cast: Cast, acme: RestClient) -> None:
    caller = cast.acme.caller
    for plant in ("fern", "cactus", "100% real ivy"):
        acme.remembered(f"Alice waters the {plant}.")
    for name in ("Fern", "Cactus"):
        assert acme.post("ontology/nodes", {"type": "plant", "name": name}).status_code == 201
    with workspace_scope(caller):
        ids = list(Node.objects.of(caller).values_list("id", flat=True))
        for chosen in ([], ids[:1], ids, [uuid4()]):
            for at in (utc_now(), utc_now() - timedelta(days=1)):
                given: Any = {"at": at, "ids": chosen, "name": "Fern"}
                expected = Node.objects.of(caller).recallable(at).filter(id__in=chosen).exclude(name="Fern")
                rows = expected.exclude(body__contains="100%").order_by("id").values_list(*COLUMNS)
                assert SOME.rows(caller, **given) == list(rows)
    assert len(ids) >= 5


def test_number_is_part_of_the_query(cast: Cast, acme: RestClient) -> None:
    for plant in ("fern", "cactus", "ivy"):
        acme.remembered(f"Alice waters the {plant}.")
    with workspace_scope(cast.acme.caller):
        assert [len(NEWEST.rows(cast.acme.caller, number=number)) for number in (1, 2, 1)] == [1, 2, 1]


def test_charlie_sees_none_of_it(cast: Cast, acme: RestClient) -> None:
    acme.remembered("Alice waters the fern.")
    with workspace_scope(cast.acme.caller):
        ids = list(Node.objects.of(cast.acme.caller).values_list("id", flat=True))
    with workspace_scope(cast.umbrella.caller):
        assert SOME.rows(cast.umbrella.caller, at=utc_now(), ids=ids, name="Fern") == []
        assert SOME.rows(cast.acme.caller, at=utc_now(), ids=ids, name="Fern") == []


def test_spaces_are_those_of_the_caller(cast: Cast, acme: RestClient) -> None:
    caller = cast.acme.caller
    acme.remembered("Alice waters the fern.")
    other = caller.within(uuid4())
    with workspace_scope(other):
        assert NEWEST.rows(other, number=5) == []
    both = caller.reading((*other.reach.read, *caller.reach.read))
    with workspace_scope(both):
        assert len(NEWEST.rows(both, number=5)) == 1


def test_value_that_django_changes_is_refused(cast: Cast) -> None:
    named = CallerQuery(
        lambda caller, given: Node.objects.with_removed(caller).filter(name__contains=given.name).values_list("id")
    )
    with pytest.raises(ValueError, match="no such values: name"):
        named.rows(cast.acme.caller, name="Fern")


@pytest.mark.django_db
def test_constants_stay() -> None:
    compiled = compile_query(Node.objects.filter(type="fact", name=F("body")).values_list("id"), {})
    assert list(compiled.constants.values()) == ["fact"]
    assert compiled.rows({}) == []


def test_a_caller_that_reads_no_space_gets_nothing(cast: Cast, acme: RestClient) -> None:
    acme.remembered("Alice waters the fern.")
    blind = cast.acme.caller.reading([])

    with workspace_scope(blind):
        assert NEWEST.rows(blind, number=5) == []
    assert preview_context(caller=blind, wanted=ContextRequest("Who waters the fern?")).left_out == []
