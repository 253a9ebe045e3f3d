"""What is said of a memory goes along: into the copy of a proposal, and into another installation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.apps import apps
from django.db.models import CharField
from django.utils.html import escape

from core.http.json_schema import body_schema
from memory.memories.proposals.schemas import ProposalResponse
from memory.memories.schemas import MemoryDetailResponse, MemoryFields, MemoryInput
from tests.cast import Cast, RestClient
from tests.contracts.resources import RESOURCES, is_free_text, is_there, schemas_of, telling_example, texts_in
from tests.pages import Visitor, text_of
from tests.rules.doors import OBJECTS
from tests.transfer.moving import empty_server, exported, sent, with_records
from transfer.exports.tables import KINDS
from transfer.imports.decoder import UnfitRecordError, decode_value

EXAMPLE = telling_example(MemoryInput)
SHOWN = [name for name, schema in body_schema(MemoryFields)["properties"].items() if [*texts_in(schema)]]

# What a copy does not take over from the memory that was proposed, and why.
NOT_COPIED: dict[str, str] = {}


@pytest.fixture
def proposal(acme: RestClient) -> dict[str, Any]:
    """A proposal of a memory that has a value in every field."""
    made = acme.post("memories?user=anna", EXAMPLE)
    assert made.status_code == 201, made.content
    found = acme.post(f"memories/{made.json()['id']}/propose?user=anna", {})
    assert found.status_code == 201, found.content
    return dict(found.json())


@pytest.mark.parametrize("field", body_schema(MemoryInput)["properties"])
def test_an_accepted_copy_has_every_field(acme: RestClient, proposal: Mapping[str, Any], field: str) -> None:
    accepted = acme.post(f"proposals/{proposal['id']}/accept", {}).json()

    copy = acme.get(f"memories/{accepted['memory_id']}").json()
    assert copy["id"] != proposal["origin_id"]
    assert is_there(copy, field, EXAMPLE[field]) != (field in NOT_COPIED), copy


@pytest.mark.parametrize("field", SHOWN)
def test_who_accepts_has_seen_every_text(cast: Cast, proposal: Mapping[str, Any], field: str) -> None:
    page = text_of(Visitor.of(cast.alice, cast.acme.workspace).get("review"))

    assert is_there(proposal, field, EXAMPLE[field]), f"Put it into {ProposalResponse.__name__}."
    for value in [EXAMPLE[field]] if isinstance(EXAMPLE[field], str) else EXAMPLE[field]:
        assert escape(value) in page


@pytest.mark.parametrize("is_elsewhere", [True, False])
def test_a_memory_with_every_field_is_the_same_after_an_import(
    cast: Cast, acme: RestClient, umbrella: RestClient, *, is_elsewhere: bool
) -> None:
    kept = acme.post("memories", EXAMPLE).json()
    file = exported(acme)
    if is_elsewhere:
        empty_server(cast.acme)

    assert sent(umbrella, file).status_code == 201

    found = umbrella.get(f"memories/{kept['id']}").json()
    assert found.keys() == MemoryDetailResponse.model_fields.keys()
    assert found == kept


# Columns that are not exported, and why.
WITHOUT = {
    "context_receipt.question": "kept on this server alone, for as long as the workspace said",
    "context_receipt.text": "kept on this server alone, for as long as the workspace said",
    "context_receipt.text_sha256": "an imported receipt cannot be reproduced: its things have a history of elsewhere",
    "context_receipt.layout": "an imported receipt cannot be reproduced: its things have a history of elsewhere",
    "node.initials_key": "Made again from the name.",
    "node.words_key": "Made again from the name.",
    "message.tokens": "Counted again when they are looked at.",
    "needs_embedding": "Vectors are made again.",
    "vector": "Vectors are made again.",
    "model": "Vectors are made again.",
    "dimensions": "Vectors are made again.",
    "memory.live_fingerprint": "It is made again with the key of the workspace.",
    "memory.touched_at": "What comes in from elsewhere is not stale at once.",
    "slot_item.value_count": "It is counted again.",
    "space.erasing_since": "An erasure goes on where it began.",
    "space.erasure": "An erasure goes on where it began.",
    "sequence.intent_id": "Intents stay behind; a sequence has the words of its own.",
    "model_provider.encrypted_key": "Secrets do not leave.",
    "model_provider.key_hint": "The key stays behind.",
    "model_provider.updated_at": "It tells when the key was changed.",
}


def test_every_column_is_exported_or_a_reason_says_why_not() -> None:
    without = {f"{kind.name}.{column}" for kind in KINDS for column in kind.without}

    assert {name for name in without if name not in WITHOUT and name.partition(".")[2] not in WITHOUT} == set()
    known = without | {name.partition(".")[2] for name in without}
    assert WITHOUT.keys() - known == set(), "These are exported now; take them off the list."
    assert [name for kind in KINDS for name in kind.without if not hasattr(kind.model, name)] == []


# Resources whose address does not say which table they are in.
TABLES = {
    "connection": "ontology.Connection",
    "iteration": "conversations.Iteration",
    "message": "conversations.Message",
    "plan": "conversations.Plan",
    "slot": "memory.MemorySlot",
    "user memory": "memory.UserMemory",
}


def columns() -> Iterator[Any]:
    """Each text of a resource that a column of its name keeps: the column, and the schema of the field."""
    for name, resource in RESOURCES.items():
        if label := TABLES.get(name) or OBJECTS.get(resource.id):
            there = {one.name: one for one in apps.get_model(label)._meta.concrete_fields}
            for field, given in schemas_of(resource.make).items():
                column, schema = there.get(field), given.get("items", given)
                if column is not None and is_free_text(schema):
                    yield pytest.param(getattr(column, "base_field", column), schema, id=f"{name}.{field}")


@pytest.mark.parametrize(("column", "schema"), [*columns()])
def test_a_column_has_room_for_what_its_door_takes(column: Any, schema: Mapping[str, Any]) -> None:
    if isinstance(column, CharField):
        assert schema["maxLength"] <= (column.max_length or 0)


@pytest.mark.parametrize(("column", "schema"), [*columns()])
def test_an_import_takes_more_than_a_line_where_the_door_does(column: Any, schema: Mapping[str, Any]) -> None:
    is_taken = True
    try:
        decode_value(column, "one\ntwo", where="Line 1: it")
    except UnfitRecordError:
        is_taken = False

    assert is_taken == bool(re.search(schema["pattern"], "one\ntwo")), "`transfer/imports/lengths.py` says which."


def test_a_file_with_a_name_of_two_lines_is_refused(acme: RestClient, umbrella: RestClient) -> None:
    acme.post("ontology/nodes", {"type": "person", "name": "Ada"})
    file = with_records(exported(acme), lambda row: {**row, "name": "Ada\nBob"} if row.get("name") == "Ada" else row)

    answer = sent(umbrella, file)

    assert (answer.status_code, answer.json()["code"]) == (422, "unfit_record"), answer.content
