"""Propositions: who a clause is about, what it says of it, and the phrases behind its verb. Pure; English.

A shallow parse without a tagger: what stands before the first verb is the subject; phrases end at prepositions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from memory.memories.replacement.event_lexicon import CHANGES, ENDS
from memory.memories.replacement.phrase_matcher import IRREGULAR_FORMS, lemma
from memory.memories.replacement.text_features import STOP, VERBS, SeenValue, SeenWord, read_sketch

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
_PREPOSITIONS = frozenset(_PREPOSITION_LIST.split())
_PARTICLES = frozenset({"up", "down", "out", "off", "over", "away", "back", "on", "in", "forward", "through"})
_AUXILIARY_LIST = """
    be have do get will can must may might shall should would could usedto start stop quit keep go need
"""
_AUXILIARIES = frozenset(_AUXILIARY_LIST.split())
_DETERMINER_LIST = """
    a an the my our his her their its your this that these those no every each all some any both
"""
_DETERMINERS = frozenset(_DETERMINER_LIST.split())
_OWNERS = {"my": "i", "our": "we", "his": "he", "her": "he", "their": "they", "its": "it", "mine": "i"}
_PRONOUN_LIST = """
    i we he she they it you who that this there what
"""
_PRONOUNS = frozenset(_PRONOUN_LIST.split())
_JOINTS = frozenset(
    {"and", "but", "so", "because", "while", "when", "after", "although", "which", "who", "since", "as"}
)
_TITLES = frozenset({"Mr", "Mrs", "Ms", "Dr", "Prof", "St"})
_ENDS_OF_CLAUSE = frozenset({".", ";", ":", "!", "?"})
_EVENT_VERBS = frozenset(lemma(phrase.split("_")[0]) for phrase in f"{ENDS} {CHANGES}".split()) - STOP - {"be", "back"}
_MORE_VERBS_LIST = """
    see date say hear love hate adore listen ride wear weigh teach sing swim smoke vape fast nap avoid skip count bank
    freelance track train maintain supervise support follow reach answer watch walk listen look find feel share supply
    earn sit need require want deploy manage commute volunteer enrol try fill cook bake drive live retire settle head
    quit put cut set let hit cost read lay usedto supervise fly reply employ park collect locate own renovate outgrow
    obsess suffer hurt grow
