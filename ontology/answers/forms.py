"""Form of a question to the ontology."""

from __future__ import annotations

from django import forms

from core.http.form_fields import TextFormField
from ontology.search.schemas import MAX_QUERY_CHARACTERS


class OntologyAskForm(forms.Form):
    """A question."""

    question = TextFormField(
        max_length=MAX_QUERY_CHARACTERS,
        label="Question",
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "Where does Ada work?", "autofocus": True}),
        error_messages={"required": "Write a question first."},
    )
