"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from core.http.fields import (
    LineField,
    StrictSerializer,
)


class ConnectionInput(StrictSerializer):
    """The body of `POST ontology/connections`."""

    name = LineField(max_length=200)
    kind = LineField(max_length=64, required=False, allow_blank=True)
