"""What people type and choose on the Review page."""

from __future__ import annotations

from typing import Any

from django import forms

from core.http.form_fields import TextFormField
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind, parse_item

MAX_BULK = 200


class WordsForm(forms.Form):
    """The words in which an item is kept or accepted."""

    content = TextFormField(widget=forms.Textarea(attrs={"rows": 4}), label="What agents will read")

    @classmethod
    def of(cls, item: ItemKey, content: str, data: Any = None) -> WordsForm:
        """Return the form of one card, filled with its text, or with what was typed over it."""
        return cls(data, initial={"content": content}, auto_id=f"id_{item.id}_%s")


class ItemField(forms.CharField):
    """The key of an item."""

    def clean(self, value: Any) -> ItemKey | None:
        text = super().clean(value)
        if not text:
            return None
        if (item := parse_item(text)) is None:
            raise forms.ValidationError("Choose an item of the queue.")
        return item


class PlaceForm(forms.Form):
    """Where in the queue a person is: which kind, behind which item, at which one, and how many are behind them."""

    kind = forms.ChoiceField(choices=[(kind, kind) for kind in ItemKind], required=False)
    after = ItemField(required=False)
    at = ItemField(required=False)
    done = forms.IntegerField(min_value=0, max_value=100_000, required=False)
    past = forms.IntegerField(min_value=0, max_value=1_000_000, required=False)


class DecideForm(PlaceForm):
    """A verdict about one item or several."""

    verdict = forms.ChoiceField(choices=[(verdict, verdict) for verdict in VerdictKind])
    into = forms.UUIDField(required=False)
    seen = forms.CharField(max_length=64, required=False)
