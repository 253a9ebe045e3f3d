"""Form of a new API key."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django import forms

from core.clock import utc_now
from core.http.form_fields import LineFormField
from workspaces.access.callers import MEANINGS, Right
from workspaces.keys.schemas import MAX_SPACES
from workspaces.keys.tool_sets import MEANINGS as TOOL_MEANINGS

SCOPES = [(right, f"{right.title()}: {meaning}") for right, meaning in MEANINGS.items()]
LIFETIMES = (("30", "30 days"), ("90", "90 days"), ("365", "1 year"), ("never", "Never"))


def find_expiry(lifetime: str) -> datetime | None:
    """Return when a key of one of the `LIFETIMES` expires, counted from now; None for never."""
    return None if lifetime == "never" else utc_now() + timedelta(days=int(lifetime))


class SpaceNamesField(LineFormField):
    """Names of spaces, separated by commas."""

    def clean(self, value: Any) -> list[str]:
        names = [name.strip() for name in super().clean(value).split(",")]
        named = [name for name in names if name]
        if len(named) > MAX_SPACES:
            raise forms.ValidationError(f"At most {MAX_SPACES} spaces.")
        return named


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
    spaces = SpaceNamesField(
        required=False,
        help_text="Separated by commas: shared, user:42, user:* (every user), agent:clerk, project:apollo. "
        "The key reaches no other; empty, it may name every space.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    stamped = forms.BooleanField(
        required=False,
        help_text="Each call names its user in the header X-On-Behalf-Of, signed with the key. Needs user:*.",
    )
    sub_agent = forms.BooleanField(
        required=False,
        label="For sub-agents",
        help_text="Calls with the key are given no memory of users: neither their spaces nor what is kept about them.",
    )
    tools = forms.MultipleChoiceField(
        required=False,
        label="MCP tools",
        choices=[(name, f"{name.title()}: {meaning}") for name, meaning in TOOL_MEANINGS.items()],
        widget=forms.CheckboxSelectMultiple,
        help_text="What an agent is shown at /mcp, where its address does not choose; nothing chosen is the core.",
    )
    lifetime = forms.ChoiceField(choices=LIFETIMES, initial="90", label="Expires after")

    def expires_at(self) -> datetime | None:
        """When the key ends, counted from now; None for never."""
        return find_expiry(self.cleaned_data["lifetime"])
