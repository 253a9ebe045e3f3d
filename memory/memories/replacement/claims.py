"""Claims: of whom or what a clause states which attribute, and with which value. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from memory.memories.replacement.claim_values import ClaimValue, plain_words, read_value
from memory.memories.replacement.clauses import MAX_CHARACTERS, MAX_WORDS, Clause, read_clauses
from memory.memories.replacement.lexicon import RELATIONS
from memory.memories.replacement.text_features import Sketch, read_sketch

FIRST_PERSON, USER, GROUP = "@i", "@user", "@we"
# The attribute of a clause that no frame fits.
BARE, MAX_BARE = "words", 12
MAX_SUBJECT, MAX_SHORT = 6, 3
_SPEAKERS = {"i": FIRST_PERSON, "my": FIRST_PERSON, "me": FIRST_PERSON, "we": GROUP, "our": GROUP, "us": GROUP}
_NOBODY_LIST = """
    he she they it this that these those there who what which someone somebody everyone everybody people one
    anyone nobody nothing something everything all none many most some few others another each either neither
    both here when where how why not if as but or because since while
"""
_NOBODY = frozenset(_NOBODY_LIST.split())
_NOT_IN_SUBJECT = re.compile(
    r"(?i)[,;:()]|\b(?:is|are|was|were|has|have|had|will|to|that|which|who|when|because|if|than|"
    r"with|from|into|by|as|not)\b"
)


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """One statement: the `attribute` of a subject has a value, or has it no longer (`is_denied`).

    `is_single`: two values exclude each other. `is_change`: the sentence says that something is different now.
    `old` is the value that it says is over; `ends_any` marks what ends a state whatever it is called ("sold the car").
    `vocabulary` are the words of sentences about the same attribute.
    """

    subject: frozenset[str]
    attribute: str
    value: ClaimValue | None
    is_denied: bool = False
    is_single: bool = False
    is_change: bool = False
    is_adding: bool = False
    is_future: bool = False
    old: ClaimValue | None = None
    ends_any: bool = False
    vocabulary: tuple[str, ...] = ()
    starts: date | None = None
    head: str = ""

    @property
    def is_person(self) -> bool:
        return bool(self.subject & {FIRST_PERSON, USER, GROUP}) or bool(re.fullmatch(rf"(?i){RELATIONS}", self.head))


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text states. `is_plain` texts consist of one claim, and are over with it.

    `sketch` is None for a long text, or one that asks: it states nothing.
    """

    claims: tuple[StatedClaim, ...]
    is_plain: bool
    clauses: tuple[Clause, ...] = ()
    sketch: Sketch | None = None

    @property
    def may_replace(self) -> bool:
        """Return whether it states anything that could end what another text says."""
        return bool(self.claims) or (self.sketch is not None and not self.sketch.blocks)

    @property
    def telling_words(self) -> list[str]:
        """Return the words by which texts about the same are found, names first."""
        tokens = (
            [] if self.sketch is None else [each for each in self.sketch.tokens if each.lemma in self.sketch.content]
        )
        return list(dict.fromkeys(each.text.lower() for each in sorted(tokens, key=lambda each: not each.is_name)))

    @property
    def has_speaker(self) -> bool:
        """Return whether "I", "we" or "the user" is spoken of."""
        return self.sketch is not None and bool(self.sketch.speaks)


def read_subject(text: str) -> frozenset[str] | None:
    """Return the words that name a subject, with `@i`, `@user` and `@we` for those who speak; None for a pronoun."""
    plain = text.strip(" ,")
    if not plain or len(plain.split()) > MAX_SUBJECT or _NOT_IN_SUBJECT.search(plain):
        return None
    words: list[str] = []
    written = re.sub(r"(?i)\b(?:the )?user(?:'s)?(?= |$)", USER, plain)
    begins_a_phrase = bool(re.match(r"[A-Z]\w+s (?:for|of|to|at|in) ", written))
    for place, word in enumerate(re.findall(r"@user|[^\W_]+(?:[.'&+/:-][^\W_]+)*[+#]*", written)):
        bare = word.lower()
        bare = bare.removesuffix("'s").removesuffix("s'") if bare.endswith(("'s", "s'")) else bare
        is_common = word.islower() or (place == 0 and begins_a_phrase)
        if is_common and len(bare) > MAX_SHORT and bare.endswith("s") and not bare.endswith(("ss", "us", "is")):
            bare = bare[:-1]  # "tickets" are about "a ticket"
        words.append(_SPEAKERS.get(bare, bare))
    told = frozenset(word for word in words if word not in {"the", "a", "an", "new", "current", "own", "of", "for"})
    return None if not told or told & _NOBODY or told & {"his", "her", "their", "its", "your", "you"} else told


