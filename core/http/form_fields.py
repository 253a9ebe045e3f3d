"""Form fields for text: what browsers send, normalised and checked as the API checks it."""

from __future__ import annotations

from typing import Any

from django import forms

from core.text import has_forbidden_characters, is_invisible, is_one_line, strip_invisible_characters
from core.text.validators import MORE_THAN_A_LINE


class TextFormField(forms.CharField):
    """Text with plain line breaks; control characters, and a text that is blank, are refused as in the API.

    Invisible characters are removed: what a person pasted, that person cannot find in order to take it out.
    """

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value) or "")
        if not is_invisible(text):  # which is refused as blank
            text = strip_invisible_characters(text)
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def validate(self, value: Any) -> None:
        super().validate("" if is_invisible(value) else value)
        if has_forbidden_characters(value):
            raise forms.ValidationError(
                "Contains characters that are not text. Type it again, or paste it as plain text."
            )


class LineFormField(TextFormField):
    """A text on one line."""

    def validate(self, value: Any) -> None:
        super().validate(value)
        if not is_one_line(value):
            raise forms.ValidationError(MORE_THAN_A_LINE)
