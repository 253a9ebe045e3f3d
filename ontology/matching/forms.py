"""What people type into the ontology's pages, and what the address of the list of nodes asks for."""

from __future__ import annotations

from django import forms


class MergeForm(forms.Form):
    """The node that stays, and the one that goes into it."""

    keep = forms.UUIDField()
    absorb = forms.UUIDField()
