"""The forms of signing in, for members and for staff, which let nobody guess passwords for long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm

from workspaces.authentication import address_of
from workspaces.services.guessing import note_failure, note_success, refuse_guessing

if TYPE_CHECKING:  # unfold ships no types; to the type checker its form is Django's
    StaffForm = AuthenticationForm
else:
    from unfold.forms import AuthenticationForm as StaffForm


class SignInForm(AuthenticationForm):
    """E-mail and password. Raises TooManySignInsError while guessing is held up, whatever the password."""

    def clean(self) -> dict[str, Any]:
        who = {
            "email": self.cleaned_data.get("username", ""),
            "address": address_of(self.request) if self.request else "",
        }
        refuse_guessing(**who)
        try:
            given = super().clean()
        except forms.ValidationError:
            note_failure(**who)
            raise
        note_success(email=who["email"])
        return given


class StaffSignInForm(SignInForm, StaffForm):
    """The same at the door of the staff admin, which lets staff in only."""
