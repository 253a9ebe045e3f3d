"""What a sentence points at outside of itself: "there", "that app", an "it" with nothing before it. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from core.english.persons import FEMALE_KIN, MALE_KIN, PERSON
from core.english.time_expressions import MONTHS, SEASONS, WEEKDAYS

# "There is a harbour", "been there for me": no place that was named before.
THERE = re.compile(
    r"(?i)(?<!\bout )(?<!\bhang in )(?<!\bhi )(?<!\bhey )(?<!\bhello )\bthere\b(?!['’]| (?:is|are|was|were|will|would|"
    r"has|have|had|can|could|may|might|must|should|really|always|seems?|goes|for)\b)"
)
# A noun behind "this" or "that" that was named before; before another noun, or after an adjective, it may be new.
_POINTED = re.compile(
    r"(?i)\b(?:this|these|(?:at|in|to|from|of|on|with|about|using|use|used|love|loved|like|read|watch|watched|seen|"
    r"saw|got|play|played|visit|visited|try|tried|joined|during|after|before|for|and) (?:that|those)|^(?:that|"
    r"those)) (?P<noun>[a-z]{3,})\b(?=[,.!?;:–]| [–-]|$| (?:is|are|was|were|has|had|have|and|but|just|so|really|too|"
    r"also|myself|ourselves|though|yesterday|last|to|from|on|at|in|when|for|can|will|helps?|made|makes)\b)"
)
# What may stand behind "this" and "that" without being a thing: times, verbs and small words.
_NO_NOUN_LIST = """
    week weekend month year years months weeks day days morning afternoon evening night season summer time times is
    was are were has had have can could will would may might must does did really always also makes made helps
    helped keeps gives gave took all much many far past last coming and but or the you they she he i it we her him
    his its not just never ever being who what where when how why our my your their said says means mean sounds
    looks feels too so at in on for to of with about if as than a an there kind sort stuff happens happened guy
    shows brings
"""
NO_NOUN = frozenset({*_NO_NOUN_LIST.split(), *MONTHS, *SEASONS, *WEEKDAYS})
# Nouns that hardly name a thing, by which it is not found in what was said before, and words before a noun.
_EMPTY_NOUN_LIST = """
    way point moment moments kinds type one ones long case reason life world country people work works new awesome
    amazing great cool cute crazy huge big little small old nice beautiful incredible fun same place opportunity
    chance two three
"""
_EMPTY_NOUNS = NO_NOUN | frozenset(_EMPTY_NOUN_LIST.split())
_IDIOM = re.compile(
    r"(?i)\b(?:(?:made?|making) it (?:to (?=the|my|our|an?\b|(?-i:[A-Z])|this|that)|through|back|home|out|up)|(?:been|"
    r"be|is|was|were|are) there for|"
    # "Anything with nuts in it".
    r"with (?:[\w-]+ ){1,4}in (?:it|them))\b"
)
_NAMED_PLACE = re.compile(
    r"\b(?:[Ii]n|[Tt]o|[Ff]rom|[Vv]isit(?:ed|ing)?|[Ee]xplor(?:ed?|ing)|[Nn]ear) "
    r"(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+){0,2})\b"
)
_NO_PLACES = frozenset({*MONTHS, *WEEKDAYS, *SEASONS, "christmas", "easter", "halloween", "god"})
# Words that begin a sentence, within what was said: "Lovely! She can come".
_NO_NAME_LIST = """
    she her him his they their who what when where why how which will would can could did does has have are was were
    the this that there then and but yes not just let too our your you its all any some
"""
_NO_NAMES = _NO_PLACES | frozenset(_NO_NAME_LIST.split())
_FEMALE = frozenset({"she", "her", "hers", "herself"})
_MALE = frozenset({"he", "him", "his", "himself"})
_WOMEN = re.compile(rf"(?i)(?:{FEMALE_KIN}|girl\w*|woman|lady)$")
_MEN = re.compile(rf"(?i)(?:{MALE_KIN}|boy\w*|man|guy)$")
_RELATIVE = re.compile(
    r"\b(?:[A-Z]\w+['’]s|their) (?:(?:old|new|best|close|younger|older|little|late) )?"
    rf"(?:{PERSON})\b(?: [A-Z][a-z]+\b)?"
)
_GIVEN_NAME = re.compile(r" [A-Z][a-z]+$")
_FIRST_NAME = re.compile(
    r"(?<=[a-z,:(] )(?<!\b[Ii]n )(?<!\b[Aa]t )(?<!\bto )(?<!from )(?<!\b[Tt]he )(?<!\b[Tt]his )(?<!\ba )"
    r"[A-Z][a-z]{2,}\b(?! [A-Z])(?!['’]s)"
)


def needs_none(sentence: str) -> bool:
    """Return whether the "it" or "there" at the beginning of a sentence stands for nothing: "I made it to the top"."""
    return _IDIOM.search(sentence) is not None


def find_pointed_noun(sentence: str) -> str:
    """Return the first noun behind a "this" or "that" which the sentence has not named before; '' for none."""
    for found in _POINTED.finditer(sentence):
        noun = found["noun"].lower()
        is_said = re.search(rf"(?i)\b{re.escape(noun.removesuffix('s'))}", sentence[: found.start("noun")])
        if noun not in _EMPTY_NOUNS and not noun.endswith("ly") and not is_said:
            return noun
    return ""


def named_places(text: str, *, known: Collection[str]) -> list[str]:
    """Return the places that a text names, each once, without the names of people and of times."""
    names = (found["name"] for found in _NAMED_PLACE.finditer(text))
    return [
        name for name in dict.fromkeys(names) if not {name, *name.split()} & {*known} and name.lower() not in _NO_PLACES
    ]


def is_person(word: str) -> bool:
    """Return whether a word stands for one person."""
    return word.lower() in _FEMALE | _MALE


def only_person(sentences: Sequence[str], pronoun: str, *, known: Collection[str]) -> str:
    """Return the one person that "she" or "he" can be in what was said before; '' for none or several.

    `known` are the speakers, for whom the pronoun does not stand.
    """
    text = " ".join(sentences)
    other = _MEN if pronoun.lower() in _FEMALE else _WOMEN
    kin = {found[0] for found in _RELATIVE.finditer(text) if not other.search(_GIVEN_NAME.sub("", found[0]))}
    if kin:
        return kin.pop() if len(kin) == 1 else ""
    names = {found[0] for found in _FIRST_NAME.finditer(text)}
    names = {name for name in names if name not in known and name.lower() not in _NO_NAMES}
    return names.pop() if len(names) == 1 else ""
