"""A seeded world of memories: invented words with Zipf's frequencies, topics, and vectors shaped like an embedder's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Vectors = NDArray[np.float64]

VOCABULARY = 30_000
TOPICS = 500
WORDS_OF_A_TOPIC = 150
MATTERS_OF_A_TOPIC = 12
DIMENSIONS = 384

# Fitted to bge-small on 24,000 real sentences and questions about them (docs/why/search.md): the length of the mean
# vector, how fast the spectrum falls, and the fraction that two texts of a topic, or of one matter in it, have in
# common.
COMMON, COMMON_OF_QUERY = 0.70, 0.62
SPECTRUM = np.arange(1, DIMENSIONS + 1) ** -0.39
OF_TOPIC, OF_MATTER, OF_QUERY = 0.25, 0.20, 0.35

_ONSETS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "br", "dr", "kl", "pr", "st", "tr")
_SYLLABLES = [onset + vowel for onset in _ONSETS for vowel in "aeiou"]
_ZIPF = np.cumsum(1 / np.arange(1, VOCABULARY + 1))


@dataclass(frozen=True, slots=True)
class Text:
    """An invented memory. `matter` is the direction of what it is about, `vector` the unit vector of what it says."""

    topic: int
    words: list[str]
    matter: Vectors
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Query:
    """Two to twelve words, common and rare, and the unit vector that an embedder might give them."""

    text: str
    vector: Vectors


class World:
    """The language and the topics, the same for every seed of texts."""

    def __init__(self) -> None:
        random = np.random.default_rng(0)
        syllables = random.choice(_SYLLABLES, size=(2 * VOCABULARY, 4))
        lengths = random.integers(2, 5, size=2 * VOCABULARY)
        invented = ("".join(row[:length]) for row, length in zip(syllables, lengths, strict=True))
        self._words = list(dict.fromkeys(invented))[:VOCABULARY]
        # A topic's own words are neither the most common of all nor the rarest.
        self._topic_words = random.integers(100, VOCABULARY // 2, size=(TOPICS, WORDS_OF_A_TOPIC))
        self._topics = _directions(random, TOPICS)
        self._matters = _directions(random, TOPICS * MATTERS_OF_A_TOPIC).reshape(TOPICS, MATTERS_OF_A_TOPIC, -1)
        self._middle = _unit(random.standard_normal(DIMENSIONS))

    def texts(self, *, seed: int, count: int) -> Iterator[Text]:
        """Memories of 8 to 40 words, half of them words of one topic; a longer list begins with the shorter one."""
        random = np.random.default_rng([seed, 1])
        for _ in range(count):
            topic = int(random.integers(TOPICS))
            place = _zipf(random, 1, among=MATTERS_OF_A_TOPIC)[0]
            matter = _mix(self._topics[topic], self._matters[topic, place], share=OF_TOPIC / (OF_TOPIC + OF_MATTER))
            said = _mix(matter, _directions(random, 1)[0], share=OF_TOPIC + OF_MATTER)
            length = int(random.integers(8, 41))
            words = [*self._common_words(random, length // 2), *self._words_of(random, topic, length - length // 2)]
            yield Text(topic, words, matter, self._vector(said, common=COMMON))

    def many(self, *, seed: int, count: int) -> tuple[list[Text], Vectors]:
        """Texts of the same shape as `texts`, and their vectors, drawn all at once, which is far quicker."""
        random = np.random.default_rng([seed, 3])
        topics = random.integers(TOPICS, size=count)
        matters = self._matters[topics, _zipf(random, count, among=MATTERS_OF_A_TOPIC)]
        matters = _mix(self._topics[topics], matters, share=OF_TOPIC / (OF_TOPIC + OF_MATTER))
        said = _mix(matters, _directions(random, count), share=OF_TOPIC + OF_MATTER)
        vectors = COMMON * self._middle + np.sqrt(1 - COMMON**2) * said
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        common = np.array(self._words)[_zipf(random, 12 * count, among=VOCABULARY)].reshape(count, 12)
        own = self._topic_words[topics[:, None], _zipf(random, 12 * count, among=WORDS_OF_A_TOPIC).reshape(count, 12)]
        words = np.concatenate([common, np.array(self._words)[own]], axis=1).tolist()
        return [Text(*parts) for parts in zip(topics.tolist(), words, matters, vectors, strict=True)], vectors

    def queries_about(self, texts: Sequence[Text], *, seed: int) -> list[Query]:
        """One for each text: some of its words, and some that are merely common."""
        random = np.random.default_rng([seed, 2])
        return [self._query(random, text, length=2 + place % 11) for place, text in enumerate(texts)]

    def queries(self, *, seed: int, count: int) -> list[Query]:
        """One for each of the first memories of a seed: some of its words, and some that are merely common."""
        return self.queries_about(list(self.texts(seed=seed, count=count)), seed=seed)

    def _query(self, random: Generator, text: Text, *, length: int) -> Query:
        own = random.choice(text.words, size=(length + 1) // 2)
        words = random.permutation([*own, *self._common_words(random, length // 2)])
        meant = _mix(text.matter, _directions(random, 1)[0], share=OF_QUERY)
        return Query(" ".join(words), self._vector(meant, common=COMMON_OF_QUERY))

    def _common_words(self, random: Generator, count: int) -> list[str]:
        return [self._words[place] for place in _zipf(random, count, among=VOCABULARY)]

    def _words_of(self, random: Generator, topic: int, count: int) -> list[str]:
        places = self._topic_words[topic][_zipf(random, count, among=WORDS_OF_A_TOPIC)]
        return [self._words[place] for place in places]

    def _vector(self, direction: Vectors, *, common: float) -> Vectors:
        return _unit(common * self._middle + np.sqrt(1 - common**2) * direction)


def _zipf(random: Generator, count: int, *, among: int) -> NDArray[np.int64]:
    """Places in a list, by Zipf's law: the second is drawn half as often as the first."""
    places: NDArray[np.int64] = np.searchsorted(_ZIPF[:among], random.random(count) * _ZIPF[among - 1])
    return places


def _directions(random: Generator, count: int) -> Vectors:
    """Random vectors of about unit length that differ more in some dimensions than in others."""
    return random.standard_normal((count, DIMENSIONS)) * (SPECTRUM / np.linalg.norm(SPECTRUM))


def _mix(one: Vectors, other: Vectors, *, share: float) -> Vectors:
    mixed: Vectors = np.sqrt(share) * one + np.sqrt(1 - share) * other
    return mixed


def _unit(vector: Vectors) -> Vectors:
    unit: Vectors = vector / np.linalg.norm(vector)
    return unit
