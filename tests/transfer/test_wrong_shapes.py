"""Exports with anything in the place of anything: a reason for each item, one error for a whole file, never a 500."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection
from django.db.models import IntegerField
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cast import RestClient
from tests.client import exports
from tests.client.test_importing import json_values
from transfer.exports.tables import KINDS
from transfer.imports.decoder import UnfitRecordError, decode_value
from workspace_memory.importing import chatgpt, claude, claude_code, mem0
from workspace_memory.importing.items import Item, MemoryItem, MessageItem, Skipped

WRONG: list[Any] = [None, True, 7, -1.5, "", "x", "\ud800", "a\x00b", "ü" * 300, [], [7], [[]], {}, {"a": 1}]
DROPPED = object()
LINES_AT_ONCE = 500


def mutants(value: Any) -> Iterator[Any]:
    """The value with something wrong in each of its places, or with nothing there."""
    places = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in places:
        for wrong in [*WRONG, DROPPED, *mutants(inner)]:
            changed = value.copy()
            if wrong is DROPPED:
                del changed[name]
            else:
                changed[name] = wrong
            yield changed


def session_of(line: Any) -> Iterator[Item]:
    return claude_code.session([json.dumps(line)], "s.jsonl", session_id="s")


FORMATS: dict[str, tuple[Callable[[Any], Iterator[Item]], list[Any]]] = {
    "chatgpt": (lambda value: chatgpt.conversation(value, "x"), [exports.CHATGPT_CONVERSATION]),
    "claude": (lambda value: claude.conversation(value, "x"), [exports.CLAUDE_CONVERSATION]),
    "claude-code": (session_of, [json.loads(line) for line in exports.CLAUDE_CODE.split("\n")]),
    "mem0": (lambda value: mem0.memories(value, "x"), [json.loads(exports.MEM0)]),
}


@pytest.mark.parametrize("format", FORMATS)
def test_each_wrong_item_of_another_product_has_its_reason(acme: RestClient, format: str) -> None:
    read, wholes = FORMATS[format]
    items = [item for whole in wholes for wrong in [whole, *mutants(whole)] for item in read(wrong)]
    assert all(item.code and item.why for item in items if isinstance(item, Skipped))
    lines = list({json.dumps(item.line()) for item in items if isinstance(item, MessageItem | MemoryItem)})

    results = []
    for start in range(0, len(lines), LINES_AT_ONCE):
        body = "\n".join(lines[start : start + LINES_AT_ONCE])
        answer = acme.raw("POST", "import/items", body, content_type="application/x-ndjson")
        assert answer.status_code == 200, answer.content
        results += answer.json()["results"]

    assert len(results) == len(lines)
    assert all(result["code"] and result["detail"] for result in results if result["status"] == "refused")
    assert {"created", "refused"} <= {result["status"] for result in results}
    for door in ("conversations", "memories"):
        assert acme.get(door, limit=200).status_code == 200


COLUMNS = {f"{kind.name}.{field.attname}": field for kind in KINDS for field in kind.fields}


@settings(max_examples=500)
@given(name=st.sampled_from(sorted(COLUMNS)), value=json_values | st.sampled_from(WRONG))
def test_a_column_takes_what_fits_and_refuses_the_rest(name: str, value: Any) -> None:
    with suppress(UnfitRecordError):
        decode_value(COLUMNS[name], value, where="Line 1: it")


WHOLE_NUMBERS = {name: field for name, field in COLUMNS.items() if isinstance(field, IntegerField)}


@pytest.mark.django_db
@pytest.mark.parametrize("name", WHOLE_NUMBERS)
def test_a_number_leaves_room_for_what_is_counted_on_from_it(name: str) -> None:
    field = WHOLE_NUMBERS[name]
    _, last = connection.ops.integer_field_range(field.get_internal_type())
    with pytest.raises(UnfitRecordError):
        decode_value(field, last, where="Line 1: it")
    if not field.choices:
        assert decode_value(field, last // 2, where="Line 1: it") == last // 2
