"""What the words of a query are worth, and which of them may bring in nodes. Pure: counts in, decisions out."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, combinations

PAIRED = 8  # of the commoner words of a query are looked for in pairs


@dataclass(frozen=True, slots=True)
class WordCounts:
    """In how many of `total` nodes each word occurs; the words are lexemes in tsquery's quotes."""

    holding: Mapping[str, int]
    total: int

    def worth(self, word: str) -> float:
        """Return the inverse document frequency of BM25: what few nodes have says more about those that have it."""
        return math.log1p((self.total - self.holding[word] + 0.5) / (self.holding[word] + 0.5))

    def rarest(self, most: int) -> WordCounts:
        """Return the counts of the `most` rarest words."""
        words = sorted(self.holding, key=self.holding.__getitem__)[:most]
        return WordCounts({word: self.holding[word] for word in words}, self.total)

    @property
    def any(self) -> str:
        """A tsquery for whatever has at least one of the words."""
        return " | ".join(self.holding)

    def telling(self, *, alone: float, most: float) -> str:
        """Return a tsquery that brings in about `most` (a ratio) of all nodes; '' where words cannot tell that few
        apart.

        As many of the rarest words as fit into the share `alone`, and whatever has two of the next ones: what has only
        one of those would come last anyway. Where every word is common, the rarest ones together.
        """
        shares = {word: self.holding[word] / self.total for word in sorted(self.holding, key=self.holding.__getitem__)}
        rarest = _fitting(shares, alone)
        paired = combinations(list(shares)[len(rarest) :][:PAIRED], 2)
        pairs = {f"{word} & {other}": shares[word] * shares[other] for word, other in paired}
        found = [*rarest, *_fitting(pairs, most - sum(shares[word] for word in rarest))]
        if found:
            return " | ".join(found)
        together = list(accumulate(shares.values(), operator.mul))
        needed = next((place for place, share in enumerate(together, start=1) if share <= most), 0)
        return " & ".join(list(shares)[:needed])


def _fitting(shares: Mapping[str, float], most: float) -> list[str]:
    """Return the rarest of these that together are at most this ratio."""
    ranked = sorted(shares, key=shares.__getitem__)
    return [
        each for each, share in zip(ranked, accumulate(shares[each] for each in ranked), strict=True) if share <= most
    ]
