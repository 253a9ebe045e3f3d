"""Answering without a model: quoting what was recalled and what was said, honestly. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from core.english.lexemes import with_near_forms
from core.english.replies import only_asks
from core.text import lexemes, split_sentences
from core.text.prompt_sanitiser import flat_excerpt, flatten
from memory.citations.quoting_answers import NEAREST_INTRO, NOTHING_FOUND, QUOTED_INTRO, is_quoting_answer
from memory.recall.budget import GAP, Filled, Item

QUOTED = 5
CITABLE = frozenset({"facts", "memories", "nodes"})
# Facts are in every context, whether they come near to the question or not.
NEAR = ("memories", "nodes")
# Why this answers, and no model.
NO_MODEL = "No model is configured"
# A line must have this fraction of the question's telling words, by their worth, and this part of what the best line
# has. One of them is enough for what the search found; of all that was said, many a sentence has one.
MIN_SHARE = 0.3
MIN_OF_BEST = 0.6
MIN_WORDS_SAID = 2
# A name that this fraction of the lines has says less than what is asked about it. So do verbs for anything.
WORTH_OF_THE_WEAK, COMMON = 0.5, 0.25
# What bears on the question with this confidence is quoted whatever its words are: so much of the whole text.
SURE, SURE_CHARACTERS = 0.2, 400
# Where nothing has its words, what comes nearest is quoted: the number of lines, and their least confidence.
NEAREST, NEAREST_CONFIDENCE = 2, 0.01
LIGHT_VERBS = frozenset({"come", "get", "give", "go", "know", "make", "say", "take", "tell"})
_NAME = re.compile(r"(?<=[^.!?] )[A-Z][\w'’-]*")
_TURNS = re.compile(r"^- \(\d+ turns\) ")


# A recent message: who stands behind it, as contexts say it, and what it says.
Said = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Quotable:
    """A line that may be quoted if it has enough of the question's words, or surely bears on it whatever its words are.

    `score` and `confidence` are the search's, if any; what it found first is quoted with any word of the question.
    """

    line: str
    words: frozenset[str]
    score: float = 0.0
    least_words: int = 1
    is_sure: bool = False
    confidence: float = 0.0
    is_first: bool = False


@dataclass(frozen=True, slots=True)
class _EarlierText:
    """What was said earlier, or was kept of it: where it is from, and how surely it bears on the question."""

    source: str
    text: str
    confidence: float
    is_guidance: bool

    @property
    def is_sure(self) -> bool:
        return self.confidence >= SURE and not self.is_guidance

    @property
    def whole_line(self) -> str:
        return f"- {self.source}: {flat_excerpt(self.text, limit=SURE_CHARACTERS)}"


def extractive_answer(
    blocks: Sequence[Filled], *, question: str, said: Sequence[Said] = (), reason: str = NO_MODEL
) -> str:
    """Quote lines that have telling words of the question, best first; say so when there are none, and for what
    `reason` no model answers.

    Facts, memories and nodes come with their citations; episodes and `said`, the recent messages, by sentence, each
    behind who stands for it. Being near in meaning alone is not enough: the nearest is always near, also to a question
    about nothing that is known. Messages and statements that bear on the question with a confidence of `SURE` or more
    are quoted first, and whole. Where nothing is quoted for its words, what the search is least unsure of is quoted,
    and said to be no more than that. Guidance that may apply to any request answers none: it is quoted for its words,
    or where nothing else comes near.
    """
    found = [*_recalled_sentences(blocks, frozenset(lexemes(question))), *_sentences(blocks, said)]
    asked = _worths(question, found)
    shares = [(quotable, _share(quotable, asked)) for quotable in found]
    best = max((share for _, share in shares), default=0.0)
    least = max(MIN_SHARE, MIN_OF_BEST * best)
    ranked = sorted(shares, key=_rank, reverse=True)
    good = (each.line for each, share in ranked if each.is_sure or share >= least or (each.is_first and share))
    lines = list(dict.fromkeys(good))[:QUOTED]
    if lines:
        return "\n".join([f"{reason}, {QUOTED_INTRO}", *lines])
    near = _nearest_lines(blocks)
    return "\n".join([f"{reason}, {NEAREST_INTRO}", *near]) if near else f"{reason}, {NOTHING_FOUND}"


def _nearest_lines(blocks: Sequence[Filled]) -> list[str]:
    """Return what bears on the question with most confidence, whatever its words are."""
    named = {block.name: block.items for block in blocks}
    citable = [(item.opening or item.line, item.confidence or 0.0) for name in NEAR for item in named.get(name, ())]
    earlier = [each for each in _earlier_texts(named) if not _lacks_an_answer(each.text)]
    found = [*citable, *((each.whole_line, each.confidence) for each in earlier if not each.is_guidance)]
    ranked = sorted(found, key=lambda each: -each[1])
    near = [line for line, confidence in ranked if confidence >= NEAREST_CONFIDENCE]
    return (near or [each.whole_line for each in earlier if each.is_guidance])[:NEAREST]


def _rank(shared: tuple[_Quotable, float]) -> tuple[float, float, float]:
    """Return what a line is worth: first whether it surely bears on the question, then its words and the search."""
    each, share = shared
    return each.score if each.is_sure else 0.0, share + each.confidence, each.score


def _worths(question: str, found: Sequence[_Quotable]) -> dict[str, float]:
    """Return what each telling word of the question is worth: the fewer lines have it, the more; a weak one half."""
    asked = set(lexemes(question))
    holding = Counter(term for quotable in found for term in asked & quotable.words)
    names = set(lexemes(" ".join(_NAME.findall(question))))
    weak = LIGHT_VERBS | {name for name in names if holding[name] > COMMON * len(found) or not holding[name]}
    return {
        term: math.log(1 + len(found) / (1 + holding[term])) * (WORTH_OF_THE_WEAK if term in weak else 1.0)
        for term in asked
    }


def _lacks_an_answer(text: str) -> bool:
    """Return whether a message only asks, or is an earlier answer of this kind."""
    return is_quoting_answer(text) or only_asks(text.replace(GAP.strip(), " "))


def _share(quotable: _Quotable, asked: Mapping[str, float]) -> float:
    shared = asked.keys() & quotable.words
    if not shared or len(shared) < min(quotable.least_words, len(asked)):
        return 0.0
    return sum(asked[term] for term in shared) / sum(asked.values())


def _recalled_sentences(blocks: Sequence[Filled], asked: frozenset[str]) -> Iterator[_Quotable]:
    citable = [(block.name, item) for block in blocks if block.name in CITABLE for item in block.items]
    first = max((item.confidence or 0.0 for _, item in citable), default=0.0)
    for name, item in citable:
        line = item.opening or item.line  # of what is read behind its node, with the mark of that
        words = frozenset(lexemes(line))
        confidence = item.confidence or 0.0
        yield _Quotable(
            line,
            with_near_forms(words, asked) if name == "nodes" else words,
            item.score,
            confidence=confidence,
            is_first=0 < confidence == first,
        )


def _sentences(blocks: Sequence[Filled], said: Sequence[Said]) -> Iterator[_Quotable]:
    recalled = {block.name: block.items for block in blocks}
    episodes = (("Summarised earlier", _TURNS.sub("", item.line)) for item in recalled.get("episodes", ()))
    here = ((f"Said here {by}", text) for by, text in said)
    earlier = _earlier_texts(recalled)
    for each in earlier:
        if each.is_sure and not _lacks_an_answer(each.text):
            yield _Quotable(each.whole_line, frozenset(lexemes(each.text)), each.confidence, is_sure=True)
    doubtful = (
        (each.source, each.text)
        for each in earlier
        if not each.is_sure and not is_quoting_answer(each.text)  # quoted again, a quote has lost its mark
    )
    for source, text in chain(episodes, here, doubtful):
        for sentence in split_sentences(text.lstrip()):
            # An earlier question asked that, perhaps the same thing as now, and nothing was known.
            if not sentence.endswith("?") and not is_quoting_answer(sentence):
                words = frozenset(lexemes(sentence))
                yield _Quotable(f"- {source}: {flatten(sentence)}", words, least_words=MIN_WORDS_SAID)


def _earlier_texts(recalled: Mapping[str, Sequence[Item]]) -> list[_EarlierText]:
    """Return what was said earlier and what was kept of it."""
    messages = [
        _EarlierText(
            f"Said earlier {' '.join(filter(None, (item.day, item.provenance)))}",
            item.line.lstrip().removeprefix(item.provenance),
            item.confidence or 0.0,
            item.is_guidance,
        )
        for item in recalled.get("messages", ())
    ]
    statements = [
        _EarlierText("Kept from earlier", item.line, item.confidence or 0.0, item.is_guidance)
        for item in recalled.get("statements", ())
    ]
    return [*messages, *statements]