def build_claim(
    subject: str,
    attribute: str,
    value: str,
    clause: Clause,
    *,
    is_single: bool = False,
    is_change: bool = False,
    old: str = "",
    is_qualified: bool = False,
    is_denied: bool | None = None,
    ends_any: bool = False,
    vocabulary: str = "",
    owner: frozenset[str] | None = None,
) -> StatedClaim | None:
    """Return a claim made of texts; None where the subject is a pronoun or the value no value."""
    known = read_subject(subject) if owner is None else owner
    read = read_value(value, is_qualified=is_qualified) if value else None
    if known is None or (value and read is None):
        return None
    words = subject.split()
    return StatedClaim(
        known,
        attribute,
        read,
        is_denied=clause.is_denied if is_denied is None else is_denied,
        is_single=is_single,
        is_change=is_change or clause.is_changed,
        is_adding=clause.is_adding,
        is_future=clause.is_future,
        old=read_value(old) if old else None,
        ends_any=ends_any,
        vocabulary=tuple(vocabulary.split()),
        starts=clause.starts,
        head=words[-1].lower() if words else "",
    )


@lru_cache(maxsize=2_048)
def read_claims(text: str) -> Reading:
    """Return what a text states; nothing where it is a question, a wish, hearsay, or more than the rules understand."""
    from memory.memories.replacement.frames import frame_claims  # noqa: PLC0415  # frames are made of claims

    clauses = read_clauses(text)
    found = [frame_claims(clause) for clause in clauses]
    claims = tuple(claim for each in found for claim in each)
    if not claims:  # what is found by its words alone, and compared word by word
        claims = tuple(
            _bare_claim(clause) for clause in clauses if clause.is_changed or (clause.is_denied and clause.is_over)
        )
    is_plain = _is_plain(clauses, found)
    return Reading(claims, is_plain, tuple(clauses), _sketch(text))


def _sketch(text: str) -> Sketch | None:
    is_short = len(text) <= MAX_CHARACTERS and len(text.split()) <= MAX_WORDS
    return read_sketch(text) if is_short and "?" not in text else None


def _is_plain(clauses: Sequence[Clause], found: Sequence[Sequence[StatedClaim]]) -> bool:
    """Return whether a text states one thing, next to what it says is over: "quit A and joined B"."""
    lasting = sum(1 for each in found if any(not claim.is_denied for claim in each))
    is_read = all(each or len(clause.text.split()) <= MAX_SHORT for clause, each in zip(clauses, found, strict=True))
    is_one = lasting == 1 or (lasting == 0 and len(clauses) == 1)
    return is_one and is_read and not any(_continues(claim) for each in found for claim in each)


def _bare_claim(clause: Clause) -> StatedClaim:
    words = [word for word in plain_words(clause.text) if word not in _NOBODY]
    return StatedClaim(frozenset(), BARE, None, vocabulary=tuple(words[:MAX_BARE]))


_MORE = re.compile(r"(?i)\b(?:and|but|while|although|whereas)\b|;")
_ONLY_COMPANY = re.compile(r"(?i)^,? with [\w' ]+ and (?:his|her|their|my|our|a|an|two|three|\d|[A-Z])[\w' ]{0,20}$")


def _continues(claim: StatedClaim) -> bool:
    """Return whether something else is said behind the value, which would be lost with it."""
    if claim.value is None:
        return False
    rest = claim.value.rest
    if " and " in claim.value.text and claim.is_single and claim.attribute in {"place", "employer", "role"}:
        return True
    return bool(_MORE.search(rest)) and not _ONLY_COMPANY.match(rest)


def state_the_same(one: str, other: str) -> bool:
    """Return whether two texts state the same value of the same attribute of the same subject."""
    mine = {_key(claim) for claim in read_claims(one).claims if claim.value is not None}
    theirs = {_key(claim) for claim in read_claims(other).claims if claim.value is not None}
    return bool(mine & theirs)


_NUMBER = re.compile(r"(?i)\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b")


def _key(claim: StatedClaim) -> tuple[frozenset[str], str, str, bool]:
    text = claim.value.text if claim.value else ""
    value = " ".join([*plain_words(text), *_NUMBER.findall(text)])
    return claim.subject, claim.attribute, value, claim.is_denied


def subject_words(claim: StatedClaim) -> list[str]:
    """Return the words of the subject that a text about it has; none of those who speak."""
    return sorted(word for word in claim.subject if not word.startswith("@"))


def value_words(claim: StatedClaim) -> list[str]:
    """Return the words by which texts with the same value, or the one that is over, are found."""
    texts = [each.text for each in (claim.value, claim.old) if each is not None]
    return sorted({word for text in texts for word in plain_words(text)})
