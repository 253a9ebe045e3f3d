"""Propositions: who a clause is about, what it says of it, and the phrases behind its verb. Pure; English.

A shallow parse without a tagger: what stands before the first verb is the subject; phrases end at prepositions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from memory.memories.replacement.clause_verbs import (
    begins_with_past,
    find_verb,
    guess_verb,
    is_order,
    is_participle,
    is_verb,
    read_verb_group,
)
from memory.memories.replacement.noun_phrases import (
    ADVERBS,
    FREQUENCIES,
    PREPOSITIONS,
    PRONOUNS,
    TIMES,
    Phrase,
    build_phrase,
    read_first_phrase,
    read_phrases,
    read_single_amounts,
    read_subject_phrase,
)
from memory.memories.replacement.phrase_matcher import IRREGULAR_FORMS
from memory.memories.replacement.text_features import SeenValue, SeenWord, read_sketch

PARTICLES = frozenset({"up", "down", "out", "off", "over", "away", "back", "on", "in", "forward", "through"})
_JOINTS = frozenset(
    {"and", "but", "so", "because", "while", "when", "after", "although", "which", "who", "since", "as"}
)
_TITLES = frozenset({"Mr", "Mrs", "Ms", "Dr", "Prof", "St"})
_ENDS_OF_CLAUSE = frozenset({".", ";", ":", "!", "?"})


@dataclass(frozen=True)
class Proposition:
    """A clause: its subject, its verb with a particle, what follows, and its cues."""

    subject: Phrase
    verbs: tuple[str, ...]
    particle: str
    phrases: tuple[Phrase, ...]
    is_denied: bool
    is_over: bool
    is_now: bool
    is_passive: bool
    is_past: bool  # it was so, and nothing happens
    first: int
    last: int
    said: tuple[Phrase, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        is_what = self.verb in {"be", "becom"}
        object.__setattr__(
            self,
            "said",
            tuple(each for at, each in enumerate(self.phrases) if _is_said(each, may_be_time=is_what and at == 0)),
        )

    @property
    def verb(self) -> str:
        return self.verbs[-1] if self.verbs else ""

    @property
    def object(self) -> Phrase | None:
        """The first phrase behind the verb that is not a time."""
        return next(iter(self.said), None)


def _is_said(phrase: Phrase, *, may_be_time: bool) -> bool:
    """Return whether a phrase is neither a time, nor says since when or how often."""
    if may_be_time and phrase.words and not phrase.preposition:
        return True  # "my favourite season is summer"
    is_when = phrase.kind in TIMES or phrase.preposition in FREQUENCIES | {"since", "until", "till"}
    return bool(phrase.words) and not is_when


@lru_cache(maxsize=2_048)
def read_propositions(text: str) -> tuple[Proposition, ...]:
    """Return the clauses of a text that have a verb; a pronoun stands for the subject before it."""
    sketch = read_sketch(text)
    items = {item.place: item for item in (*read_single_amounts(sketch.tokens), *sketch.items)}
    found: list[Proposition] = []
    subject: Phrase | None = None
    spoken, is_since = _without_lead(sketch.tokens)
    for tokens in split_clauses(spoken):
        read = _read_clause(tokens, items, subject, _thing(found))
        if read is not None and is_since and not found:
            read = replace(read, is_now=True)
        if read is None and found:  # "has a new slot, Thursdays at three"
            last = found[-1]
            found[-1] = replace(
                last,
                phrases=(*last.phrases, *read_phrases(tokens, items)),
                is_now=last.is_now or _has_cue(tokens, _NOW),
                last=tokens[-1].place,
            )
        elif read is None:  # an unknown verb; who comes first is the subject
            subject = read_first_phrase(tokens, items) or subject
        else:
            found.append(read)
            subject = read.subject if read.subject.words or read.subject.owners else subject
    return tuple(found) or _read_label(spoken, items)


def _thing(found: Sequence[Proposition]) -> Phrase | None:
    """Return what the last clause did something to, which "it" is: "picked up my bike, it's in the shed"."""
    last = found[-1].object if found and not found[-1].subject.words else None
    return last if last is not None and not last.is_name and last.preposition in {"", found[-1].particle} else None


def _without_lead(tokens: Sequence[SeenWord]) -> tuple[Sequence[SeenWord], bool]:
    """Return a text without the time it begins with, and whether there was one: "Since March the manager is Kenji"."""
    if not tokens or tokens[0].text.lower() not in {"from", "since", "as", "after", "following", "because", "due"}:
        return tokens, False
    for at, token in enumerate(tokens[:MAX_LEAD]):
        if at > 1 and (token.text == "," or token.text.lower() in _STARTS):
            return tokens[at + (token.text == ",") :], True
    return tokens, False


def _read_label(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> tuple[Proposition, ...]:
    """Return "emergency line: 112" as what the line is."""
    at = next((token.place - tokens[0].place for token in tokens if token.text == ":"), 0)
    if not 0 < at <= MAX_LABEL:
        return ()
    phrases = tuple(read_phrases([token for token in tokens[at + 1 :] if token.text != "."], items))
    subject = build_phrase("", tokens[:at], items)
    first, last = tokens[0].place, tokens[-1].place
    flags = {"is_denied": False, "is_over": False, "is_now": False, "is_passive": False, "is_past": False}
    return (Proposition(replace(subject, is_name=False), ("be",), "", phrases, first=first, last=last, **flags),)


MAX_LEAD = 8
MAX_LABEL = 4
_STARTS = frozenset({"i", "we", "the", "my", "our", "he", "she", "they"})


def split_clauses(tokens: Sequence[SeenWord]) -> Iterator[list[SeenWord]]:
    part: list[SeenWord] = []
    for at, token in enumerate(tokens):
        if not part and token.text.lower() in _JOINTS:
            continue
        if token.text == "." and at and tokens[at - 1].text in _TITLES:
            continue
        is_end = token.text in _ENDS_OF_CLAUSE or token.text == ","
        if is_end or (token.text.lower() in _JOINTS and part and _begins_clause(tokens, at + 1)):
            if part:
                yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _begins_clause(tokens: Sequence[SeenWord], at: int) -> bool:
    """Return whether a verb, or a subject with its verb, comes next."""
    rest = [token for token in tokens[at : at + 6] if token.lemma not in ADVERBS]
    if not rest:
        return False
    if rest[0].text.lower() in PRONOUNS - {"this", "that", "who", "what"} or is_verb(rest[0]):
        return True
    for token in rest[1:5]:
        if token.text in _ENDS_OF_CLAUSE or token.text == "," or token.text.lower() in PREPOSITIONS:
            return False
        if is_verb(token):
            return True
    return False


def _read_clause(
    tokens: Sequence[SeenWord], items: dict[int, SeenValue], subject: Phrase | None, thing: Phrase | None
) -> Proposition | None:
    at = 0 if begins_with_past(tokens) else find_verb(tokens)
    if at is None:  # "Mario's charges 30 euros"
        at = find_verb(tokens, may_follow_owner=True)
    if at is None and is_order(tokens[0]):  # "Send invoices to …"
        at = 0
    if at is None:
        at = guess_verb(tokens)
    if at is None:
        return None
    own = read_subject_phrase(tokens[:at], items)
    resolved, is_shown = own, False
    if _is_pronoun(tokens[:at]):
        resolved = subject if subject is not None else _unsaid(tokens, at) or own
        if thing is not None and tokens[0].text.lower() == "it":
            resolved, is_shown = replace(thing, preposition=""), True
    verbs, end = read_verb_group(tokens, at)
    behind = tokens[end:]
    particle = behind[0].text.lower() if behind and behind[0].text.lower() in PARTICLES else ""
    near = tokens[: end + 1]
    is_denied = bool({token.lemma for token in tokens} & {"not", "never"}) or bool(
        {token.lemma for token in near} & {"no", "nobodi", "none"}
    )
    is_passive = bool({"be", "get"} & set(verbs[:-1])) and is_participle(tokens[end - 1])
    return Proposition(
        subject=resolved,
        verbs=tuple(verbs),
        particle=particle,
        phrases=tuple(read_phrases(behind, items)),
        is_denied=is_denied and not _has_cue(tokens, (" no longer ",)),
        is_over=_has_cue(tokens, _OVER) or (is_denied and _has_cue(tokens, (" after all ",))),
        is_now=is_shown or _has_cue(tokens, _NOW),
        is_passive=is_passive,
        is_past=tokens[at].text.lower() in {"was", "were", "had"}
        and not is_passive
        and (at + 1 >= len(tokens) or tokens[at + 1].text.lower() not in {"to", "enough"}),
        first=tokens[0].place,
        last=tokens[-1].place,
    )


def _has_cue(tokens: Sequence[SeenWord], cues: Sequence[str]) -> bool:
    text = f" {' '.join(token.text.lower() for token in tokens)} "
    return any(cue in text for cue in cues)


_OVER = (" no longer ", " anymore ", " any more ", " any longer ", " no more ")
_NOW = (
    " now ", " nowadays ", " these days ", " from now on ", " as of ", " by now ", " instead ", " since ",
    " lately ", " recently ", " at last ", " finally ", " new ", " again ", " just ", " from this ", " at present ",
    " for good ", " no longer ", " anymore ", " henceforth ",
)  # fmt: skip


def _unsaid(tokens: Sequence[SeenWord], at: int) -> Phrase | None:
    """Return the speaker where no subject is named and something happened: "Gave up the room", "Finally got a van"."""
    if any(token.lemma not in ADVERBS for token in tokens[:at]):
        return None
    verb = tokens[at].text.lower()
    is_past = verb.endswith("ed") or (verb in IRREGULAR_FORMS and tokens[at].lemma not in {"be", "do"})
    return Phrase("", (), frozenset({"i"}), is_name=False, place=tokens[0].place) if is_past and at <= 2 else None


def _is_pronoun(tokens: Sequence[SeenWord]) -> bool:
    words = [token.text.lower() for token in tokens if token.lemma not in ADVERBS]
    return not words or words[0] in {"he", "she", "they", "it", "who", "which", "that"}
