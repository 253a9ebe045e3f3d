"""The language of metrics says what it means, and says where it was not understood."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.metrics.metric_expressions import CONDITION_FIELDS, EVENT_FIELDS, ExpressionError, Row, parse

ROW: Row = {"outcome": "success", "action_count": 4, "duration_ms": 1_500}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", True),
        ("  ", True),
        ("action_count\u00a0>=\u20034", True),  # as pasted from a page
        ("outcome = 'success'", True),
        ('outcome == "success"', True),
        ("outcome != 'success'", False),
        ("action_count < 4", False),
        ("action_count <= 4", True),
        ("duration_ms > 1499.5", True),
        ("not outcome = 'failure'", True),
        ("NOT (outcome = 'success' AND action_count > 9)", True),
        ("outcome = 'failure' or action_count = 4 and duration_ms < 2000", True),
        ("(outcome = 'failure' or action_count = 4) and duration_ms > 2000", False),
        ("not not action_count>=4", True),
    ],
)
def test_expressions_mean_what_they_say(text: str, expected: bool) -> None:
    assert parse(text, fields=CONDITION_FIELDS).holds(ROW) is expected


@pytest.mark.parametrize(
    ("text", "position", "expected", "found"),
    [
        ("action_count", 13, "`=` or `!=` or `<=` or `>=` or `<` or `>`", "the end"),
        ("outcome > 'a'", 9, "`=` or `!=`", "`>`"),
        ("outcome = success", 11, "a text in quotes", "`success`"),
        ("action_count = 'four'", 16, "a number", "`'four'`"),
        ("cost < 3", 1, "a field (outcome, action_count, duration_ms), `not` or `(`", "`cost`"),
        ("3 < action_count", 1, "a field (outcome, action_count, duration_ms), `not` or `(`", "`3`"),
        ("(outcome = 'a'", 15, "`)`", "the end"),
        ("outcome = 'a' outcome = 'b'", 15, "`and`, `or` or the end", "`outcome`"),
        ("outcome = 'a", 11, "a field, a value or an operator", "`'`"),
        ("action_count < 3; drop", 17, "a field, a value or an operator", "`;`"),
        ("outcome = 'a' and", 18, "a field (outcome, action_count, duration_ms), `not` or `(`", "the end"),
        ("__import__('os')", 1, "a field (outcome, action_count, duration_ms), `not` or `(`", "`__import__`"),
    ],
)
def test_what_is_not_understood_is_told_with_its_place(text: str, position: int, expected: str, found: str) -> None:
    with pytest.raises(ExpressionError) as refused:
        parse(text, fields=CONDITION_FIELDS)

    error = refused.value
    assert (error.position, error.expected, error.found) == (position, expected, found)
    assert str(error) == f"At position {position}: expected {expected}, found {found}."


@pytest.mark.parametrize("opening", ["(", "not "])
def test_bottomless_nesting_is_refused(opening: str) -> None:
    with pytest.raises(ExpressionError, match="at most 32 levels"):
        parse(opening * 300 + "outcome = 'a'", fields=CONDITION_FIELDS)


def test_a_filter_speaks_of_events() -> None:
    event: Row = {"agent": "clerk", "action_type": "tool_call", "node_type": "invoice", "error_code": ""}

    assert parse("node_type = 'invoice' and error_code = ''", fields=EVENT_FIELDS).holds(event)


@given(st.text(max_size=60))
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        parse(text, fields=CONDITION_FIELDS).holds(ROW)
    except ExpressionError as error:
        assert 1 <= error.position <= len(text) + 1  # noqa: PT017  # either way is fine, a crash is not
