"""The forms of signing in, for members and for staff, which limit the guessing of passwords."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.forms import AuthenticationForm

from workspaces.access.client_address import client_address
from workspaces.access.login_throttle import count_sign_in, hashing_place, note_sign_in

if TYPE_CHECKING:  # unfold ships no types; to the type checker its form is Django's
    StaffForm = AuthenticationForm
else:
    from unfold.forms import AuthenticationForm as StaffForm


class SignInForm(AuthenticationForm):
    """E-mail and password. Raises TooManySignInsError while guessing is held up, whatever the password, and
    TooManyAtOnceError or OverloadedError while too many passwords are being checked."""

    def clean(self) -> dict[str, Any]:
        who = {
            "email": self.cleaned_data.get("username", ""),
            "address": client_address(self.request) if self.request else "",
        }
        with hashing_place(who["address"]):  # before it is counted: what is refused was not tried
            count_sign_in(**who)
            given = super().clean()
        note_sign_in(**who)
        return given


class StaffSignInForm(SignInForm, StaffForm):
    """The same at the door of the staff admin, which lets staff in only."""
