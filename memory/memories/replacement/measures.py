"""Measures, times and frequencies of the same thing that are others now. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.memories.replacement.noun_phrases import FREQUENCIES, TIMES, Phrase, root
from memory.memories.replacement.proposition_pairs import (
    AMOUNTS,
    HOLLOW,
    MARKS,
    PropositionPair,
    are_nested,
    is_person,
    mentions,
    owners_agree,
)
from memory.memories.replacement.propositions import Proposition
from memory.memories.replacement.substitutions import are_on_other_days
from memory.memories.replacement.verb_classes import AT_TIMES, DEALING, MOVING, PRICES

_PERIOD = re.compile(
    r"(?i)\b(?:an?|per|each|every) (?P<unit>hour|day|week|month|quarter|year|night|seat|head|person)\b|"
    r"\b(?P<adverb>hour|dai|week|month|quarter|year)ly\b|\b(?P<annual>annual)"
)


def has_other_value(pair: PropositionPair) -> bool:
    """Return whether a measure or time of the same thing is another one now."""
    old, new = pair.old, pair.new
    if new.is_denied or new.is_over or not owners_agree(pair):
        return False
    if _has_other_frequency(pair):
        return True
    is_of_several = bool({each.head for each in (*old.said, *new.said)} & AT_TIMES) or new.verb in AT_TIMES
    if is_of_several or _are_of_other_periods(pair) or (are_on_other_days(old, new) and _say_other_things(old, new)):
        return False  # open on Mondays, and on Sundays as well
    mine = [each for each in old.phrases if each.kind in TIMES | AMOUNTS | MARKS and each.value]
    theirs = [each for each in new.phrases if each.kind in TIMES | AMOUNTS | MARKS and each.value]
    if not mine or not theirs or not _is_about_the_same(pair):
        return False
    return _is_set_again(pair, theirs) and any(
        _is_other_value(a, b) and not _is_kept(a, theirs) for a in mine for b in theirs
    )


def _are_of_other_periods(pair: PropositionPair) -> bool:
    """Return whether both are of different stretches of time: 700 a month, 8,400 a year."""
    mine, theirs = (
        {(each["unit"] or each["adverb"] or "year")[:3].lower() for each in _PERIOD.finditer(text.raw)}
        for text in (pair.texts.old, pair.texts.new)
    )
    return bool(mine and theirs) and not mine & theirs


def _is_set_again(pair: PropositionPair, theirs: Sequence[Phrase]) -> bool:
    """Return whether anything says that the measure has changed: an event, "now", "to 45 euros"."""
    is_aim = any(each.preposition in {"to", "until", "till"} for each in theirs)
    is_event = pair.happens or (pair.is_of_one and pair.texts.is_event)
    return is_aim or is_event or pair.is_now or bool((MOVING | DEALING) & set(pair.new.verbs))


def _is_kept(mine: Phrase, theirs: Sequence[Phrase]) -> bool:
    return any(each.value == mine.value and each.preposition != "from" for each in theirs)


def _say_other_things(old: Proposition, new: Proposition) -> bool:
    mine, theirs = ({root(each.head) for each in side.said if each.kind not in AMOUNTS} for side in (old, new))
    return bool(mine and theirs) and not mine & theirs


def _has_other_frequency(pair: PropositionPair) -> bool:
    """Return whether it is done more or less often now: "twice a week", "four times a week"."""
    old, new = pair.old, pair.new
    if not (pair.is_of_one and pair.is_now and old.verb == new.verb and old.verb not in {"be", "have"}):
        return False
    mine, theirs = (
        {each.preposition for each in side.phrases if each.preposition in FREQUENCIES} for side in (old, new)
    )
    is_same_object = (old.object.roots if old.object else None) == (new.object.roots if new.object else None)
    return bool(mine and theirs) and mine != theirs and (is_same_object or "times" in theirs)


def _is_other_value(mine: Phrase, theirs: Phrase) -> bool:
    kinds = {mine.kind, theirs.kind}
    if mine.value == theirs.value:
        return False
    if kinds <= TIMES:
        return True
    if mine.kind == "clock" and theirs.kind == "number":  # "put back to 11"
        if mine.value == f"{float(theirs.value.split()[0]) * 60:g}":
            return False
        return len(theirs.words) == 1 and theirs.preposition in {"to", "at", "until", "till", "from", "by"}
    if kinds <= {"money", "number"}:
        return mine.unit == theirs.unit or (not theirs.unit and len(theirs.words) == 1)
    return mine.kind == theirs.kind


def _is_about_the_same(pair: PropositionPair) -> bool:
    """Return whether the newer clause has the noun that was measured, and no other word that tells it apart."""
    old, new = pair.old, pair.new
    there = [new.subject, *new.phrases]
    if old.subject.is_name and mentions(there, old.subject.head) is not None and old.verb in {"be", "cost", "take"}:
        return True
    if old.subject.words and not is_person(old.subject):
        return _is_named(old.subject, there, pair.known)
    if not old.subject.words and not old.subject.owners:  # "call Rita on extension 204"
        known = {root(word) for each in old.said for word in each.words if word.isalpha()}
        return bool(known & {root(word) for each in there for word in (*each.words, *each.owners)})
    heads = [each for each in old.said if each.kind not in AMOUNTS | MARKS]
    if any((found := mentions(there, each.head)) is not None and are_nested(each, found, pair.known) for each in heads):
        return True
    return not _say_other_things(old, new) and _is_of_one_verb(pair, there)


def _is_named(subject: Phrase, there: Sequence[Phrase], known: frozenset[str]) -> bool:
    found = mentions(there, subject.head)
    if found is None and subject.head in HOLLOW | PRICES:  # "gym membership", and then "the gym"
        rest = subject.roots - {root(subject.head)}
        return bool(rest) and any(rest & each.roots and each.roots <= known for each in there)
    return found is not None and (are_nested(subject, found) or found.kind in AMOUNTS)


def _is_of_one_verb(pair: PropositionPair, there: Sequence[Phrase]) -> bool:
    """Return whether the same is done: "meditates for ten minutes", "half an hour of meditation"."""
    old, new = pair.old, pair.new
    unit = next((each.unit for each in old.phrases if each.unit), "")
    words = {root(word) for each in there for word in each.words} | {root(verb) for verb in new.verbs}
    return (root(old.verb) in words and old.verb not in {"be", "have"}) or (
        bool(unit) and pair.is_of_one and any(each.unit == unit for each in there) and pair.new.verb in {"be", old.verb}
    )
