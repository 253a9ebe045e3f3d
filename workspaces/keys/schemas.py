"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from rest_framework import serializers

from core.http.fields import (
    LineField,
    StrictSerializer,
)
from workspaces.access.callers import Right


class KeyInput(StrictSerializer):
    """The body of `POST api-keys`."""

    name = LineField(max_length=120)
    scopes = serializers.ListField(child=serializers.ChoiceField([str(right) for right in Right]), min_length=1)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
