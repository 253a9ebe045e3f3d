"""Which items of contexts were of use, as far as citations of the runs that followed tell. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from uuid import UUID

from memory.recall.calibration import CitationOutcome

# An item that was in this number of contexts without a citation was of no use in them; in fewer it may be by chance.
MIN_UNCITED = 10
# Of one item: what is asked for every day must not stand for everything.
MAX_OF_ITEM = 20
# Runs cite a part of what they use, at least this one.
MIN_RATE = 0.2
# A run that cites more than half of more items than these says nothing about any.
MAX_ALL_CITED = 4


@dataclass(frozen=True, slots=True)
class GivenContext:
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
    """What a calibration rests on, as confidences: of citations, of items that were never cited, and of the rest, which
    may have been of use without a citation."""

    cited: Sequence[float]
    uncited: Mapping[UUID, Sequence[float]]
    unknown: Sequence[float]

    @property
    def rate(self) -> float:
        """The part of what is of use that runs cite, `MIN_RATE` to 1, were confidence right about all but uncited."""
        expected = sum(self.cited) + sum(self.unknown)
        return min(max(len(self.cited) / expected, MIN_RATE), 1.0) if expected else 1.0

    @property
    def every(self) -> list[CitationOutcome]:
        """Each with its usefulness. What is unknown has what its confidence leaves to one that was not cited: without
        it, citations would look more frequent than they are, and with 0 a habit of citing little would count as use."""
        rate = self.rate
        return [
            *(CitationOutcome(each, 1.0) for each in self.cited),
            *(CitationOutcome(each, 0.0) for each in chain.from_iterable(self.uncited.values())),
            *(CitationOutcome(each, each * (1 - rate) / (1 - each * rate)) for each in self.unknown),
        ]


def find_outcomes(
    contexts: Sequence[GivenContext], *, ever_cited: Collection[UUID], independent: Collection[UUID]
) -> Outcomes:
    """Return the outcomes of one layer in these contexts, the newest of which come first.

    Cited is an item where the run cited it and an `independent` reference counts for it; uncited one that was given ten
    times and that no run has `ever_cited`. What only its author cites is left out.
    """
    found: defaultdict[UUID, list[tuple[float, bool]]] = defaultdict(list)
    for context in contexts:
        if context.is_telling:
            for item, confidence in context.confidences.items():
                if item in independent or item not in ever_cited:
                    found[item].append((confidence, item in context.cited))
    never = {item for item, given in found.items() if item not in ever_cited and len(given) >= MIN_UNCITED}
    newest = {item: given[:MAX_OF_ITEM] for item, given in found.items()}
    others = [each for item, given in newest.items() if item not in never for each in given]
    return Outcomes(
        cited=[confidence for confidence, is_cited in others if is_cited],
        uncited={item: [confidence for confidence, _ in newest[item]] for item in never},
        unknown=[confidence for confidence, is_cited in others if not is_cited],
    )
