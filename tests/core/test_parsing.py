"""Bodies of JSON and JSON Lines: what is counted before it is read, and what is kept of lines that are not JSON."""

from __future__ import annotations

import json
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import TooLargeError
from core.http.body_parsers import (
    MAX_JSON_VALUES,
    MAX_JSON_VALUES_OF_LINES,
    MAX_MALFORMED_LINES,
    BoundedJSONParser,
    JSONLine,
    JSONLinesParser,
    TooManyValuesError,
)
from core.http.problems import MalformedError
from core.text.json_limits import JSON_STRING


def read(body: str) -> Any:
    view = SimpleNamespace(body_limit="MAX_BULK_BYTES")
    return BoundedJSONParser().parse(BytesIO(body.encode()), parser_context={"view": view})


def read_lines(body: str, *, most: int = 10_000) -> list[JSONLine]:
    view = SimpleNamespace(most_lines=most, body_limit="MAX_BULK_BYTES")
    found: list[JSONLine] = JSONLinesParser().parse(BytesIO(body.encode()), parser_context={"view": view})
    return found


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that was given to the reader of JSON."""
    given: list[str] = []
    loads = json.loads

    def noted(text: str, **named: Any) -> Any:
        given.append(text)
        return loads(text, **named)

    monkeypatch.setattr("core.http.body_parsers.json.loads", noted)
    return given


@pytest.mark.parametrize("line", ["x", "1", '{"a": 1}'])
def test_of_more_lines_than_a_view_takes_none_is_read(reads: list[str], line: str) -> None:
    with pytest.raises(TooLargeError, match=r"At most 3 lines in a request; this one has 4\."):
        read_lines(f"{line}\n" * 4, most=3)

    assert reads == []


@pytest.mark.parametrize("end", ["", "\n", "\n\n \n"])
def test_as_many_lines_as_a_view_takes_are_read_and_empty_ones_do_not_count(end: str) -> None:
    lines = read_lines("\n1\n\n2\n" + end, most=2)

    assert [(line.number, line.read()) for line in lines] == [(2, 1), (4, 2)]


def test_a_body_of_empty_lines_is_refused_by_their_number(reads: list[str]) -> None:
    with pytest.raises(TooLargeError):
        read_lines("\n" * 31, most=3)

    assert reads == []


def test_of_lines_that_are_not_json_a_text_is_kept() -> None:
    _, bad = read_lines("1\nx\n")

    assert (bad.number, bad.malformed) == (2, "Expecting value at line 1, column 1.")
    with pytest.raises(MalformedError, match="Expecting value"):
        bad.read()


def test_after_a_thousand_lines_that_are_not_json_the_others_are_not_read(reads: list[str]) -> None:
    with pytest.raises(MalformedError, match="More than 1,000 lines are not JSON"):
        read_lines("1\n" + "x\n" * (MAX_MALFORMED_LINES + 500))

    assert len(reads) == 1 + MAX_MALFORMED_LINES + 1


@pytest.mark.parametrize("item", ["[]", "{}", "1", '{"k":1}', '""'])
def test_a_body_of_very_many_values_is_not_read(reads: list[str], item: str) -> None:
    body = f"[{','.join([item] * (MAX_JSON_VALUES + 1))}]"
    with pytest.raises(TooManyValuesError, match="At most 200,000 JSON values in a request"):
        read(body)

    assert reads == []


def test_lines_of_very_many_values_together_are_not_read(reads: list[str]) -> None:
    line = f"[{','.join(['1'] * 1_000)}]\n"
    with pytest.raises(TooManyValuesError):
        read_lines(line * (MAX_JSON_VALUES_OF_LINES // 1_000 + 1))

    assert reads == []


@pytest.mark.parametrize("text", [",[{" * 100_000, '\\",[{' * 100_000, "\\\\" * 100_000 + "," * 300_000])
def test_signs_in_texts_are_not_values(text: str) -> None:
    body = json.dumps({"value": text})

    assert read(body) == {"value": text}


@pytest.mark.parametrize("end", ["", "\\", '\\"', "\n"])
def test_a_text_that_does_not_end_is_looked_at_once(end: str) -> None:
    body = '["' + '\\",' * 300_000 + end

    assert JSON_STRING.sub("", body) == "["
    with pytest.raises(MalformedError):
        read(body)
