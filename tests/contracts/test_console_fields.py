"""The page of a memory shows what is known of it, and its form and its history have every field that can be edited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.utils.html import escape

from core.http.json_schema import body_schema
from memory.memories.forms import EditForm
from memory.memories.schemas import MemoryEditInput, MemoryInput
from memory.memories.view_models import BEFORE_LABELS
from tests.cast import Cast
from tests.contracts.resources import telling_example
from tests.pages import Visitor, text_of

EXAMPLE = telling_example(MemoryInput)


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


def test_the_form_has_no_field_that_rest_does_not_edit() -> None:
    assert set(EditForm.base_fields) - set(MemoryEditInput.model_fields) == set()


def wrong_values() -> Iterator[Any]:
    """Texts at the edges of what each field of an edit takes, alone or in a list."""
    for name, schema in body_schema(MemoryEditInput)["properties"].items():
        text = schema.get("items", schema)
        if is_text(schema) and is_text(text):
            most = text.get("maxLength")
            for value in ("a\nb", " ", "", "x" * (most or 1), *(["x" * (most + 1)] if most else [])):
                yield pytest.param(name, value, "items" in schema, id=f"{name}: {value[:6]!r}, {len(value)}")


# Where the form is kinder, and why.
KINDER = {
    ("tags", " "): "A comma too many makes no tag.",
    ("tags", ""): "As above.",
}


@pytest.mark.parametrize(("name", "value", "is_list"), [*wrong_values()])
def test_the_form_takes_what_rest_takes(cast: Cast, name: str, value: str, *, is_list: bool) -> None:
    rest = cast.umbrella.rest()
    one, two = (household.rest().post("memories", EXAMPLE).json() for household in (cast.umbrella, cast.acme))
    typed = {field: EXAMPLE[field] for field in EditForm.base_fields if not isinstance(EXAMPLE[field], list)}
    times = {field: str(typed[field]).removesuffix("Z") for field in typed if field.startswith(("valid", "expires"))}

    sent = rest.patch(f"memories/{one['id']}", {name: [value] if is_list else value})
    page = Visitor.of(cast.bob, cast.acme.workspace).post(f"memory/{two['id']}/edit", **{**typed, **times, name: value})

    verdicts = {sent.status_code == 200, page.status_code in {200, 302}}
    assert {sent.status_code, page.status_code} <= {200, 302, 422}, (sent.status_code, page.status_code)
    assert (len(verdicts) == 1) != ((name, value) in KINDER), (sent.content[:300], page.status_code)
