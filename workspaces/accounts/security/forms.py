"""Forms of an account: its password, and its second factor."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password

from core.http.form_fields import LineFormField
from workspaces.models import User

_CODE = {"autocomplete": "one-time-code", "spellcheck": "false"}


class PasswordForm(forms.Form):
    """The password as it is, and as it shall be."""

    old = forms.CharField(
        label="Password now",
        strip=False,
        max_length=1_000,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    new = forms.CharField(
        label="New password",
        strip=False,
        max_length=1_000,
        help_text="At least 10 characters.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user

    def clean_new(self) -> str:
        new = str(self.cleaned_data["new"])
        validate_password(new, self._user)
        return new


class SetUpForm(forms.Form):
    """The secret that was shown, and the code that the app makes of it."""

    secret = forms.RegexField(r"\A[A-Z2-7]{32}\Z", widget=forms.HiddenInput)
    code = LineFormField(max_length=20, label="Code of the app", widget=forms.TextInput(attrs=_CODE))


class CodeForm(forms.Form):
    """A code, or a recovery code."""

    code = LineFormField(max_length=20, label="Code, or a recovery code", widget=forms.TextInput(attrs=_CODE))
