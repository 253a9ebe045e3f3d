"""What tools answer: every field of REST but for details, each of which has a reason."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any, get_args

import pytest

import mcp_server.tools  # noqa: F401  # fills the registry
from core.http.schemas import DETAIL, ResponseSchema
from mcp_server.registry import TOOLS
from mcp_server.results.result_types import without_details

# The details that tools leave out by what they tell, and why.
REASONS: dict[str, dict[str, str]] = {
    "Who did it is for people; an agent has what was done.": {
        "MemoryResponse": "author pinned_by suppressed_by origin_id origin_space",
        "NodeResponse": "connection provenance",
        "EdgeResponse": "connection provenance",
        "PatternResponse": "annotated_by recommended_by suppressed_by",
    },
    "When it was done is for people who look into its history.": {
        "MemoryResponse": "pinned_at suppressed_at superseded_at last_referenced_at",
        "MessageResponse": "consolidated_at",
        "NodeResponse": "deleted_at last_referenced_at",
        "EdgeResponse": "created_at updated_at deleted_at",
        "MetricResponse": "created_at updated_at",
        "PatternResponse": "created_at promoted_at retired_at suppressed_at",
        "SequenceResponse": "ended_at duration_ms",
    },
    "A recall finds what holds now; until when is for people, who edit it.": {
        "MemoryResponse": "valid_to expires_at",
    },
    "People govern what is recalled, and why.": {
        "MemoryResponse": "manual_weight suppressed_reason superseded_by pending_embedding",
    },
    "It is the state of a program, or of an edge that a tool does not answer once it is gone.": {
        "MessageResponse": "metadata",
        "EdgeResponse": "properties is_deleted",
    },
    "The answer says it in other words: in its text, its counts or its key.": {
        "AnswerResponse": "citations",
        "FinishedResponse": "nodes",
        "NodeHitResponse": "relevance",
        "PatternResponse": "action_type node_type error_code attempts effect",
        "SequenceResponse": "failure_count",
    },
    "What an answer cost, and how it came about, is for those who run the server.": {
        "AnswerResponse": "model usage trace",
        "UpdateResponse": "model usage text_hash",
    },
}
DETAILS = {
    f"{schema}.{field}" for told in REASONS.values() for schema, fields in told.items() for field in fields.split()
}


def schemas_of(annotation: Any) -> Iterator[type[ResponseSchema]]:
    """The schema of an answer and those inside of it."""
    if isinstance(annotation, type) and issubclass(annotation, ResponseSchema):
        yield annotation
        for field in annotation.model_fields.values():
            yield from schemas_of(field.annotation) if DETAIL not in field.metadata else ()
    for inner in get_args(annotation):
        yield from schemas_of(inner)


SCHEMAS = {
    schema.__name__: schema
    for tool in TOOLS.values()
    for schema in schemas_of(inspect.signature(tool.run, eval_str=True).return_annotation)
}


def test_every_detail_has_a_reason() -> None:
    marked = {
        f"{name}.{field}"
        for name, schema in SCHEMAS.items()
        for field, one in schema.model_fields.items()
        if DETAIL in one.metadata
    }

    assert marked - DETAILS == set()
    assert DETAILS - marked == set(), "Tools answer these now; take them off the list."


def test_an_agent_corrects_the_content_which_it_has_to_give() -> None:
    """Another field that it may edit makes the content optional: that is a decision, and no side effect."""
    assert TOOLS["memory.edit"].arguments.json_schema["required"] == ["memory_id", "content"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_tool_answers_everything_else(name: str) -> None:
    kept = {field for field in SCHEMAS[name].model_fields if f"{name}.{field}" not in DETAILS}

    assert set(without_details(SCHEMAS[name]).model_fields) == kept
