"""The forms of signing in, for members and for staff, which limit the guessing of passwords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from workspaces.access.client_address import client_address
from workspaces.access.login_throttle import count_sign_in, hashing_place, note_sign_in
from workspaces.accounts.services.second_factor import use_code
from workspaces.models import User

if TYPE_CHECKING:  # unfold ships no types; to the type checker its form is Django's
    StaffForm = AuthenticationForm
else:
    from unfold.forms import AuthenticationForm as StaffForm


class SignInForm(AuthenticationForm):
    """E-mail and password, and a code of those who have a second factor. Raises TooManySignInsError while guessing is
    held up, whatever the password, and TooManyAtOnceError or OverloadedError while too many are being checked.

    The code stands in the same form, so that no door can be passed with the password alone.
    """

    code = forms.CharField(
        required=False,
        max_length=20,
        label="Code",
        help_text="Of your authenticator app, if you set one up; or a recovery code.",
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
    )

    def clean(self) -> dict[str, Any]:
        who = {
            "email": self.cleaned_data.get("username", ""),
            "address": client_address(self.request) if self.request else "",
        }
        with hashing_place(who["address"]):  # before it is counted: what is refused was not tried
            count_sign_in(**who)
            given = super().clean()
        user = self.get_user()
        if settings.OIDC.is_only and isinstance(user, User) and not user.is_staff:
            raise ValidationError(f"Passwords are for staff here: sign in with {settings.OIDC.name}.")
        if user is not None and not use_code(user=user, code=self.cleaned_data.get("code", "")):
            raise ValidationError("This account has a second factor: enter the code that its app shows now.", "code")
        note_sign_in(**who)
        return given


class StaffSignInForm(SignInForm, StaffForm):
    """The same at the door of the staff admin, which lets staff in only."""
