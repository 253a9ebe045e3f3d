"""The page of a memory shows what is known of it, and its form and its history have every field that can be edited."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils.html import escape

from core.http.json_schema import body_example, body_schema
from memory.memories.forms import EditForm
from memory.memories.schemas import MemoryEditInput, MemoryInput
from memory.memories.view_models import BEFORE_LABELS
from tests.cast import Cast
from tests.pages import Visitor, text_of

EXAMPLE = body_example(MemoryInput)


def read_page(cast: Cast, *, path: str = "") -> str:
    """The page of a memory that has a value in every field; `path` is what stands behind its address."""
    made = cast.acme.rest().post("memories", EXAMPLE)
    assert made.status_code == 201, made.content
    visitor = Visitor.of(cast.bob, cast.acme.workspace)
    return text_of(visitor.get(f"memory/{made.json()['id']}{path}"))


def is_text(schema: dict[str, Any]) -> bool:
    """Whether a field is a text that the page shows as it is; numbers, times and words of ours it shows in its own."""
    return str(schema.get("type")) in {"string", "array"} and not {"format", "enum"} & set(schema)


TEXTS = [name for name, schema in body_schema(MemoryInput)["properties"].items() if is_text(schema)]


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_of_a_memory_is_on_its_page(cast: Cast, name: str) -> None:
    page = read_page(cast)

    for value in [EXAMPLE[name]] if isinstance(EXAMPLE[name], str) else EXAMPLE[name]:
        assert escape(value) in page


def test_every_field_of_the_form_is_on_the_page(cast: Cast) -> None:
    page = read_page(cast, path="/edit")

    assert set(EditForm.base_fields) - set(re.findall(r'name="(\w+)"', page)) == set()


def test_the_history_has_words_for_every_field_that_can_be_edited() -> None:
    assert set(MemoryEditInput.model_fields) - set(BEFORE_LABELS) == set()
