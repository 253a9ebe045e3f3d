"""What a sentence points at outside of itself: "there", "that app", an "it" with nothing before it. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.english.time_expressions import MONTHS, SEASONS, WEEKDAYS

# "There is a harbour", "been there for me": no place that was named before.
THERE = re.compile(
    r"(?i)(?<!\bout )(?<!\bhang in )(?<!\bhi )(?<!\bhey )(?<!\bhello )\bthere\b"
    r"(?!['’]| (?:is|are|was|were|will|would|has|have|had|can|could|may|might|must|should|really|always|seems?|"
    r"goes|for)\b)"
)
_PLACE = re.compile(
    r"\b(?:in|at|to|from|near|around|through|visit\w*) (?:the |a |an |my |our |some )?(?:[A-Z]|\w+ (?:in|at|near) )|"
    r"\b(?:place|city|town|village|gym|park|beach|restaurant|house|home|shelter|camp\w*|shop|store|church|school|"
    r"lake|"
    r"hike|mountains?|forest|cafe|museum|studio|office|country|trip|event|concert|conference|class|farm|bakery|"
    r"harbour)\b"
)
# A noun behind "this" or "that" that was named before; before another noun, or after an adjective, it may be new.
_POINTED = re.compile(
    r"(?i)\b(?:this|these|(?:at|in|to|from|of|on|with|about|using|use|used|love|loved|like|read|watch|watched|"
    r"seen|saw|"
    r"got|play|played|visit|visited|try|tried|joined|during|after|before|for|and) (?:that|those)|^(?:that|those)) "
    r"(?P<noun>[a-z]{3,})\b(?=[,.!?;:–]| [–-]|$| (?:is|are|was|were|has|had|have|and|but|just|so|really|too|also|"
    r"myself|ourselves|though|yesterday|last|to|from|on|at|in|when|for|can|will|helps?|made|makes)\b)"
)
_NO_NOUN_LIST = """
    week weekend month year day days morning afternoon evening night time times way point moment moments kind kinds
    sort type is was are were has had have can could will would may might must does did really always also makes made
    helps helped keeps gives gave took one ones all long much many far past last coming and but or the you they she
    her him his its not just never ever being case reason life world country people who what when where how why our
    your their said says means mean sounds looks feels work works new awesome amazing great cool cute crazy huge big
    little small old nice beautiful incredible fun same place opportunity chance too two three for
