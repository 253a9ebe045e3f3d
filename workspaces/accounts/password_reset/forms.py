"""Forms of who forgot their password: asking for a link, and choosing another password with it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from workspaces.models import User


class ForgottenForm(forms.Form):
    """The address that a link is mailed to."""

    email = forms.EmailField(
        label="Email",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )


class NewPasswordForm(forms.Form):
    """The password as it shall be."""

    new = forms.CharField(
        label="New password",
        strip=False,
        max_length=1_000,
        help_text="At least 10 characters.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password", "autofocus": True}),
    )

    def __init__(self, user: User | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user

    def clean_new(self) -> str:
        new = str(self.cleaned_data["new"])
        validate_password(new, self._user)
        return new
