"""Form of an import: the file of an export."""

from __future__ import annotations

from django import forms


class ImportForm(forms.Form):
    """An export of a workspace."""

    file = forms.FileField(
        label="Export (workspace.jsonl)",
        widget=forms.FileInput(attrs={"accept": ".jsonl,.ndjson,application/jsonl"}),
        error_messages={"required": "Choose a file.", "empty": "The file is empty."},
    )