"""
_KNOWN_VERBS = VERBS | _EVENT_VERBS | frozenset(lemma(word) for word in _MORE_VERBS_LIST.split())
_INVARIANT = frozenset(
    {"quit", "put", "cut", "set", "let", "hit", "cost", "read", "shut", "split", "become", "come", "run"}
)
_NOT_VERBS = frozenset({"friday", "old", "home", "back", "new"})


TIMES = frozenset({"day", "date", "clock", "year", "span"})


@dataclass(frozen=True, slots=True)
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

    @property
    def head(self) -> str:
        return self.words[-1] if self.words else ""

    @property
    def roots(self) -> frozenset[str]:
        return frozenset(root(word) for word in self.words)


@dataclass(frozen=True, slots=True)
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

    @property
    def verb(self) -> str:
        return self.verbs[-1] if self.verbs else ""

    @property
    def object(self) -> Phrase | None:
        """The first phrase behind the verb that is not a time."""
        return next(iter(self.said), None)

    @property
    def said(self) -> list[Phrase]:
        """The phrases that are not a time, nor say since when or how often."""
        first = self.phrases[:1] if self.verb in {"be", "becom"} else ()
        return [
            each
            for each in self.phrases
            if each in first
            and each.words
            and not each.preposition
            or each.words
            and each.kind not in TIMES
            and each.preposition not in FREQUENCIES | {"since", "until", "till"}
        ]


def root(word: str) -> str:
    """Return the first letters of a compared word, so that "meditation" is "meditate"; all of one with a digit."""
    return word if any(map(str.isdigit, word)) else word[:6]


@lru_cache(maxsize=2_048)
def read_propositions(text: str) -> tuple[Proposition, ...]:
    """Return the clauses of a text that have a verb; a pronoun stands for the subject before it."""
    sketch = read_sketch(text)
    items = {item.place: item for item in (*_single_amounts(sketch.tokens), *sketch.items)}
    found: list[Proposition] = []
    subject: Phrase | None = None
    spoken, is_since = _without_lead(sketch.tokens)
    for tokens in _clauses(spoken):
        read = _read_clause(tokens, items, subject)
        if read is not None and is_since and not found:
            read = replace(read, is_now=True)
        if read is None and found:  # "has a new slot, Thursdays at three"
            last = found[-1]
            found[-1] = replace(
                last,
                phrases=(*last.phrases, *_phrases(tokens, items)),
                is_now=last.is_now or _has_cue(tokens, _NOW),
                last=tokens[-1].place,
            )
        elif read is None:  # an unknown verb; who comes first is the subject
            subject = _first_phrase(tokens, items) or subject
        else:
            found.append(read)
            subject = read.subject if read.subject.words or read.subject.owners else subject
    return tuple(found) or _labelled(spoken, items)


def _without_lead(tokens: Sequence[SeenWord]) -> tuple[Sequence[SeenWord], bool]:
    """Return a text without the time it begins with, and whether there was one: "Since March the manager is Kenji"."""
    if not tokens or tokens[0].text.lower() not in {"from", "since", "as", "after", "following", "because", "due"}:
        return tokens, False
    for at, token in enumerate(tokens[:MAX_LEAD]):
        if at > 1 and (token.text == "," or token.text.lower() in _STARTS):
            return tokens[at + (token.text == ",") :], True
    return tokens, False


def _labelled(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> tuple[Proposition, ...]:
    """Return "emergency line: 112" as what the line is."""
    at = next((token.place - tokens[0].place for token in tokens if token.text == ":"), 0)
    if not 0 < at <= MAX_LABEL:
        return ()
    phrases = tuple(_phrases([token for token in tokens[at + 1 :] if token.text != "."], items))
    subject = _phrase("", tokens[:at], items)
    first, last = tokens[0].place, tokens[-1].place
    flags = {"is_denied": False, "is_over": False, "is_now": False, "is_passive": False, "is_past": False}
    return (Proposition(replace(subject, is_name=False), ("be",), "", phrases, first=first, last=last, **flags),)


MAX_LEAD, MAX_LABEL = 8, 4
_STARTS = frozenset({"i", "we", "the", "my", "our", "he", "she", "they"})


def _single_amounts(tokens: Sequence[SeenWord]) -> Iterator[SeenValue]:
    """Yield amounts of one: "one cup", "a euro"."""
    for token, behind in zip(tokens, tokens[1:], strict=False):
        is_noun = behind.text.islower() and behind.lemma not in STOP
        if token.text.lower() == "one" and is_noun:
            yield SeenValue("number", "1", behind.lemma, token.place)
        elif token.text.lower() in {"a", "an"} and behind.lemma in _COINS:
            yield SeenValue("money", "1", behind.lemma, token.place)


_COINS = frozenset(lemma(word) for word in ("euro", "pound", "dollar", "quid", "franc"))


def _first_phrase(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Phrase | None:
    lead = list(tokens[:1])
    if lead and lead[0].text.lower() in _DETERMINERS:
        lead = list(tokens[:2])
    elif lead and not lead[0].is_name and lead[0].text.lower() not in _PRONOUNS:
        return None
    return _phrase("", lead, items)


def _clauses(tokens: Sequence[SeenWord]) -> Iterator[list[SeenWord]]:
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
    if rest[0].text.lower() in _PRONOUNS - {"this", "that", "who", "what"} or is_verb(rest[0]):
        return True
    for token in rest[1:5]:
        if token.text in _ENDS_OF_CLAUSE or token.text == "," or token.text.lower() in _PREPOSITIONS:
            return False
        if is_verb(token):
            return True
    return False


def is_verb(token: SeenWord) -> bool:
    """Return whether a word looks like a verb."""
    text = token.text
    if text.endswith(("er", "ers")) and token.lemma != text.removesuffix("s") and token.lemma != "deliv":
        return False  # "manager"
    if not text.islower() or token.is_owner or token.lemma in _NOT_VERBS:
        return False
    return (
        token.lemma in _KNOWN_VERBS
        or text in {"goes", "going"}
        or (text.endswith("ed") and len(text) > 4)
        or text in IRREGULAR_FORMS
    )


def _verb_place(tokens: Sequence[SeenWord], *, may_follow_owner: bool = False) -> int | None:
    for at, token in enumerate(tokens):
        before = next((each for each in reversed(tokens[:at]) if each.lemma not in ADVERBS), None)
        follows_pronoun = before is not None and before.text.lower() in {"i", "we", "he", "she", "they", "it", "you"}
        if token.lemma in ADVERBS or not token.text[:1].isalpha():
            continue
        if follows_pronoun and token.text.lower() not in _PREPOSITIONS | {"and", "or"}:
            return at
        is_noun = before is not None and (
            before.text.lower() in _DETERMINERS | _PREPOSITIONS - {"to"} or (before.is_owner and not may_follow_owner)
        )
        is_noun = is_noun or (at > 0 and token.lemma not in _AUXILIARIES and _is_before_verb(tokens[at + 1 :]))
        if is_verb(token) and not is_noun:
            return at
    return None


def _guess_verb(tokens: Sequence[SeenWord]) -> int | None:
    """Return the place of a verb that is not known: "Lena chews gum", "my daughter outgrew it"."""
    at = 2 if tokens[0].text.lower() in _DETERMINERS or (tokens[0].is_owner and not tokens[-1].is_owner) else 1
    while at < len(tokens) and (tokens[at].lemma in ADVERBS or (tokens[at].is_name and tokens[0].is_name)):
        at += 1
    is_subject = tokens[0].text.lower() in _DETERMINERS or tokens[0].is_name or tokens[0].is_owner
    if not is_subject or at >= len(tokens) or at > 4:
        return None
    word = tokens[at]
    is_form = word.text.islower() and word.text.isalpha() and len(word.text) > 3
    return (
        at if is_form and word.text.endswith(("s", "ed", "ew", "ung", "ank")) and not word.text.endswith("ss") else None
    )


def _is_order(token: SeenWord) -> bool:
    return token.lemma in _KNOWN_VERBS and not token.is_name and not token.text.endswith("ing")


def _is_before_verb(tokens: Sequence[SeenWord]) -> bool:
    """Return whether a finite verb comes next, so that what is before it is a noun: "my phone plan is"."""
    behind = next((each for each in tokens if each.lemma not in ADVERBS), None)
    if behind is None or behind.text.lower() in _FINITE:
        return behind is not None
    return is_verb(behind) and behind.text in _PASTS


_PASTS = frozenset(
    {
        "went",
        "rose",
        "fell",
        "came",
        "goes",
        "moved",
        "changed",
        "got",
        "dropped",
        "increased",
        "became",
        "go",
        "run",
        "live",
        "cost",
        "need",
        "use",
        "take",
        "start",
        "sit",
    }
)
_FINITE = frozenset(
    {"is", "are", "was", "were", "has", "had", "will", "costs", "cost", "starts", "takes", "does", "can"}
)


def _read_clause(tokens: Sequence[SeenWord], items: dict[int, SeenValue], subject: Phrase | None) -> Proposition | None:
    at = _verb_place(tokens)
    if at is None:  # "Mario's charges 30 euros"
        at = _verb_place(tokens, may_follow_owner=True)
    if at is None and _is_order(tokens[0]):  # "Send invoices to …"
        at = 0
    if at is None:
        at = _guess_verb(tokens)
    if at is None:
        return None
    own = _subject(tokens[:at], items)
    resolved = own
    if _is_pronoun(tokens[:at]):
        resolved = subject if subject is not None else _unsaid(tokens, at) or own
    verbs, end = _verb_group(tokens, at)
    behind = tokens[end:]
    particle = behind[0].text.lower() if behind and behind[0].text.lower() in _PARTICLES else ""
    near = tokens[: end + 1]
    is_denied = bool({token.lemma for token in tokens} & {"not", "never"}) or bool(
        {token.lemma for token in near} & {"no", "nobodi", "none"}
    )
    is_passive = bool({"be", "get"} & set(verbs[:-1])) and _is_participle(tokens[end - 1])
    return Proposition(
        subject=resolved,
        verbs=tuple(verbs),
        particle=particle,
        phrases=tuple(_phrases(behind, items)),
        is_denied=is_denied and not _has_cue(tokens, (" no longer ",)),
        is_over=_has_cue(tokens, _OVER) or (is_denied and _has_cue(tokens, (" after all ",))),
        is_now=_has_cue(tokens, _NOW),
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
    """Return the speaker where nobody is named and something happened: "Gave up the room", "Finally got a van"."""
    if any(token.lemma not in ADVERBS for token in tokens[:at]):
        return None
    verb = tokens[at].text.lower()
    is_past = verb.endswith("ed") or (verb in IRREGULAR_FORMS and tokens[at].lemma not in {"be", "do"})
    return Phrase("", (), frozenset({"i"}), is_name=False, place=tokens[0].place) if is_past and at <= 2 else None


def _subject(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Phrase:
    """Return what a clause is about, the noun last: "price of the basic plan" as "basic plan price"."""
    named = [token for token in tokens if token.lemma not in ADVERBS or token.is_name]
    cut = next((at for at, token in enumerate(named) if at and token.text.lower() in _PREPOSITIONS), len(named))
    return _phrase("", [*named[cut + 1 :], *named[:cut]], items)


def _is_pronoun(tokens: Sequence[SeenWord]) -> bool:
    words = [token.text.lower() for token in tokens if token.lemma not in ADVERBS]
    return not words or words[0] in {"he", "she", "they", "it", "who", "which", "that"}


def _is_participle(token: SeenWord) -> bool:
    return token.text.endswith(("ed", "en")) or (token.text in IRREGULAR_FORMS and not token.text.endswith("ing"))


def _verb_group(tokens: Sequence[SeenWord], at: int) -> tuple[list[str], int]:
    """Return the verbs from the first on, "has been working" as three, and where they end."""
    verbs, end = [_base(tokens[at])], at + 1
    while end < len(tokens) and verbs[-1] in _AUXILIARIES:
        ahead = end
        if verbs[-1] in {"have", "need"} and tokens[end].text.lower() == "to":
            ahead += 1
        while ahead < len(tokens) and tokens[ahead].lemma in ADVERBS:
            ahead += 1
        if ahead >= len(tokens) or not _continues_verb(tokens[ahead], verbs[-1]):
            break
        verbs.append(_base(tokens[ahead]))
        end = ahead + 1
    return verbs, end


def _base(token: SeenWord) -> str:
    return {"goe": "go", "going": "go", "doe": "do"}.get(token.lemma, token.lemma)


def _continues_verb(token: SeenWord, before: str) -> bool:
    if not token.text.islower():
        return False
    if before == "go":
        return token.text.endswith("ing")
    if token.text in _INVARIANT and before in {"have", "be"}:
        return True
    if before in {"need"}:
        return token.lemma in _KNOWN_VERBS
    if before in {"usedto", "do", "will", "can", "must", "may", "might", "shall", "should", "would", "could"}:
        return True
    is_form = token.text.endswith(("ing", "ed")) or token.text in IRREGULAR_FORMS
    return is_form and (
        token.lemma in _KNOWN_VERBS or before in {"be", "stop", "start", "quit", "keep"} or len(token.text) > 5
    )


FREQUENCIES = frozenset({"every", "each", "once", "twice", "times", "per"})
_SPANS = frozenset(
    lemma(word)
    for word in "day week weekend month year night morning evening afternoon summer winter spring autumn time while".split()
)


def _phrases(tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Iterator[Phrase]:
    preposition, part = "", list[SeenWord]()
    for token in tokens:
        low = token.text.lower()
        is_step = (low in _PREPOSITIONS or low in FREQUENCIES) and not token.is_name
        is_new = bool(part) and low in _DETERMINERS and any(map(_is_telling, part))
        if low == "of" and preposition in {"instead", "than"} and not part:
            continue
        if is_new:  # "made Zed the default editor"
            yield _phrase(preposition, part, items)
            preposition, part = "", []
        is_adverb = token.lemma in ADVERBS and not token.is_name
        if is_adverb and part and not any(map(_is_telling, part)):
            continue  # "a fully qualified electrician"
        if is_step or low in {"and", "or"} or is_adverb:
            if part:
                yield _phrase(preposition, part, items)
                preposition, part = "", []
            if is_step:
                preposition = low
        else:
            part.append(token)
    if part:
        yield _phrase(preposition, part, items)


def _phrase(preposition: str, tokens: Sequence[SeenWord], items: dict[int, SeenValue]) -> Phrase:
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
        bool(words) and (words[-1].is_name or words[-1].text != words[-1].text.lower()),
        tokens[0].place if tokens else -1,
        any(token.text.lower() in {"new", "different", "another"} for token in tokens),
        "span" if not kind and words and words[-1].lemma in _SPANS else kind,
        " ".join(each.value for each in values if each.kind == kind),
        values[0].unit if values else "",
        next((token.text.lower() for token in tokens if token.text.lower() in _DETERMINERS), ""),
        words[-1].text.lower() if words else "",
    )


def _is_telling(token: SeenWord) -> bool:
    low = token.text.lower()
    return token.is_name or not ((token.lemma in STOP and low != "quit") or low in _DETERMINERS or low in _PRONOUNS)
