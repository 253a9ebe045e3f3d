"""What the words of a query are worth, and which of them may find nodes. Pure: counts in, decisions out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordCounts:
    """In how many of `total` nodes each word occurs."""

    holding: Mapping[str, int]
    total: int

    def worth(self, word: str) -> float:
        """The inverse document frequency of BM25: what few nodes have says more about those that have it."""
        return math.log1p((self.total - self.holding[word] + 0.5) / (self.holding[word] + 0.5))

    def finders(self, *, most: float) -> str:
        """A tsquery that finds about `most` (a share of all nodes) of them.

        The rarest words find, as many as there is room for; the common ones only rank, since what has nothing but
        those would come last anyway. Where every word is common, the rarest ones must occur together.
        """
        rarest_first = sorted(self.holding, key=self.holding.__getitem__)
        either: list[str] = []
        share = 0.0
        for word in rarest_first:
            share += self.holding[word] / self.total
            if share > most:
                break
            either.append(word)
        if either:
            return " | ".join(either)
        together: list[str] = []
        share = 1.0
        for word in rarest_first:
            together.append(word)
            share *= self.holding[word] / self.total
            if share <= most:
                break
        return " & ".join(together)
