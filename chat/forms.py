"""What people type into the chat."""

from __future__ import annotations

from django import forms

from chat.services.turns import MAX_CHARACTERS
from core.http.form_fields import TextFormField


class ChatForm(forms.Form):
    """A question; `conversation` is the id of one that is there, or the key that the page made for a new one."""

    conversation = forms.CharField(max_length=200, widget=forms.HiddenInput)
    message = TextFormField(
        max_length=MAX_CHARACTERS,
        label="Message",
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "Ask what this workspace remembers"}),
        error_messages={"required": "Write a question first."},
    )
