"""First person to third person, for statements about a user. Pure; English."""

from __future__ import annotations

import re

_SUBJECT = re.compile(r"(?i)^(?P<who>I|we)(?P<verb>'m|'re|'ve|'d|'ll| am| are| have)?(?= |$)")
_ADVERBS = r"(?:(?:\w+ly|also|always|often|still|just|never|now|even) )*"
_VERB = re.compile(rf"^ (?P<adverbs>{_ADVERBS})(?P<verb>[\w']+)")
_VERB_NEXT = re.compile(rf"^ {_ADVERBS}")
# What `_SUBJECT` finds behind its subject, mistakes such as "I are" included.
_AUXILIARIES = {
    "'m": "is", " am": "is", "'re": "is", " are": "is", "'ve": "has", " have": "has", "'d": "would", "'ll": "will",
}  # fmt: skip
_PLURALS = {**_AUXILIARIES, **dict.fromkeys(["'m", " am", "'re", " are"], "are"), "'ve": "have", " have": "have"}

# Verbs that have one form for everybody: modals, and the past tense.
_FIXED_FORMS = """
        can can't cannot could couldn't will won't would wouldn't should shouldn't may might must did didn't was
    wasn't had     grew got quit bought left met ran chose began made went came took saw found built became taught
    sold lost won     ate bent bet bit blew broke brought caught crept dealt drank drew dreamt drove fed felt fell
    fought flew forgot     froze gave heard held hid kept knew laid learnt led lent lit meant paid rang read rode rose
    said sang sat sent     set shook shot shut slept spent spoke spoilt stood stole struck stuck swam swore thought
    threw understood upset     withdrew woke wore wrote overcame overheard retook underwent undertook forgave mistook
    misunderstood foresaw spun     sprang sank slid sought swept swung tore wept clung dug fled flung hung leant spelt
    stung strove put let hit cut hurt cost hadn't been being should've could've would've ain't used
"""
_FIXED = frozenset(_FIXED_FORMS.split()) | {"told"}
_IRREGULAR = {
    "have": "has", "do": "does", "don't": "does not", "haven't": "has not", "go": "goes", "am": "is", "are": "is",
    "aren't": "is not", "were": "was", "weren't": "was not", "gotta": "has to", "gonna": "is going to",
    "wanna": "wants to", "need": "needs", "feed": "feeds", "succeed": "succeeds", "proceed": "proceeds",
}  # fmt: skip
# After "had" and no base form as well.
_PARTICIPLE_LIST = """
    been better had done gone seen known taken given forgotten heard felt lost won found met made bought left
    kept thought got gotten grown written spoken eaten fallen begun driven flown broken chosen said slept spent taught
    worn drawn held built brought caught sold sent stood understood
"""
_PARTICIPLES = frozenset(_PARTICIPLE_LIST.split()) | {"told"}
_BASES_IN_ED = frozenset(
    {"need", "feed", "speed", "succeed", "proceed", "exceed", "bleed", "breed", "heed", "embed", "shed"}
)
# After "and" only verbs that are nothing else as well are bent.
_SECOND_VERB = re.compile(
    r"\b(and|but|or) "
    r"(live|own|manage|teach|study|enjoy|hate|prefer|have|speak|collect|work(?= (?:at|in|for|as|from|with)))\b"
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
    return text[:1].upper() + text[1:] + "."


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
        return f"{subject} {'had' if is_had else _AUXILIARIES[spoken['verb'].lower()]}{_others(rest)}"
    return subject + _others(
        _SECOND_VERB.sub(lambda found: f"{found[1]} {conjugate(found[2])}", _conjugate_first_verb(rest))
    )


def _conjugate_first_verb(rest: str) -> str:
    return _VERB.sub(lambda found: f" {found['adverbs']}{conjugate(found['verb'])}", rest, count=1)


def short_had(following: str) -> bool:
    """Return whether "'d" before this word is "had" and not "would": "I'd been", "I'd forgotten"."""
    word = following.lower()
    return word in _PARTICIPLES or (word.endswith("ed") and word not in _BASES_IN_ED)


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
