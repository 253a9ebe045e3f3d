"""What strict input answers to what it refuses."""

from __future__ import annotations

import time
from typing import Annotated, Any, Literal

import pytest
from django.http import QueryDict
from pydantic import ConfigDict

from core.errors import FieldProblem, InvalidError
from core.http.field_types import COMMA_SEPARATED, JsonValue, Text
from core.http.schemas import NOT_GIVEN, QuerySchema, RequestSchema


class Order(QuerySchema):
    """Bread, and what goes with it."""

    bread: Literal["rye", "wheat"]
    note: JsonValue = None
    baker: Text = NOT_GIVEN
    extras: Annotated[list[Literal["butter", "salt"]], COMMA_SEPARATED] = []


def problems(**body: Any) -> tuple[FieldProblem, ...]:
    with pytest.raises(InvalidError) as refused:
        Order.read(body)
    return refused.value.problems


def test_a_refused_choice_names_what_there_is_to_choose() -> None:
    bread, extra = problems(bread="oat", extras=["jam"])

    assert bread == FieldProblem("bread", "invalid_choice", "One of rye, wheat is expected.")
    assert extra == FieldProblem("extras.0", "invalid_choice", "One of butter, salt is expected.")


@pytest.mark.parametrize(("levels", "is_taken"), [(100, True), (101, False), (900, False), (100_000, False)])
def test_a_value_is_nested_a_hundred_levels_deep_at_the_most(levels: int, is_taken: bool) -> None:
    note: list[Any] = []
    for _ in range(levels - 1):
        note = [note]

    if is_taken:
        assert Order.read({"bread": "rye", "note": note}).note == note
    else:
        assert [one.code for one in problems(bread="rye", note=note)] == ["not_storable"]


@pytest.mark.parametrize("baker", ["\u200b", "\u200d \ufeff", "   "])
def test_a_text_that_nobody_could_see_is_blank(baker: str) -> None:
    assert [(one.field, one.code) for one in problems(bread="rye", baker=baker)] == [("baker", "blank")]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (None, "null"),
        ([], "invalid"),
        ({}, "required"),
        ({"bread": None}, "null"),
        ({"bread": "rye", "extras": "butter,jam"}, "invalid_choice"),
        ({"bread": "rye", "butter": 1}, "unknown_field"),
        ({"bread": "rye", "baker": 5}, "invalid"),
        ({"bread": "rye", "baker": "\x00"}, "forbidden_characters"),
        ({"bread": "\ud800"}, "invalid_choice"),
    ],
)
def test_what_is_refused_has_a_code_of_this_api(body: Any, code: str) -> None:
    with pytest.raises(InvalidError) as refused:
        Order.read(body)

    assert [problem.code for problem in refused.value.problems] == [code]


def test_a_query_string_is_read_without_what_says_nothing() -> None:
    order = Order.read_query(QueryDict("bread=rye&extras=butter&extras=salt&baker="))

    assert order.given() == {"bread": "rye", "extras": ["butter", "salt"]}
    with pytest.raises(InvalidError):
        Order.read_query(QueryDict("bread=rye&bread=wheat"))


def test_a_body_that_is_wrong_all_over_gets_a_bounded_answer() -> None:
    assert len(problems(bread="rye", extras=["jam"] * 50_000)) <= 1_000


def test_a_body_that_takes_any_field_keeps_all_of_them() -> None:
    class OpenOrder(RequestSchema):
        model_config = ConfigDict(extra="allow")
        bread: str

    extras = {f"field-{number}": number for number in range(50)}

    assert OpenOrder.read({"bread": "rye", **extras}).model_extra == extras


def test_fields_that_are_not_known_are_refused_without_making_a_refusal_of_each() -> None:
    unknown = {f"field-{number}": number for number in range(190_000)}
    began = time.process_time()

    found = problems(**unknown, bread="rye", note="with seeds")

    # Nothing else of the process runs while pydantic makes its errors: of each field it took most of a second.
    assert time.process_time() - began < 0.2
    assert [problem.field for problem in found] == [f"field-{number}" for number in range(20)]
    assert {problem.code for problem in found} == {"unknown_field"}
    assert [problem.field for problem in problems(**dict.fromkeys("abcdefghijklmnopqrstuvwxyz"))] == [
        *"abcdefghijklmnopqrst"
    ]
