"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from core.http.fields import (
    StrictSerializer,
    WholeNumberField,
)
from workspaces.settings.workspace_settings import CONSOLIDATION_LIMITS


class ConsolidationInput(StrictSerializer):
    """The body of `POST conversations/{c}/consolidate`; what it does not name is as in the workspace's settings."""

    retain_last = WholeNumberField(
        min_value=CONSOLIDATION_LIMITS["retain_last"][0],
        max_value=CONSOLIDATION_LIMITS["retain_last"][1],
        required=False,
    )
    max_age_days = WholeNumberField(
        min_value=CONSOLIDATION_LIMITS["max_age_days"][0],
        max_value=CONSOLIDATION_LIMITS["max_age_days"][1],
        required=False,
    )
