"""Pattern mining: evidence counted over sequences, and the verdict on each pattern. Pure."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from telemetry.sequences.step_keys import SEPARATOR, attempt_key

# PRODUCT section 7.
TRAILING_DAYS = 30
MIN_SUPPORT = 5
PROMOTED_FROM = 0.6
RETIRED_BELOW = 0.5


class Verdict(StrEnum):
    """What evidence makes of a pattern."""

    PROMOTED = "promoted"
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What a pattern is about: an action on a type of node ('' for none) that ends in an error."""

    action_type: str
    node_type: str
    error_code: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """`support` sequences met the error out of `attempts` that tried the same action on the same type.

    `is_corroborated` says that more than the word of a single caller stands for it; see there.
    """

    support: int
    attempts: int
    is_corroborated: bool = field(default=True, compare=False)

    @property
    def confidence(self) -> float:
        return self.support / self.attempts if self.attempts else 0.0


@dataclass(frozen=True, slots=True)
class WarningCounts:
    """Sequences that were warned, or at random were not, and how many of each met the error all the same."""

    shown: int
    shown_failed: int
    held_out: int
    held_out_failed: int

    @property
    def effect(self) -> Effect | None:
        return effect(
            shown=self.shown,
            shown_failed=self.shown_failed,
            held_out=self.held_out,
            held_out_failed=self.held_out_failed,
        )

    @property
    def difference(self) -> float | None:
        return self.effect.difference if self.effect else None

    @property
    def margin(self) -> float | None:
        return self.effect.margin if self.effect else None


@dataclass(frozen=True, slots=True)
class Effect:
    """How much less often the error comes with the warning than without; `margin` is half of a 95 % interval."""

    difference: float
    margin: float

    @property
    def is_clear(self) -> bool:
        """Whether chance alone is an unlikely reason."""
        return abs(self.difference) > self.margin


NONE = Evidence(0, 0)


def pattern_key(action_type: str, node_type: str, error_code: str) -> str:
    """Return a pattern's name for people, by whose beginning several can be meant."""
    return f"{action_type}/{node_type or '*'}/{error_code}"


def is_corroborated(*, callers: int, trusted: int, min_callers: int) -> bool:
    """Return whether sequences that met an error may promote it, and not the claims of one caller alone.

    They may when `min_callers` different callers reported them, or when as many as a pattern needs are trusted: seen by
    the server itself, or reported by callers who may create facts.
    """
    return callers >= min_callers or trusted >= MIN_SUPPORT


def count_evidence(
    *, met: Iterable[tuple[str, int]], attempts: Mapping[str, int], uncorroborated: Collection[str] = frozenset()
) -> dict[Key, Evidence]:
    """Return what sequences say about every error that one of them met.

    `met` tells how many sequences had a step, `attempts` how many tried it, whatever came of it. `uncorroborated` are
    the steps of which `is_corroborated` is false.
    """
    return {
        Key(*text.split(SEPARATOR)): Evidence(number, attempts[attempt_key(text)], text not in uncorroborated)
        for text, number in met
        if not text.endswith(SEPARATOR)
    }


def verdict(found: Evidence, *, is_promoted: bool) -> Verdict | None:
    """Return whether a pattern is promoted, stays so, or retires; None where there is nothing to tell.

    Between the two thresholds things stay as they are, so that a pattern at the edge does not flicker. What is not
    corroborated is not promoted; a pattern that was once stays, so that the last caller who meets it is still warned.
    """
    if found.support >= MIN_SUPPORT and found.confidence >= PROMOTED_FROM and found.is_corroborated:
        return Verdict.PROMOTED
    if not is_promoted:
        return None
    return Verdict.RETIRED if found.confidence < RETIRED_BELOW else Verdict.PROMOTED


def verdicts(found: Mapping[Key, Evidence], *, known: Mapping[Key, bool]) -> dict[Key, tuple[Evidence, Verdict]]:
    """Return the evidence and the verdict of every pattern that there is or will be; `known` says which are
    promoted."""
    judged = {}
    for key in sorted(found.keys() | known.keys()):
        here = found.get(key, NONE)
        outcome = verdict(here, is_promoted=known.get(key, False))
        if outcome or key in known:
            judged[key] = here, outcome or Verdict.RETIRED
    return judged


def effect(*, shown: int, shown_failed: int, held_out: int, held_out_failed: int) -> Effect | None:
    """Return what a warning changed: the error's rate without it minus the rate with it, so that more than 0 helps.

    None until both sides have something. The margin is Agresti and Caffo's (2000), which holds for few cases as well.
    """
    if not shown or not held_out:
        return None
    difference = held_out_failed / held_out - shown_failed / shown
    with_it, without = (shown_failed + 1) / (shown + 2), (held_out_failed + 1) / (held_out + 2)
    spread = with_it * (1 - with_it) / (shown + 2) + without * (1 - without) / (held_out + 2)
    return Effect(difference, 1.96 * math.sqrt(spread))
