"""Recalibration of confidence on what runs cited: Platt scaling that shrinks towards changing nothing. Pure.

A calibrated confidence is the logistic function of slope · log-odds + intercept. How it is fitted, on what, and why it
is bounded: docs/why/context.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Whatever a workspace's agents cite, the odds of a confidence change by a factor of e² = 7.4 at most.
MAX_SHIFT = 2.0
MIN_SLOPE, MAX_SLOPE = 0.25, 4.0
# Confidences below this are never raised: those of queries about nothing that is known, which must stay without an
# answer, and receipts have none of them to fit on. It is the default of `memory.min_confidence`.
MIN_RAISED = 0.001
# Gaussian priors of the slope, around 1, and of the shift at the mean of what was observed, around 0, as precisions:
# standard deviations of 0.25 and 0.5.
PRECISIONS = np.array([16.0, 4.0])
_ITERATIONS, _TOLERANCE = 100, 1e-9


@dataclass(frozen=True, slots=True)
class Calibration:
    """What confidence is worth in a workspace: it never falls where that rises, and never goes far from it."""

    slope: float = 1.0
    intercept: float = 0.0

    def apply(self, confidence: float) -> float:
        """Return the calibrated probability, 0 to 1, rounded like what it is made of."""
        if not 0.0 < confidence < 1.0:
            return confidence
        odds = math.log(confidence / (1.0 - confidence))
        moved = min(max(self.slope * odds + self.intercept, odds - MAX_SHIFT), odds + MAX_SHIFT)
        calibrated = round(1.0 / (1.0 + math.exp(-moved)), 4)
        return min(confidence, calibrated) if confidence < MIN_RAISED else calibrated


IDENTITY = Calibration()


@dataclass(frozen=True, slots=True)
class CitationOutcome:
    """An item was in a context with this confidence, before recalibration; `use` is 1 where it was cited, 0 where it
    was of no use, and a probability where neither is known."""

    confidence: float
    use: float


def fit_calibration(outcomes: Sequence[CitationOutcome]) -> Calibration:
    """Return the most probable slope and intercept; without outcomes, those that change nothing."""
    if not outcomes:
        return IDENTITY
    raw = np.clip(np.array([each.confidence for each in outcomes], np.float64), 1e-6, 1 - 1e-6)
    odds = np.log(raw / (1 - raw))
    mean = float(odds.mean())  # around it slope and shift are independent of each other
    fit = _Fit(np.stack([odds - mean, np.ones(len(outcomes))]), np.array([each.use for each in outcomes], np.float64))
    prior = np.array([1.0, mean])
    slope, shifted = fit.minimize(prior, start=prior, free=(0, 1))
    if not MIN_SLOPE <= slope <= MAX_SLOPE:  # a convex loss is least on this border then
        border = np.array([min(max(slope, MIN_SLOPE), MAX_SLOPE), shifted])
        slope, shifted = fit.minimize(prior, start=border, free=(1,))
    return Calibration(float(slope), float(shifted - slope * mean))


@dataclass(frozen=True, slots=True)
class _Fit:
    """A logistic regression with two parameters, and what was observed."""

    design: Floats
    used: Floats

    def minimize(self, prior: Floats, *, start: Floats, free: Sequence[int]) -> Floats:
        """Return the parameters with the least loss, by Newton's method; those not `free` stay at the start."""
        parameters, of_free = start.copy(), np.ix_(free, free)
        for _ in range(_ITERATIONS):
            probable = 0.5 + 0.5 * np.tanh(parameters @ self.design / 2)
            gradient = self.design @ (probable - self.used) + PRECISIONS * (parameters - prior)
            curvature = (self.design * probable * (1 - probable)) @ self.design.T + np.diag(PRECISIONS)
            step = np.zeros(2)
            step[list(free)] = np.linalg.solve(curvature[of_free], gradient[list(free)])
            before = self._loss(parameters, prior)
            while self._loss(parameters - step, prior) > before and np.abs(step).max() > _TOLERANCE:
                step /= 2
            parameters = parameters - step
            if np.abs(step).max() <= _TOLERANCE:
                break
        return parameters

    def _loss(self, parameters: Floats, prior: Floats) -> float:
        odds = parameters @ self.design
        likelihood = float((np.logaddexp(0.0, odds) - self.used * odds).sum())
        return likelihood + 0.5 * float(PRECISIONS @ (parameters - prior) ** 2)