"""
_NO_NOUN = frozenset({*_NO_NOUN_LIST.split(), *MONTHS, *SEASONS, *WEEKDAYS})
# What makes a noun before a pronoun likely: an article, a number, a name, a plural.
_NOUN_BEFORE = re.compile(
    r"\b(?:[Aa]n?|[Tt]he|[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Ss]ome|[Tt]his|[Ee]very|[Nn]o|[Aa]ny|"
    r"[Aa]nother|[Tt]wo|[Tt]hree|[Ss]everal|\d+) (?!bit|lot|few|couple|while|ton)\w|\b(?!I\b|I')[A-Z]\w+|"
    r"\b[a-z]{3,}(?:ing|ss|tion|ment|ness)\b|\b[a-z]{3,}[^\Wsu0-9]s\b"
)
_OBJECT = re.compile(r"(?i)\b(?:it|them)\b(?!['’])")
# "It" that stands for nothing, or for what follows.
_EMPTY_BEFORE = re.compile(r"(?i)\b(?:worth|made|makes?|making|find|found|takes?|took|call|gets?|think|believe|say)$")
_EMPTY_AFTER = re.compile(
    r"(?i)^ (?:is|was|has been|will be|would be|feels|felt|seems|seemed|looks|takes|took|turns|can be|easy|up|out|to|"
    r"(?:\w+er|\w+ly|hard|possible|clear|great|so|really|all)\b)"
)
_IDIOM = re.compile(
    r"(?i)\b(?:(?:made?|making) it (?:to (?=the|my|our|an?\b|(?-i:[A-Z])|this|that)|through|back|home|out|up)|(?:been|"
    r"be|is|was|were|are) there for)\b"
)
_NAMED_PLACE = re.compile(
    r"\b(?:[Ii]n|[Tt]o|[Ff]rom|[Vv]isit(?:ed|ing)?|[Ee]xplor(?:ed?|ing)|[Nn]ear) "
    r"(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+){0,2})\b"
)
_NO_PLACES = frozenset({*MONTHS, *WEEKDAYS, *SEASONS, "christmas", "easter", "halloween", "god"})
_FEMALE = frozenset({"she", "her", "hers", "herself"})
_MALE = frozenset({"he", "him", "his", "himself"})
_WOMEN = re.compile(r"(?i)(?:mom|mum|mother|sister|wife|girl\w*|daughter|aunt|niece|woman|lady|grandm\w+)$")
_MEN = re.compile(r"(?i)(?:dad|father|brother|husband|boy\w*|son|uncle|nephew|man|guy|grand(?:pa|dad|father))$")
_RELATIVE = re.compile(
    r"\b(?:[A-Z]\w+['’]s|their) (?:(?:old|new|best|close|younger|older|little|late) )?(?:mom|mum|mother|dad|"
    r"father|sister|brother|"
    r"wife|husband|partner|son|daughter|aunt|uncle|grandm\w+|grandpa|granddad|grandfather|cousin|niece|nephew|"
    r"friend|boss|coach|mentor|"
    r"mentee|neighbou?r|colleague|teacher|doctor|dog|cat|puppy|pup|kitten|woman|man|lady|guy|resident|boyfriend|"
    r"girlfriend|fianc\w+)\b(?: [A-Z][a-z]+\b)?"
)
_GIVEN_NAME = re.compile(r" [A-Z][a-z]+$")
_FIRST_NAME = re.compile(
    r"(?<=[a-z,:(] )(?<!\b[Ii]n )(?<!\b[Aa]t )(?<!\bto )(?<!from )(?<!The )[A-Z][a-z]{2,}\b(?! [A-Z])(?!['’]s)"
)
MAX_BEFORE = 60  # characters before a pronoun in which a noun is looked for


@dataclass(frozen=True, slots=True)
class Reference:
    """A word that points back: where it ends, and the noun at which it points; '' for a place or an "it"."""

    end: int
    is_place: bool = False
    noun: str = ""


def needs_none(sentence: str) -> bool:
    """Return whether the "it" or "there" at the beginning of a sentence stands for nothing: "I made it to the top"."""
    return _IDIOM.search(sentence) is not None


def find_reference(sentence: str) -> Reference | None:
    """Return the first word that cannot be understood without what was said before; None if there is none."""
    found = [each for each in (_place(sentence), _noun(sentence), _object(sentence)) if each]
    return min(found, key=lambda each: each.end, default=None)


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
    names = {name for name in names if name not in known and name.lower() not in _NO_PLACES}
    return names.pop() if len(names) == 1 else ""


def _place(sentence: str) -> Reference | None:
    there = THERE.search(sentence)
    if there is None or _PLACE.search(sentence[: there.start()]):
        return None
    return Reference(there.end(), is_place=True)


def _noun(sentence: str) -> Reference | None:
    for found in _POINTED.finditer(sentence):
        noun = found["noun"].lower()
        is_said = re.search(rf"(?i)\b{re.escape(noun.removesuffix('s'))}", sentence[: found.start("noun")])
        if noun not in _NO_NOUN and not noun.endswith("ly") and not is_said:
            return Reference(found.end("noun"), noun=noun)
    return None


def _object(sentence: str) -> Reference | None:
    found = _OBJECT.search(sentence)
    if found is None or _NOUN_BEFORE.search(sentence[max(0, found.start() - MAX_BEFORE) : found.start()]):
        return None
    if _EMPTY_BEFORE.search(sentence[: found.start()].rstrip()) or _EMPTY_AFTER.match(sentence[found.end() :]):
        return None
    return Reference(found.end())
