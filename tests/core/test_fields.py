"""What strict input answers to what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework import serializers

from core.http.fields import CommaSeparatedField, StorableField, StrictSerializer, TextField


class Order(StrictSerializer):
    """Bread, and what goes with it."""

    bread = serializers.ChoiceField(["rye", "wheat"])
    note = StorableField(required=False)
    baker = TextField(required=False)
    extras = CommaSeparatedField(child=serializers.ChoiceField(["butter", "salt"]), required=False)


def test_a_refused_choice_names_what_there_is_to_choose() -> None:
    order = Order(data={"bread": "oat", "extras": ["jam"]})

    assert not order.is_valid()
    assert order.errors["bread"] == ["One of rye, wheat is expected."]
    assert order.errors["extras"][0] == ["One of butter, salt is expected."]
    assert order.errors["bread"][0].code == "invalid_choice"


@pytest.mark.parametrize(("levels", "is_taken"), [(100, True), (101, False), (900, False), (100_000, False)])
def test_a_value_is_nested_a_hundred_levels_deep_at_the_most(levels: int, is_taken: bool) -> None:
    note: list[Any] = []
    for _ in range(levels - 1):
        note = [note]

    assert Order(data={"bread": "rye", "note": note}).is_valid() == is_taken


@pytest.mark.parametrize("baker", ["\u200b", "\u200d \ufeff", "   "])
def test_a_text_that_nobody_could_see_is_blank(baker: str) -> None:
    order = Order(data={"bread": "rye", "baker": baker})

    assert not order.is_valid()
    assert order.errors["baker"][0].code == "blank"
