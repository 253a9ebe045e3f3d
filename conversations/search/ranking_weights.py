"""How messages are ranked for a question, as data: a name, a version, and what each sign is worth. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class SignalWeights:
    """What each signal of a message adds to its score; every signal is in 0 to 1 (`search/ranking.py`)."""

    words: float = 0.0
    words_before: float = 0.0
    words_two_before: float = 0.0
    words_after: float = 0.0
    session_words: float = 0.0
    session_best_words: float = 0.0
    coverage: float = 0.0
    meaning: float = 0.0
    meaning_before: float = 0.0
    meaning_after: float = 0.0
    session_best_meaning: float = 0.0
    answers_words: float = 0.0
    answers_meaning: float = 0.0
    named_speaker: float = 0.0
    from_user: float = 0.0
    own_words: float = 0.0
    tells_of_self: float = 0.0
    length: float = 0.0
    asks: float = 0.0
    tells_time: float = 0.0
    in_month: float = 0.0
    near_day: float = 0.0


# What each signal is in the words of a reader, after "found by".
SIGNAL_WORDS: dict[str, str] = {
    "words": "its words",
    "words_before": "the words of the message before it",
    "words_two_before": "the words of the message two before it",
    "words_after": "the words of the message after it",
    "session_words": "the words of its session",
    "session_best_words": "the words of a message in its session",
    "coverage": "how many words of the question are in it",
    "meaning": "its meaning",
    "meaning_before": "the meaning of the message before it",
    "meaning_after": "the meaning of the message after it",
    "session_best_meaning": "the meaning of a message in its session",
    "answers_words": "the words of the question that it answers",
    "answers_meaning": "the meaning of the question that it answers",
    "named_speaker": "its speaker, whom the question names",
    "from_user": "being the user's",
    "own_words": "being the user's own words",
    "tells_of_self": "telling of the speaker",
    "length": "its length",
    "asks": "asking something",
    "tells_time": "telling a time",
    "in_month": "the month that the question names",
    "near_day": "the day that the question names",
}


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """One way to rank.

    k1, b: of BM25 (Robertson and Zaragoza 2009, formula 3.15). floor: two unrelated texts have about this cosine with
    the bundled model. candidates: that words and meaning each bring in from where there are too many to compare.
    """

    name: str
    k1: float
    b: float
    floor: float
    candidates: int
    weights: SignalWeights = field(default_factory=SignalWeights)

    @property
    def of_topic(self) -> RankingWeights:
        """The same for what is spread over sessions: there the others of its session say nothing for a message."""
        alone = replace(self.weights, session_words=0.0, session_best_words=0.0, session_best_meaning=0.0)
        return replace(self, weights=alone)


# Fitted to five conversations of LoCoMo and ten of BEAM-100K, and rounded: docs/reference/recall.md tells how, and what
# a conversation that was left out got.
RANKING_WEIGHTS = RankingWeights(
    name="messages-3",
    k1=0.9,
    b=0.4,
    floor=0.40,
    candidates=100,
    weights=SignalWeights(
        words=1.02,
        words_before=-0.27,
        words_two_before=0.28,
        words_after=-0.30,
        session_words=0.38,
        session_best_words=0.67,
        coverage=1.79,
        meaning=2.0,
        meaning_before=-0.48,
        meaning_after=0.83,
        session_best_meaning=1.43,
        answers_words=0.64,
        answers_meaning=0.40,
        named_speaker=0.44,
        from_user=0.63,
        own_words=0.29,
        tells_of_self=0.43,
        length=0.45,
        asks=-0.31,
        tells_time=0.90,
        in_month=1.23,
        near_day=0.94,
    ),
)
