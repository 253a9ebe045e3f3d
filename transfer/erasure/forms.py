"""What pages of erasure take."""

from __future__ import annotations

from django import forms


class ConfirmErasureForm(forms.Form):
    """The name of the workspace, typed."""

    confirm = forms.CharField(
        label="Name of the workspace",
        required=False,  # the service says what is wrong, in one sentence for all
        strip=True,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
