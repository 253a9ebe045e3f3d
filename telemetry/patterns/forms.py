"""Forms of patterns: the filters of their list, and the annotation of one."""

from __future__ import annotations

from django import forms

from core.http.form_fields import TextFormField
from telemetry.models import PatternStatus


class PatternFilter(forms.Form):
    """What the address of the patterns narrows them to."""

    status = forms.ChoiceField(choices=PatternStatus.choices, required=False)
    suppressed = forms.ChoiceField(choices=[("true", "true")], required=False)


class AnnotationForm(forms.Form):
    """A note of a person on a pattern."""

    annotation = TextFormField(
        max_length=2_000,
        required=False,
        label="Note for agents",
        help_text="Told together with the pattern. Leave it empty to take it away.",
        widget=forms.Textarea(attrs={"rows": 3}),
    )
