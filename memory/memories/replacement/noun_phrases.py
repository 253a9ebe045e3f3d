"""Noun phrases: what stands before the first verb, or behind a preposition, and whose it is. Pure; English."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from memory.memories.replacement.phrase_matcher import lemma, lemmas
from memory.memories.replacement.text_features import STOP, SeenValue, SeenWord

_ADVERB_LIST = """
    now just finally recently already currently still also never always usually actually officially really only no not
    longer since then eventually anymore more any nowadays instead again these days lately newly both all ever soon
    completely entirely fully last next ago yesterday today altogether there here too very even
    permanently
"""
ADVERBS = frozenset(lemma(word) for word in _ADVERB_LIST.split())
_PREPOSITION_LIST = """
    of for with from to in at on by about under near behind between into onto over off up down out through via
    after before since until till during per as around across above below instead than against within without along
"""
PREPOSITIONS = frozenset(_PREPOSITION_LIST.split())
_DETERMINER_LIST = """
    a an the my our his her their its your this that these those no every each all some any both
"""
DETERMINERS = frozenset(_DETERMINER_LIST.split())
_OWNERS = {"my": "i", "our": "we", "his": "he", "her": "he", "their": "they", "its": "it", "mine": "i"}
_PRONOUN_LIST = """
    i we he she they it you who that this there what
"""
PRONOUNS = frozenset(_PRONOUN_LIST.split())
TIMES = frozenset({"day", "date", "clock", "year", "span"})


@dataclass(frozen=True)
class Phrase:
    """A noun phrase: the preposition before it, its telling words with the last one as its head, and whose it is."""

    preposition: str
    words: tuple[str, ...]
    owners: frozenset[str]
    is_name: bool
    place: int
    is_new: bool = False
    kind: str = ""
    value: str = ""
    unit: str = ""
    determiner: str = ""
    last: str = ""  # the head as it is written
    roots: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        object.__setattr__(self, "roots", frozenset(map(root, self.words)))

    @property
    def head(self) -> str:
        return self.words[-1] if self.words else ""


def root(word: str) -> str:
    """Return the first letters of a compared word, so that "meditation" is "meditate"; all of one with a digit."""
    return word if any(map(str.isdigit, word)) else word[:6]


def read_single_amounts(tokens: Sequence[SeenWord]) -> Iterator[SeenValue]:
    """Yield amounts of one: "one cup", "a euro"."""
    for token, behind in pairwise(tokens):
        is_noun = behind.text.islower() and behind.lemma not in STOP
        if token.text.lower() == "one" and is_noun:
            yield SeenValue("number", "1", behind.lemma, token.place)
        elif token.text.lower() in {"a", "an"} and behind.lemma in _COINS:
            yield SeenValue("money", "1", behind.lemma, token.place)


_COINS = lemmas("euro pound dollar quid franc")


def read_first_phrase(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Phrase | None:
    lead = list(tokens[:1])
    if lead and lead[0].text.lower() in DETERMINERS:
        lead = list(tokens[:2])
    elif lead and not lead[0].is_name and lead[0].text.lower() not in PRONOUNS:
        return None
    return build_phrase("", lead, items)


def read_subject_phrase(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Phrase:
    """Return what a clause is about, the noun last: "price of the basic plan" as "basic plan price"."""
    named = [token for token in tokens if token.lemma not in ADVERBS or token.is_name]
    cut = next((at for at, token in enumerate(named) if at and token.text.lower() in PREPOSITIONS), len(named))
    return build_phrase("", [*named[cut + 1 :], *named[:cut]], items)


FREQUENCIES = frozenset({"every", "each", "once", "twice", "times", "per"})
_SPANS = lemmas("day week weekend month year night morning evening afternoon summer winter spring autumn time while")


def read_phrases(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Iterator[Phrase]:
    preposition, part = "", list[SeenWord]()
    for token in tokens:
        low = token.text.lower()
        is_step = (low in PREPOSITIONS or low in FREQUENCIES) and not token.is_name
        is_new = bool(part) and low in DETERMINERS and any(map(_is_telling, part))
        if low == "of" and preposition in {"instead", "than"} and not part:
            continue
        if is_new:  # "made Zed the default editor"
            yield build_phrase(preposition, part, items)
            preposition, part = "", []
        is_adverb = token.lemma in ADVERBS and not token.is_name
        if is_adverb and part and not any(map(_is_telling, part)):
            continue  # "a fully qualified electrician"
        if is_step or low in {"and", "or"} or is_adverb:
            if part:
                yield build_phrase(preposition, part, items)
                preposition, part = "", []
            if is_step:
                preposition = low
        else:
            part.append(token)
    if part:
        yield build_phrase(preposition, part, items)


def build_phrase(preposition: str, tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Phrase:
    named = [token for token in tokens if token.place in items or (token.text[:1].isalnum() and _is_telling(token))]
    owners = {_OWNERS[token.text.lower()] for token in tokens if token.text.lower() in _OWNERS}
    owners |= {token.lemma for token in tokens if token.is_owner}
    speakers = {token.text.lower() for token in tokens if not token.is_owner} & {"i", "me", "we", "us", "user"}
    owners |= {{"me": "i", "us": "we"}.get(word, word) for word in speakers}
    values = [items[token.place] for token in tokens if token.place in items]
    named = [token for token in named if token.text.lower() != "user"]
    if len(named) > 1 and named[-1].text in {"back", "away", "forward"}:  # "put the toolbox back"
        named.pop()
    words = [token for token in named if not token.is_owner] or named
    kind = values[0].kind if values else ""
    return Phrase(
        preposition,
        tuple(token.lemma for token in words),
        frozenset(owners),
        bool(words) and (words[-1].is_name or _has_capital(words[-1])),
        tokens[0].place if tokens else -1,
        any(token.text.lower() in {"new", "different", "another"} for token in tokens),
        "span" if not kind and words and words[-1].lemma in _SPANS else kind,
        " ".join(each.value for each in values if each.kind == kind),
        values[0].unit if values else "",
        next((token.text.lower() for token in tokens if token.text.lower() in DETERMINERS), ""),
        words[-1].text.lower() if words else "",
    )


def _has_capital(token: SeenWord) -> bool:
    """Return whether a word is written as a name is; of the first one of a text the first letter says nothing."""
    letters = token.text[1:] if token.place == 0 else token.text
    return letters != letters.lower()


def _is_telling(token: SeenWord) -> bool:
    low = token.text.lower()
    return token.is_name or not ((token.lemma in STOP and low != "quit") or low in DETERMINERS or low in PRONOUNS)
