"""Forms of inviting a person, and of joining by a link."""

from __future__ import annotations

from typing import Any

from django import forms

from core.http.form_fields import LineFormField
from workspaces.models import Role

ROLE_NOTES = {
    Role.OWNER: "Owner: everything, owners included",
    Role.ADMIN: "Admin: everything but owners",
    Role.MEMBER: "Member: reads, writes, decides about facts",
    Role.VIEWER: "Viewer: reads",
}


class InviteForm(forms.Form):
    """Who is invited, as what."""

    email = forms.EmailField(max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    role = forms.ChoiceField(initial=Role.MEMBER)

    def __init__(self, *args: Any, is_owner: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [role for role in Role if is_owner or role != Role.OWNER]
        self.fields["role"].choices = [(role.value, ROLE_NOTES[role]) for role in offered]  # type: ignore[attr-defined]  # of a choice field


class JoinForm(forms.Form):
    """The account that a link makes."""

    name = LineFormField(max_length=120, widget=forms.TextInput(attrs={"autocomplete": "name", "autofocus": True}))
    password = forms.CharField(
        max_length=1_000,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="At least 10 characters.",
    )
