"""Form of a merge: which node is kept."""

from __future__ import annotations

from django import forms


class MergeForm(forms.Form):
    """The node that stays, and the one that goes into it."""

    keep = forms.UUIDField()
    absorb = forms.UUIDField()
