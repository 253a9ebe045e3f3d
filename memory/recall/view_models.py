"""View models of calibrations: what confidence is worth in contexts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory.models import ConfidenceCalibration
from memory.recall.calibration import Calibration

LAYERS = {"memories": "Memories", "nodes": "Things of the ontology"}
SHOWN_CONFIDENCES = (0.01, 0.3)


def calibration_rows(calibrations: Sequence[ConfidenceCalibration]) -> list[dict[str, Any]]:
    """Return a row for each layer that is calibrated: what it rests on, and what two confidences became."""
    return [
        {
            "label": LAYERS[each.layer],
            "cited": each.cited,
            "uncited": each.uncited,
            "became": [Calibration(each.slope, each.intercept).apply(raw) for raw in SHOWN_CONFIDENCES],
            "fitted_at": each.fitted_at,
        }
        for each in calibrations
    ]
