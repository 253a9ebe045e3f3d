"""Form that grants a custom space to a member."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django import forms

from core.http.form_fields import LineFormField
from workspaces.access.spaces import MAX_NAME_CHARACTERS
from workspaces.models import Membership


class GrantForm(forms.Form):
    """Which member may open which custom space."""

    member = forms.TypedChoiceField(coerce=UUID)
    space = LineFormField(
        max_length=MAX_NAME_CHARACTERS,
        help_text="A custom space by its whole name, such as project:apollo.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, members: Sequence[Membership], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(one.user_id, f"{one.user} ({one.role})") for one in members]
        self.fields["member"].choices = [("", "Choose a member"), *people]  # type: ignore[attr-defined]  # of a choice field
