"""The place of a person in the queue, as addresses and forms carry it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from memory.memories.review.forms import PlaceForm
from memory.memories.review.item_kinds import ItemKey, ItemKind


@dataclass(frozen=True, slots=True)
class QueuePlace:
    """Which kind is looked at, behind which item the list begins, at which one the person is, how many they have
    decided, and how many they have passed by."""

    kind: ItemKind | None = None
    after: ItemKey | None = None
    at: ItemKey | None = None
    done: int = 0
    past: int = 0

    def move(self, **changes: Any) -> QueuePlace:
        """Return another place."""
        return replace(self, **changes)

    @property
    def fields(self) -> dict[str, str]:
        """The place as parameters."""
        return {name: str(value) for name in self.__slots__ if (value := getattr(self, name))}

    def url(self, slug: str) -> str:
        """Return the address of the place."""
        address = reverse("review", args=[slug])
        return f"{address}?{urlencode(self.fields)}" if self.fields else address


def read_place(given: QueryDict) -> QueuePlace:
    """Return the place that parameters name; what is not one is left out."""
    form = PlaceForm(given)
    form.is_valid()
    read = form.cleaned_data
    kind = ItemKind(read["kind"]) if read.get("kind") else None
    return QueuePlace(kind, read.get("after"), read.get("at"), read.get("done") or 0, read.get("past") or 0)
