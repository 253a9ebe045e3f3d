"""What was postponed, and to when: said in one sentence, or with the new date in the next one. Pure; English.

"The dentist thing got postponed. New date is 5 March." is one fact: the appointment is on another day now. So are
"Ida's exam was cancelled. New date is 5 March." and "The hospital moved my operation to 5 March.".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.english.lasting_facts import DAY

_NAMED = (
    r"(?:(?:the|my|our) (?P<thing>[\w'-]+(?: [\w'-]+){0,6}?)|"
    r"(?P<owned>(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day's )(?-i:[A-Z])[\w-]+(?:'s|s') [\w-]+(?: [\w-]+){0,3}?))"
)
# A word of what one calls a person or a company, and none of those that deny, doubt or report what follows.
_NAME_WORD = (
    r"(?!(?:\w+ly|not|never|had|have|has|who|that|to|would|could|might|may|should|will|almost|maybe|"
    r"I|we|they|he|she|it)\b)[\w-]+"
)
_THE_ONE = rf"{_NAME_WORD}(?: {_NAME_WORD}){{0,2}}"
# "The garage rang: my car's check-up has been moved …": in "My sister texted: my exam …" it may be hers.
_NEWS = (
    rf"(?:the {_THE_ONE}(?: has)?(?: just)? "
    r"(?:rang|called|phoned|wrote|texted|messaged|e-?mailed|got in touch|let me know)"
    r"(?: me| us| back| again| today| just now){0,2}: )?"
)
_THING = rf"(?i)^{_NEWS}{_NAMED} "
_SHIFTED = r"postponed|rescheduled|moved|shifted|pushed(?: back)?|brought forward|delayed"
_MOVING = rf"(?:{_SHIFTED}|put off|changed)\b"
# Who moves it: names are left out, since what begins a sentence may be any word.
_MOVERS = r"(?:I|we|they)(?:'ve| have)?(?: just| now)?"
_OTHER_MOVER = rf"(?:(?:he|she)(?:'s| has)?|(?:the|my|our) {_THE_ONE}(?: has| have)?)(?: just| now)?"
_MOVES = rf"(?:{_SHIFTED}|had to (?:postpone|reschedule|move|shift|push(?: back)?|bring forward|delay))"
# What is on a day: one moves one's sofa, children and money as well, and the results of a scan.
_EVENT = re.compile(
    r"(?i)^(?!.* (?:of|for) ).*"
    r"\b(?:appointment|check-?up|scan|x-ray|mri|biopsy|screening|(?:\w+ )?test|exam|operation|surgery|procedure|"
    r"treatment|therapy|massage|haircut|jab|vaccination|injection|lesson|class|course|seminar|workshop|lecture|talk|"
    r"presentation|meeting|interview|review|appraisal|one-(?:on|to)-one|call|viewing|hearing|trial|inspection|audit|"
    r"delivery|flight|ferry|trip|holiday|visit|move|wedding|party|dinner|lunch|brunch|breakfast|barbecue|picnic|"
    r"anniversary|birthday|christening|baptism|funeral|ceremony|graduation|reunion|evening|concert|gig|show|recital|"
    r"rehearsal|audition|performance|premiere|exhibition|tournament|match|game|race|marathon|training|session|"
    r"start(?:ing)? date|first day|last day|handover|defen[cs]e|viva|reservation|booking)s?$"
)
# A comma may stand behind the weekday, and before the year and the hour: "Tuesday, 22 December, at 9".
_WHEN = (
    rf"(?P<when>{DAY}(?:, (?=(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?\b|[a-z]{{3,9}}\.? \d)))?[^,;]{{0,60}}"
    r"(?:, (?:(?:19|20)\d\d\b|at \d)[^,;]{0,30}){0,2})"
)
_MOVED = re.compile(
    rf"{_THING}(?:(?:has|have)(?: now)? been|(?:got|was|is|had to be|is being)(?: \w+ly| now)?) {_MOVING}"
)
# What stands behind a date that may not hold, or that is of something else: "to Friday's class".
_TAKEN_BACK = (
    r"(?!.*(?:\b(?:or|unless|if|but|and|then|last|as|by|before|for|except|just|pending|when|while|earliest|latest|"
    r"dreams?|hope|in(?! the (?:morning|afternoon|evening)))|'s)\b)"
)
# "The hospital has moved my operation to 5 May.", or with the new date in the next sentence. "My cousin moved the
# wedding" may be of the cousin's.
_MOVED_BY = re.compile(
    rf"(?i)^{_NEWS}(?:{_MOVERS} {_MOVES} |{_OTHER_MOVER} {_MOVES} (?!the )){_NAMED}(?: back| forward)?"
    rf"(?:(?: from [^.,;]{{1,40}}?)? (?:to|until|till)(?: the)? {_TAKEN_BACK}{_WHEN}|, (?!or )[^.]{{1,80}})?[.!]?$"
)
_CANCELLED = re.compile(
    rf"{_THING}(?:fell through|(?:(?:has|have)(?: now)? been|got|was|is|had to be) (?:cancell?ed|called off))\b"
)
_TO = re.compile(rf"(?i)^[^.;]{{0,60}}?\b(?:to|until|till)(?: the)? {_WHEN}")
_IS_NOW = re.compile(rf"{_THING}is now (?:on |going to be on )?(?:the )?{_WHEN}")
# Behind what others moved: "My new appointment is 5 May" may be another one.
_NEW_DATE = re.compile(
    rf"(?i)^(?:(?:the|its) )?new (?:date|time|day|slot)(?:'s| is| will be)(?: on)?(?: the)? {_TAKEN_BACK}{_WHEN}"
)
_NEW = re.compile(
    r"(?i)^(?:(?:the|its|my|our) )?(?:new (?:date|time|day|slot|appointment|one)(?:'s| is| will be)|"
    rf"(?:it's|it is|that's) (?:now going to be|now)|now it's|now it is)(?: on)?(?: the)? {_WHEN}"
)
# How one calls an appointment of which both know.
_OF_NOTHING = re.compile(
    r"(?i)(?:(?:whole|entire|new|other|same|first|second|next|last) )?(?:thing|lot|one|rest|date|day|time|"
    r"deadline|appointment|slot)$"
)
_VAGUE = re.compile(r"(?i) (?:thing|one|stuff)$")


@dataclass(frozen=True, slots=True)
class MovedDate:
    """What has another date, as its owner calls it ("my exam"), and which; `is_of_two` where the next sentence says
    which."""

    thing: str
    when: str
    is_of_two: bool = False


def find_moved_dates(sentences: Sequence[str]) -> dict[int, MovedDate]:
    """Return what the sentences of one message say to be on another day, by the place of the first that says it."""
    found: dict[int, MovedDate] = {}
    for place, (sentence, following) in enumerate(zip(sentences, [*sentences[1:], ""], strict=False)):
        if moved := _MOVED.match(sentence):
            date = _TO.match(sentence[moved.end() :]) or _NEW.match(following)
        elif (moved := _MOVED_BY.match(sentence)) and _EVENT.search(moved["thing"] or moved["owned"]):
            date = moved if moved["when"] else _NEW_DATE.match(following)
        elif moved := _CANCELLED.match(sentence):
            date = _NEW.match(following)
        else:
            moved = date = _IS_NOW.match(sentence)
        if moved and date and not (moved["thing"] and _OF_NOTHING.match(moved["thing"])):
            thing = _VAGUE.sub(" appointment", moved["owned"] or f"my {moved['thing']}")
            found[place] = MovedDate(thing, date["when"].rstrip(" .!"), date.string == following)
    return found
