"""What people type on the Review page."""

from __future__ import annotations

from typing import Any

from django import forms

from core.http.form_fields import TextFormField
from memory.memories.proposals.models import Proposal


class AcceptForm(forms.Form):
    """The words in which a proposal is accepted."""

    content = TextFormField(
        widget=forms.Textarea(attrs={"rows": 4}),
        label="What agents will read",
        help_text="The original stays as it is, in its own space.",
    )

    @classmethod
    def of(cls, proposal: Proposal, data: Any = None) -> AcceptForm:
        """Return the form of one card, filled with what was proposed, or with what was typed over it."""
        return cls(data, initial={"content": proposal.content}, auto_id=f"id_{proposal.pk}_%s")
