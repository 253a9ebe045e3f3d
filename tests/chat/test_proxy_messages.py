"""Which words of a request are the user's question, and where the material goes."""

from __future__ import annotations

from typing import Any

import pytest

from chat.proxy.prompt_messages import find_question, put_material
from llm.providers.completion_body import CompletionChunks, read_completion
from llm.providers.types import BROKE_OFF, Answer


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


TOOL = {"role": "tool", "tool_call_id": "1", "content": "ok"}
PICTURE = {"type": "image_url", "image_url": {"url": "data:,"}}


@pytest.mark.parametrize(
    ("messages", "found"),
    [
        ([user("Hello.")], (0, "Hello.")),
        ([user("Hello."), {"role": "assistant", "content": "Hi."}, user(" And? ")], (2, "And?")),
        ([user("Order."), {"role": "assistant", "content": None}, TOOL], (0, "Order.")),
        ([user([{"type": "text", "text": "One."}, PICTURE, {"type": "text", "text": "Two."}])], (0, "One.\nTwo.")),
        ([user("Hid\u200bden.\x00")], (0, "Hidden.")),
        ([user("\ud800")], (0, "?")),
        ([user([PICTURE])], None),
        ([user(None)], None),
        ([user(" ")], None),
        ([user("Hello."), user([PICTURE])], None),
        ([{"role": "system", "content": "Be brief."}], None),
        ([{}], None),
        ([user([1, None, {"type": "text"}, {"type": "text", "text": 5}])], None),
    ],
)
def test_the_question_is_what_the_user_said_last(messages: list[Any], found: tuple[int, str] | None) -> None:
    assert find_question(messages) == found


def test_the_material_goes_in_front_and_nothing_else_changes() -> None:
    messages = [user("Hello."), {**user("When?"), "name": "mara"}, TOOL]

    filled = put_material(messages, 1, "MATERIAL")

    assert filled == [user("Hello."), {**user("MATERIAL\n\nWhen?"), "name": "mara"}, TOOL]
    assert messages[1]["content"] == "When?"


@pytest.mark.parametrize(
    ("content", "answer"),
    [
        (b'{"choices": [{"message": {"content": "Tea."}, "finish_reason": "stop"}]}', Answer("Tea.", "stop")),
        (b'{"choices": [{"message": {"content": null}, "finish_reason": "tool_calls"}]}', Answer("", "tool_calls")),
        (
            b'{"choices": [{"index": 1, "message": {"content": "B"}}, {"index": 0, "message": {"content": "A"}}],'
            b' "usage": {"prompt_tokens": 3, "completion_tokens": 2}}',
            Answer("A", "stop", 3, 2),
        ),
        (
            b'{"choices": [{"message": {"content": [{"type": "text", "text": "Tea."}]}}],'
            b' "usage": {"prompt_tokens": -1}}',
            Answer("Tea.", "stop"),
        ),
        (
            b'{"choices": [{"message": {"content": "Tea\\u0000."}, "finish_reason": "st\\ud800o\\u0000p"}]}',
            Answer("Tea.", "stop"),
        ),
        (b'{"choices": []}', None),
        (b'{"choices": "Tea."}', None),
        (b'{"error": {"message": "No."}}', None),
        (b"[]", None),
        (b"Tea.", None),
        (b"\xff", None),
        (b"[" * 100_000, None),
    ],
)
def test_an_answer_is_read_or_is_none(content: bytes, answer: Answer | None) -> None:
    assert read_completion(content) == answer


def chunks_of(*lines: bytes) -> CompletionChunks:
    chunks = CompletionChunks()
    for line in lines:
        chunks.add(line)
    return chunks


PIECE = b'data: {"choices": [{"index": 0, "delta": {"content": "Tea."}, "finish_reason": null}]}\n'
END = b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n'


@pytest.mark.parametrize(
    ("lines", "is_complete", "answer"),
    [
        ((PIECE, PIECE, END, b"data: [DONE]\n"), True, Answer("Tea.Tea.", "stop")),
        ((PIECE, b"\n", END), True, Answer("Tea.", "stop")),
        ((PIECE, b"data: [DONE]\n"), True, Answer("Tea.", "stop")),
        ((PIECE,), False, Answer("Tea.", BROKE_OFF)),
        ((PIECE, END, b'data: {"error": {}}\n'), False, Answer("Tea.", "stop")),
        ((PIECE, b'data: {"error": null, "choices": []}\n', END), True, Answer("Tea.", "stop")),
        ((b": waiting\n", b"event: x\n", b"data: nothing\n"), False, Answer("", BROKE_OFF)),
    ],
)
def test_a_stream_ends_or_only_stops(lines: tuple[bytes, ...], is_complete: bool, answer: Answer) -> None:
    chunks = chunks_of(*lines)

    assert (chunks.is_complete, chunks.answer) == (is_complete, answer)


def test_a_line_that_only_counts_is_told_apart() -> None:
    chunks = CompletionChunks()

    counted = chunks.add(b'data: {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}\n')

    assert (counted, chunks.add(PIECE), chunks.add(b"\n")) == (True, False, False)
    assert (chunks.answer.input_tokens, chunks.answer.output_tokens) == (3, 2)
