"""What strict input answers to what it refuses."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import CommaSeparatedField, StrictSerializer


class Order(StrictSerializer):
    """Bread, and what goes with it."""

    bread = serializers.ChoiceField(["rye", "wheat"])
    extras = CommaSeparatedField(child=serializers.ChoiceField(["butter", "salt"]), required=False)


def test_a_refused_choice_names_what_there_is_to_choose() -> None:
    order = Order(data={"bread": "oat", "extras": ["jam"]})

    assert not order.is_valid()
    assert order.errors["bread"] == ["One of rye, wheat is expected."]
    assert order.errors["extras"][0] == ["One of butter, salt is expected."]
    assert order.errors["bread"][0].code == "invalid_choice"
