"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import (
    LineField,
    SpokenField,
    StrictSerializer,
)
from memory.models import RunStatus

# Twenty times what an answer usually has; a citation behind it would be cut off, so it is refused instead.
MAX_OUTPUT_CHARACTERS = 1_000_000


class RunInput(StrictSerializer):
    """The body of `POST runs`."""

    agent = LineField(max_length=120)
    conversation = LineField(max_length=200, required=False, allow_blank=True)


class FinishInput(StrictSerializer):
    """The body of `POST runs/{id}/finish`."""

    status = serializers.ChoiceField([choice for choice in RunStatus.choices if choice[0] != RunStatus.RUNNING])
    output = SpokenField(max_length=MAX_OUTPUT_CHARACTERS, required=False, allow_blank=True, trim_whitespace=False)
