"""JSON with comments is changed in one place: any document, in any layout."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_memory.cli.connect.errors import ConfigurationError
from workspace_memory.cli.connect.jsonc import read_document, remove_member, set_member

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
DOCUMENTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=4)
INDENTS = st.sampled_from([None, 1, 2, 4, "\t"])
ENTRY = {"url": "http://127.0.0.1:8000/mcp", "headers": {"Authorization": "Bearer x"}}


@given(DOCUMENTS, INDENTS, st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_a_member_comes_and_goes_and_the_rest_stays(document: Any, indent: Any, is_ascii: bool, newline: str) -> None:
    document = {**document, "mcpServers": {"other": 1}}
    text = json.dumps(document, indent=indent, ensure_ascii=is_ascii).replace("\n", newline)
    assert read_document(text).value == document

    written = set_member(text, ("mcpServers", "mine"), ENTRY)

    assert json.loads(written) == {**document, "mcpServers": {"other": 1, "mine": ENTRY}}
    assert set_member(written, ("mcpServers", "mine"), ENTRY) == written
    assert json.loads(remove_member(written, ("mcpServers", "mine"))) == document
    changed = set_member(written, ("mcpServers", "mine", "headers", "Authorization"), "y")
    assert json.loads(changed)["mcpServers"]["mine"]["headers"] == {"Authorization": "y"}
    assert json.loads(remove_member(written, ("mcpServers", "other")))["mcpServers"] == {"mine": ENTRY}
    assert json.loads(set_member(text, ("servers", "mine"), ENTRY))["servers"] == {"mine": ENTRY}


@given(st.text())
def test_a_text_that_is_not_json_is_refused_and_nothing_else(text: str) -> None:
    with suppress(ConfigurationError):
        read_document(text)


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('{"a": 1, "b": 2}', ("b",), '{"a": 1 }'),
        ('{"a": 1, "b": 2}', ("a",), '{ "b": 2}'),
        ('{\n  "a": 1,\n  "b": 2 // two\n}', ("b",), '{\n  "a": 1\n   // two\n}'),
        ('{\n  "a": 1, // one\n  "b": 2,\n}', ("b",), '{\n  "a": 1, // one\n}'),
        ('{\n  "a": 1,\n  "b": 2\n}', ("c",), '{\n  "a": 1,\n  "b": 2\n}'),
        ('{"a": {"b": 1}}', ("a", "b"), '{"a": {}}'),
        ('{"a": 1}', ("a", "b"), '{"a": 1}'),
    ],
)
def test_what_is_taken_out(text: str, path: tuple[str, ...], expected: str) -> None:
    assert remove_member(text, path) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "b": 2\n}'),
        ('{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "b": 2,\n}'),
        ('{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"b": 2\n}'),
        ('{"a": 1}', '{"a": 1, "b": 2}'),
        ("{}", '{\n  "b": 2\n}'),
        ("", '{\n  "b": 2\n}\n'),
        ("// empty\n", '// empty\n{\n  "b": 2\n}\n'),
        ('{"a": "//", "c": "/*"}', '{"a": "//", "c": "/*", "b": 2}'),
        ('{"b": 1 /* old */}', '{"b": 2 /* old */}'),
    ],
)
def test_where_a_member_goes(text: str, expected: str) -> None:
    assert set_member(text, ("b",), 2) == expected
