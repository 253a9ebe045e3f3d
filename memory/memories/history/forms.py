"""What the page of a memory sends to take it back."""

from __future__ import annotations

from django import forms


class RevertForm(forms.Form):
    """The step whose version is wanted, and the `edit_hash` of what was shown."""

    step = forms.UUIDField()
    seen = forms.CharField(max_length=64, required=False)
