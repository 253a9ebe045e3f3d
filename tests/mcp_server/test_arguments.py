"""What tools take: the fields of a body in the place of the body, read as REST reads them."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID, uuid4

import pytest

from core.errors import InvalidError, UnknownFieldError
from core.http.field_types import Flag, Id, Moment, TextRules, WholeRange
from core.http.schemas import NOT_GIVEN, EditSchema, RequestSchema
from mcp_server.arguments import ToolArguments, omit, pick

Line = Annotated[str, TextRules(max_length=5, is_line=True)]


class CupFields(RequestSchema):
    label: Line
    size: Annotated[int, WholeRange(1, 9)] = 3
    is_full: Flag = False
    until: Moment | None = None
    note: Annotated[str, TextRules(allow_blank=True)] = NOT_GIVEN
    owner: Line = NOT_GIVEN


class CupEdit(EditSchema, CupFields):
    label: Line = ""


def pour(caller: object, *, cup_id: Id, body: Annotated[CupFields, omit("until")], tags: list[Line] = []) -> None:  # noqa: B006
    """Fill a cup."""


def relabel(caller: object, *, body: Annotated[CupEdit, pick("label")]) -> None:
    """Correct a label."""


def age(caller: object, *, body: Annotated[CupEdit, pick("until", "note")]) -> None:
    """Change what may be taken away."""


CUP = str(uuid4())


def test_the_fields_of_a_body_stand_beside_the_parameters() -> None:
    arguments = ToolArguments(pour)

    assert [*arguments.fields] == ["cup_id", "label", "tags", "size", "is_full", "note", "owner"]
    assert arguments.json_schema["required"] == ["cup_id", "label"]
    assert arguments.json_schema["properties"]["size"]["default"] == 3
    assert "default" not in arguments.json_schema["properties"]["note"]


def test_a_body_is_read_as_a_whole() -> None:
    found = ToolArguments(pour).read({"cup_id": CUP, "label": " tea ", "tags": ["hot"]})

    assert found == {"cup_id": UUID(CUP), "tags": ["hot"], "body": CupFields(label="tea")}
    assert found["body"].given() == {"label": "tea"}


@pytest.mark.parametrize(
    ("given", "given_to_the_body"),
    [
        ({"size": "4"}, {"size": 4}),
        ({"is_full": "true"}, {"is_full": True}),
        ({"label": "12"}, {"label": "12"}),
        ({"size": None}, {}),
        ({"owner": None}, {}),
        ({"owner": ""}, {}),
        ({"note": ""}, {"note": ""}),
    ],
)
def test_what_models_say_loosely_is_read_as_it_is_meant(given: Any, given_to_the_body: Any) -> None:
    found = ToolArguments(pour).read({"cup_id": CUP, "label": "tea", "tags": '["hot"]', **given})

    assert found["tags"] == ["hot"]
    assert found["body"].given() == {"label": "tea", **given_to_the_body}


def test_every_argument_at_fault_is_named() -> None:
    with pytest.raises(InvalidError) as refused:
        ToolArguments(pour).read({"label": "", "size": "ten", "tags": ["hot", ""]})

    told = {problem.field: problem.detail for problem in refused.value.problems}
    assert told == {
        "cup_id": "This field is required.",
        "label": "This field may not be blank.",
        "size": "A whole number is required, without quotes.",
        "tags.1": "This field may not be blank.",
    }


def test_a_field_that_is_left_out_is_not_known() -> None:
    with pytest.raises(UnknownFieldError) as refused:
        ToolArguments(pour).read({"until": None})

    assert refused.value.problems[0].detail == (
        "This tool knows no such argument. Known: cup_id, label, tags, size, is_full, note, owner."
    )


def test_an_edit_of_one_field_needs_that_field() -> None:
    schema = ToolArguments(relabel).json_schema

    assert schema["required"] == ["label"]
    assert "default" not in schema["properties"]["label"]


def test_an_edit_may_take_a_value_away() -> None:
    assert ToolArguments(age).read({"until": None})["body"].given() == {"until": None}
    with pytest.raises(InvalidError, match="at least one"):
        ToolArguments(age).read({})


def test_a_selection_names_fields_that_are_there() -> None:
    with pytest.raises(TypeError, match="CupFields does not have lid"):
        omit("lid").of(CupFields)
