"""Which of the drawn statements are kept: the most telling ones within a budget, the same one once. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from core.text import lexemes
from core.text.tokens import count_tokens
from core.text.transcripts import TranscriptTurn
from memory.episodes.drawn_statement import DrawnStatement
from memory.episodes.statement_rules import draw_candidates

# Statements take at most this fraction of the tokens of what they replace.
MAX_FRACTION = 1 / 3
MIN_BUDGET = 60  # tokens; a few short messages that are all worth keeping are not cut to a third of one
MIN_WORTH = 0.72
# Of little that was said, what a person says is kept with less worth: there is room for it.
LITTLE, MIN_WORTH_OF_LITTLE = 1_000, -1.0  # tokens
# What people tell of themselves for long is kept first, whatever else there is: of each message a few, together at most
# as many tokens as all messages. Beyond the third nothing else is added.
MAX_LASTING_OF_ONE = 3
# What another statement of the same message is worth less, so that few messages end without any.
AGAIN = 1.0
AGAIN_LASTING = 0.4  # of what lasts: one message may tell two prices
# More than a chunk of ordinary messages has; of monsters the most telling ones are compared with each other.
MAX_CANDIDATES = 600
TOKEN_COST = 0.006
SAME = 0.8


@dataclass(slots=True)
class _TakenStatements:
    """Statements that are taken, the same one once."""

    kept: list[DrawnStatement] = field(default_factory=list)
    tokens: int = 0
    _words: list[frozenset[str]] = field(default_factory=list)

    def take(self, candidates: Iterable[DrawnStatement], *, budget: int) -> None:
        """Take the candidates in their order that fit, until all that is taken has this many tokens."""
        for each in candidates:
            mine = frozenset(lexemes(each.text))
            is_known = any(len(mine & other) >= SAME * len(mine | other) for other in self._words)
            if is_known or self.tokens + each.tokens > budget:
                continue
            self.tokens += each.tokens
            self.kept.append(each)
            self._words.append(mine)


def _keeps_first(each: DrawnStatement, *, is_little: bool) -> bool:
    return each.is_lasting or (is_little and each.is_telling)


def _lasting(in_order: Iterable[DrawnStatement], *, is_little: bool) -> Iterator[DrawnStatement]:
    """Yield the lasting ones, of little that was said those that tell something as well; of each message a few."""
    number: Counter[int] = Counter()
    for each in in_order:
        if _keeps_first(each, is_little=is_little) and number[each.source] < MAX_LASTING_OF_ONE:
            number[each.source] += 1
            yield each


def draw_statements(messages: Sequence[TranscriptTurn]) -> list[DrawnStatement]:
    """Return the statements that stand for messages of one conversation, in their order."""
    return select_statements(draw_candidates(messages), messages)


def select_statements(
    drawn: Sequence[DrawnStatement], messages: Sequence[TranscriptTurn], *, most: float = MAX_FRACTION
) -> list[DrawnStatement]:
    """Return the most telling statements that together are within the budget, in their order, the same one once.

    The budget is `most` (0 to 1) of the tokens of the messages.
    """
    replaced = sum(count_tokens(message.content) for message in messages)
    budget = min(replaced, max(int(replaced * most), MIN_BUDGET))
    is_little = replaced <= LITTLE
    least = MIN_WORTH_OF_LITTLE if is_little else MIN_WORTH
    telling = [
        place
        for place, each in enumerate(drawn)
        if each.worth >= (least if messages[each.source].role == "user" else MIN_WORTH) or each.is_lasting
    ]
    best = sorted(telling, key=lambda place: -drawn[place].worth)[:MAX_CANDIDATES]
    candidates = [drawn[place] for place in sorted(best)]
    number: Counter[int] = Counter()
    ranked = []
    for each in sorted(candidates, key=lambda one: -one.worth):
        again = AGAIN_LASTING if _keeps_first(each, is_little=is_little) else AGAIN
        ranked.append((each.worth - again * number[each.source] - TOKEN_COST * each.tokens, each))
        number[each.source] += 1
    in_order = [each for _, each in sorted(ranked, key=lambda pair: -pair[0])]
    choice = _TakenStatements()
    first = _lasting(in_order, is_little=is_little)
    choice.take(first, budget=replaced)
    choice.take(in_order, budget=budget)
    kept = choice.kept
    order = {id(each): place for place, each in enumerate(candidates)}
    return sorted(kept, key=lambda each: order[id(each)])
