"""View models of patterns: rows, chips, the effect of their warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from telemetry.models import Pattern, PatternStatus
from telemetry.patterns.mining import Effect
from telemetry.patterns.services.warning_injection import pattern_line
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console_lists import Filters, chip_groups


@dataclass(frozen=True, slots=True)
class PatternLine:
    """One pattern as the list shows it."""

    pattern: Pattern
    url: str
    effect: str


def pattern_url(seat: ConsoleContext, pattern: Pattern) -> str:
    return reverse("agent-pattern", args=[seat.workspace.slug, pattern.id])


def pattern_chips(narrow: Mapping[str, str]) -> list[dict[str, Any]]:
    chip = Filters.single(narrow).chip
    statuses = [chip("status", str(status.label), str(status.value), alone=True) for status in PatternStatus]
    return chip_groups([("Status", [*statuses, chip("suppressed", "Suppressed", "true", alone=True)])])


def pattern_lines(seat: ConsoleContext, patterns: Iterable[Pattern]) -> list[PatternLine]:
    return [PatternLine(one, pattern_url(seat, one), _effect_in_short(one.warnings.effect)) for one in patterns]


def effect_arms(pattern: Pattern) -> list[dict[str, Any]]:
    """With the warning and without it: how often the error came all the same."""
    arms = [
        ("With the warning", pattern.shown, pattern.shown_failed),
        ("Held out", pattern.held_out, pattern.held_out_failed),
    ]
    return [
        {"label": label, "tried": tried, "failed": failed, "rate": failed / tried if tried else 0.0}
        for label, tried, failed in arms
    ]


def effect_in_words(pattern: Pattern) -> str:
    """One sentence on what the warning is worth."""
    found = pattern.warnings.effect
    if found is None:
        return "Not measured yet: it takes tries with the warning and tries for which it was held out."
    points = abs(found.difference) * 100
    if not found.is_clear:
        return f"Too few tries to tell: the difference of {points:.0f} points may be chance."
    direction = "less often" if found.difference > 0 else "more often"
    return (
        f"The error comes {direction} with the warning: by {points:.0f} points, give or take {found.margin * 100:.0f}."
    )


def prompt_line(pattern: Pattern) -> str:
    """Return what agents read about it."""
    return pattern_line(pattern).removeprefix("- ")


def occurrences_url(seat: ConsoleContext, pattern: Pattern) -> str:
    """Return the timeline of those that met it."""
    parts = {"action_type": pattern.action_type, "node_type": pattern.node_type, "error_code": pattern.error_code}
    query = urlencode({name: value for name, value in parts.items() if value})
    return f"{reverse('agents', args=[seat.workspace.slug])}?{query}"


def _effect_in_short(found: Effect | None) -> str:
    if found is None:
        return "not measured yet"
    if not found.is_clear:
        return "unclear"
    return f"{abs(found.difference):.0%} {'fewer' if found.difference > 0 else 'more'} errors"
