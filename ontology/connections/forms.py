"""Form of a new connection."""

from __future__ import annotations

from django import forms

from core.http.form_fields import LineFormField


class ConnectionForm(forms.Form):
    """A new connection."""

    name = LineFormField(max_length=200, help_text="Where its nodes come from, for example “CRM export”.")
    kind = LineFormField(max_length=64, required=False, help_text="What sort of source it is: crm, wiki, mail.")
