"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from core.http.fields import (
    IdField,
    StrictSerializer,
)


class MergeInput(StrictSerializer):
    """The body of `POST ontology/merge`: the node that stays, and the one that goes into it."""

    keep = IdField()
    absorb = IdField()
