"""What a person types on the page About you. It converts types; the service says what is allowed."""

from __future__ import annotations

from typing import Self

from django import forms

from core.http.form_fields import TextFormField
from memory.models import UserMemory
from memory.working_memory.profile_sections import content_version
from memory.working_memory.services.profiles import MAX_CHARACTERS


class AboutYouForm(forms.Form):
    """All of the page, and the version that it was made from."""

    content = TextFormField(
        max_length=MAX_CHARACTERS,
        label="What is kept",
        widget=forms.Textarea(attrs={"rows": 18, "class": "mono", "spellcheck": "true"}),
        error_messages={"required": "Write something, or clear the page instead."},
        help_text="Markdown: a heading (# Current Goals) for each section, a label (- **Role**:) for what is asked. "
        f"Agents are given what is filled in. At most {MAX_CHARACTERS:,} characters, without passwords or keys.",
    )
    version = forms.CharField(max_length=64, widget=forms.HiddenInput)

    @classmethod
    def of(cls, kept: UserMemory) -> Self:
        """Return the form of the page as it is kept."""
        return cls(initial={"content": kept.content, "version": content_version(kept.content)})
