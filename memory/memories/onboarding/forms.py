"""Form of the key that is made while a client is connected."""

from __future__ import annotations

from typing import Any

from django import forms

from core.http.form_fields import LineFormField
from memory.memories.onboarding.client_setups import ClientSetup
from workspaces.access.callers import Right
from workspaces.keys.forms import LIFETIMES, SpaceNamesField, find_expiry

ACCESS = {
    "remember": ("Read and remember", (Right.READ, Right.WRITE)),
    "read": ("Read only", (Right.READ,)),
    "facts": ("Read, remember, and create facts", (Right.READ, Right.WRITE, Right.FACTS)),
}


class ConnectForm(forms.Form):
    """The key of a client: what it is called, what it may do, and where."""

    name = LineFormField(max_length=120, help_text="Memories that it writes carry this name.")
    access = forms.ChoiceField(
        choices=[(value, label) for value, (label, _) in ACCESS.items()], initial="remember", label="It may"
    )
    spaces = SpaceNamesField(
        required=False,
        help_text="Empty for every space; or shared, user:42, agent:clerk, project:apollo, separated by commas.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    lifetime = forms.ChoiceField(choices=LIFETIMES, initial="90", label="The key expires after")

    @classmethod
    def of(cls, setup: ClientSetup, data: Any = None) -> ConnectForm:
        """Return the form of a client, whose name the key gets."""
        return cls(data, initial={"name": setup.label})

    def key_fields(self) -> dict[str, Any]:
        """Return what `create_key` takes, from a valid form."""
        given = self.cleaned_data
        return {
            "name": given["name"],
            "scopes": list(ACCESS[given["access"]][1]),
            "spaces": given["spaces"],
            "expires_at": find_expiry(given["lifetime"]),
        }
