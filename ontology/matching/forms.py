"""Forms of a merge: which two nodes, which of them stays, and whose value of each property."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms

# Fields of a choice are named by their property: `value:phone`. Any text may be the name of a property.
CHOICE = "value:"


class MergeForm(forms.Form):
    """The node that stays, the one that goes into it, and the properties whose value the other one gives.

    A page that lets a person choose which one stays sends both as `nodes`, without `absorb`.
    """

    keep = forms.UUIDField()
    absorb = forms.UUIDField(required=False)

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if "keep" in cleaned and not cleaned.get("absorb"):
            others = [node for node in read_node_ids(self.data) if node != cleaned["keep"]]
            if len(others) != 1:
                raise forms.ValidationError("Name both nodes, and which of them stays.")
            cleaned["absorb"] = others[0]
        return cleaned

    def properties_to_take(self) -> list[str]:
        """Return the properties of which the absorbed node's value was chosen."""
        absorbed = str(self.cleaned_data["absorb"])
        return [
            name.removeprefix(CHOICE) for name in self.data if name.startswith(CHOICE) and self.data[name] == absorbed
        ]


def read_node_ids(given: Any) -> list[UUID]:
    """Return the nodes that an address or a form names, each once; what is not an id is passed over."""
    found: list[UUID] = []
    for text in given.getlist("nodes"):  # of a QueryDict; to the type checker the data of a form is any mapping
        try:
            identity = UUID(text)
        except ValueError:
            continue
        if identity not in found:
            found.append(identity)
    return found
