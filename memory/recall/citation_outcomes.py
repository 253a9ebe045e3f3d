"""Which items of contexts were of use, as far as citations of the runs that followed tell. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from memory.recall.calibration import Outcome

# An item that was in so many contexts without a citation was of no use in them; in fewer it may be by chance.
MIN_UNCITED = 10
# Of one item, cited or not: what is asked for every day must not stand for everything.
MAX_OF_ITEM = 10
# A run that cites more than half of more items than these says nothing about any.
MAX_ALL_CITED = 4


@dataclass(frozen=True, slots=True)
class Injection:
    """What a context gave to a run, and what the run cited.

    `given` are all items that could be cited, facts too; `confidences` those of one layer, before recalibration.
    """

    given: frozenset[UUID]
    cited: frozenset[UUID]
    confidences: Mapping[UUID, float]

    @property
    def is_telling(self) -> bool:
        """Whether the run chose: an agent that never cites, or cites whatever it gets, says nothing about an item."""
        cited = len(self.cited & self.given)
        return cited > 0 and (len(self.given) <= MAX_ALL_CITED or cited <= len(self.given) / 2)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """What a calibration rests on: citations in contexts, and items that were never cited."""

    cited: Sequence[Outcome]
    uncited: Mapping[UUID, Sequence[Outcome]]

    @property
    def every(self) -> list[Outcome]:
        return [*self.cited, *chain.from_iterable(self.uncited.values())]


def find_outcomes(
    injections: Sequence[Injection], *, ever_cited: Collection[UUID], independent: Collection[UUID]
) -> Outcomes:
    """Return the outcomes of one layer in these injections, the newest of which come first.

    Cited is an item where the run cited it and an `independent` reference counts for it; uncited one that was given ten
    times and that no run has `ever_cited`. All others may have been of use without a citation and are left out.
    """
    cited: defaultdict[UUID, list[Outcome]] = defaultdict(list)
    uncited: defaultdict[UUID, list[Outcome]] = defaultdict(list)
    for injection in injections:
        if not injection.is_telling:
            continue
        for item, confidence in injection.confidences.items():
            if item in injection.cited and item in independent:
                cited[item].append(Outcome(confidence, is_cited=True))
            elif item not in ever_cited:
                uncited[item].append(Outcome(confidence, is_cited=False))
    return Outcomes(
        [outcome for found in cited.values() for outcome in found[:MAX_OF_ITEM]],
        {item: found[:MAX_OF_ITEM] for item, found in uncited.items() if len(found) >= MIN_UNCITED},
    )
