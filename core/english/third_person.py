"""First person to third person, for statements about a user. Pure; English."""

from __future__ import annotations

import re

from core.english.irregular_forms import PARTICIPLES, PAST, UNCHANGED
from core.english.sentences import capitalize

_SUBJECT = re.compile(r"(?i)^(?P<who>I|we)(?P<verb>'m|'re|'ve|'d|'ll| am| are| have)?(?= |$)")
_ADVERBS = r"(?:(?:\w+ly|also|always|often|still|just|never|now|even|no longer) )*"
_VERB = re.compile(rf"^ (?P<adverbs>{_ADVERBS})(?P<verb>[\w']+)")
_VERB_NEXT = re.compile(rf"^ {_ADVERBS}")
# What `_SUBJECT` finds behind its subject, mistakes such as "I are" included.
_AUXILIARIES = {
    "'m": "is", " am": "is", "'re": "is", " are": "is", "'ve": "has", " have": "has", "'d": "would", "'ll": "will",
}  # fmt: skip
_PLURALS = {**_AUXILIARIES, **dict.fromkeys(["'m", " am", "'re", " are"], "are"), "'ve": "have", " have": "have"}

# Verbs that have one form for everybody: modals, and the past tense.
_MODAL_LIST = """
    can can't cannot could couldn't could've will won't would wouldn't would've should shouldn't should've may might
    must mustn't needn't shall didn't wasn't hadn't ain't been being used
"""
_FIXED = frozenset(_MODAL_LIST.split()) | PAST | UNCHANGED
_IRREGULAR = {
    "have": "has", "do": "does", "don't": "does not", "haven't": "has not", "go": "goes", "am": "is", "are": "is",
    "aren't": "is not", "were": "was", "weren't": "was not", "gotta": "has to", "gonna": "is going to",
    "wanna": "wants to", "need": "needs", "feed": "feeds", "succeed": "succeeds", "proceed": "proceeds",
}  # fmt: skip
# After "had", and never after "would": "I'd been", "I'd better".
_AFTER_HAD = PARTICIPLES | {"been", "better", "got"}
_BASES_IN_ED = frozenset(
    {"need", "feed", "speed", "succeed", "proceed", "exceed", "bleed", "breed", "heed", "embed", "shed"}
)
# After "and" only verbs that are nothing else as well are bent, and none that goes on with "to" or "can".
_SECOND_VERB = re.compile(
    r"\b(and|but|or) "
    r"(live|own|manage|teach|study|enjoy|hate|prefer|have|need|run|speak|collect|take|listen|eat|"
    r"work(?= (?:at|in|for|as|from|with|nights?|part|full)))\b"
)

_INFINITIVE = re.compile(
    r"(?i)\b(?:to|can|can't|cannot|could|couldn't|will|won't|would|should|must|mustn't|may|might)\b"
)

_OTHERS = {
    "i'm": "they are", "i am": "they are", "i was": "they were", "i've": "they have", "i'd": "they would",
    "i'll": "they will", "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves",
    "we're": "they are", "we've": "they have", "we'd": "they would", "we'll": "they will", "we": "they", "us": "them",
    "our": "their", "ours": "theirs", "ourselves": "themselves",
}  # fmt: skip
_OTHER = re.compile(rf"(?i)\b(?:{'|'.join(sorted(map(re.escape, _OTHERS), key=len, reverse=True))})\b(?!')")


def to_third_person(sentence: str, *, subject: str) -> str:
    """Return the sentence about `subject` ("The user", or a name), with a full stop at its end."""
    text = _beginning(sentence.replace("’", "'").strip(), subject).rstrip(" .!;,:")
    return f"{capitalize(text)}."


def _beginning(text: str, subject: str) -> str:
    owner, _, rest = text.partition(" ")
    if owner.lower() in {"my", "our"}:
        return f"{subject}'s {_others(rest)}"
    if owner.lower() == "let's":
        return f"{subject} wants to {_others(rest)}"
    spoken = _SUBJECT.match(text)
    if spoken is None:
        return _others(text)
    rest = text[spoken.end() :]
    if spoken["who"].lower() == "we":
        auxiliary = _PLURALS.get((spoken["verb"] or "").lower(), "")
        return " ".join(filter(None, [f"{subject} and others", auxiliary, _others(rest).strip()]))
    if spoken["verb"]:
        is_had = spoken["verb"].lower() == "'d" and short_had(_VERB_NEXT.sub("", rest, count=1).partition(" ")[0])
        auxiliary = "had" if is_had else _AUXILIARIES[spoken["verb"].lower()]
        return f"{subject} {auxiliary}{_others(_conjugate_second_verb(rest) if auxiliary in {'is', 'has'} else rest)}"
    return subject + _others(_conjugate_second_verb(_conjugate_first_verb(rest)))


def _conjugate_first_verb(rest: str) -> str:
    return _VERB.sub(lambda found: f" {found['adverbs']}{conjugate(found['verb'])}", rest, count=1)


def _conjugate_second_verb(rest: str) -> str:
    """Return "is off nuts and takes a pill" for "is off nuts and take a pill"."""
    verb = _SECOND_VERB.search(rest)
    if verb is None or _INFINITIVE.search(rest, 0, verb.start()):
        return rest
    return f"{rest[: verb.start()]}{verb[1]} {conjugate(verb[2])}{rest[verb.end() :]}"


def short_had(following: str) -> bool:
    """Return whether "'d" before this word is "had" and not "would": "I'd been", "I'd forgotten"."""
    word = following.lower()
    return word in _AFTER_HAD or (word.endswith("ed") and word not in _BASES_IN_ED)


def conjugate(verb: str) -> str:
    """Return the form of a verb that goes with "the user": the third person singular."""
    base = verb.lower()
    if base in _IRREGULAR:
        return _IRREGULAR[base]
    if base in _FIXED or base.endswith("ed"):
        return verb
    if base.endswith("y") and base[-2:-1] not in set("aeiou"):
        return verb[:-1] + "ies"
    return verb + ("es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")


def _others(text: str) -> str:
    return _OTHER.sub(lambda found: _OTHERS[found[0].lower()], text)
