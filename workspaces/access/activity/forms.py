"""Filters of the activity, as they stand in its address."""

from __future__ import annotations

from typing import Any

from django import forms

from core.http.form_fields import LineFormField


class ActivityFilter(forms.Form):
    """Who, what, which object, from where, and when."""

    who = LineFormField(required=False, max_length=200, label="Who", help_text="Part of a name.")
    what = LineFormField(required=False, max_length=64, label="What", help_text="How it begins: key, member.added.")
    object = LineFormField(required=False, max_length=64, label="Object", help_text="Its type, or its whole id.")
    address = LineFormField(required=False, max_length=64, label="From", help_text="A whole address.")
    since = forms.DateField(required=False, label="Since", widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(required=False, label="Until", widget=forms.DateInput(attrs={"type": "date"}))

    def filters(self) -> dict[str, Any]:
        """Return what the list is narrowed to, of a valid form."""
        return {name: value for name, value in self.cleaned_data.items() if value}
