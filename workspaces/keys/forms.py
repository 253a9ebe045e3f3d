"""Form of a new API key."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import forms

from core.clock import utc_now
from core.http.form_fields import LineFormField
from workspaces.access.callers import MEANINGS, Right

SCOPES = [(right, f"{right.title()}: {meaning}") for right, meaning in MEANINGS.items()]
LIFETIMES = (("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("never", "Never"))


class KeyForm(forms.Form):
    """A new API key."""

    name = LineFormField(
        max_length=120,
        help_text="What will use it, for example “Support agent”. Memories it writes carry this name.",
        widget=forms.TextInput(attrs={"autofocus": True}),
    )
    scopes = forms.MultipleChoiceField(
        choices=SCOPES,
        widget=forms.CheckboxSelectMultiple,
        initial=[Right.READ, Right.WRITE],
        error_messages={"required": "Choose at least one."},
    )
    lifetime = forms.ChoiceField(choices=LIFETIMES, initial="90", label="Expires after")

    def expires_at(self) -> datetime | None:
        """When the key ends, counted from now; None for never."""
        days = self.cleaned_data["lifetime"]
        return None if days == "never" else utc_now() + timedelta(days=int(days))
