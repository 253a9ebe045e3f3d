"""Forms of a workspace's settings. They turn what was typed into types; services say what is allowed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms

from core.clock import utc_now
from core.text import has_forbidden_characters, is_invisible
from workspaces.callers import MEANINGS, Right
from workspaces.switches import LIMITS


class TextField(forms.CharField):
    """Text with plain line breaks; control characters, and what nobody could see, are refused as in the API."""

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value) or "")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def validate(self, value: Any) -> None:
        super().validate("" if is_invisible(value) else value)
        if has_forbidden_characters(value):
            raise forms.ValidationError(
                "Contains characters that are not text. Type it again, or paste it as plain text."
            )


def _within(name: str, *, label: str, help_text: str) -> forms.IntegerField:
    least, most = LIMITS[name]
    return forms.IntegerField(min_value=least, max_value=most, label=label, help_text=help_text)


class MemorySettingsForm(forms.Form):
    """Settings → Memory, beside the switch."""

    retention_days = _within(
        "retention_days",
        label="Retention, in days",
        help_text="A memory that no answer has cited for this long after it was made counts as stale. "
        "Facts and pinned memories never do. 1 to 3,650.",
    )
    token_budget = _within(
        "token_budget",
        label="Token budget",
        help_text="How many tokens an assembled context may take when the agent names no budget of its own. "
        "Facts are never dropped for it. 100 to 200,000.",
    )


SCOPES = [(right, f"{right.title()}: {meaning}") for right, meaning in MEANINGS.items()]
LIFETIMES = (("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("never", "Never"))


class KeyForm(forms.Form):
    """A new API key."""

    name = TextField(
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
