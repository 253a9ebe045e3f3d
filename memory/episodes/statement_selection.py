"""Which of the drawn statements are kept: the most telling ones within a budget, the same one once. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from core.text import lexemes
from core.text.tokens import count_tokens
from core.text.transcripts import TranscriptTurn
from memory.episodes.drawn_statement import DrawnStatement
from memory.episodes.statement_rules import draw_candidates

# Statements take at most this fraction of the tokens of what they replace.
MAX_FRACTION = 1 / 3
MIN_BUDGET = 60  # tokens; a few short messages that are all worth keeping are not cut to a third of one
MIN_WORTH = 0.72
# What another statement of the same message is worth less, so that few messages end without any.
AGAIN = 1.0
# More than a chunk of ordinary messages has; of monsters the most telling ones are compared with each other.
MAX_CANDIDATES = 600
TOKEN_COST = 0.006
SAME = 0.8


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
    telling = [place for place, each in enumerate(drawn) if each.worth >= MIN_WORTH]
    best = sorted(telling, key=lambda place: -drawn[place].worth)[:MAX_CANDIDATES]
    candidates = [drawn[place] for place in sorted(best)]
    number: Counter[int] = Counter()
    ranked = []
    for each in sorted(candidates, key=lambda one: -one.worth):
        ranked.append((each.worth - AGAIN * number[each.source] - TOKEN_COST * each.tokens, each))
        number[each.source] += 1
    kept: list[DrawnStatement] = []
    words: list[frozenset[str]] = []
    for _, each in sorted(ranked, key=lambda pair: -pair[0]):
        mine = frozenset(lexemes(each.text))
        if each.tokens > budget or any(len(mine & other) >= SAME * len(mine | other) for other in words):
            continue
        budget -= each.tokens
        kept.append(each)
        words.append(mine)
    order = {id(each): place for place, each in enumerate(candidates)}
    return sorted(kept, key=lambda each: order[id(each)])
