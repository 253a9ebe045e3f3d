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
    r"(?P<owned>(?-i:[A-Z])[\w-]+(?:'s|s') [\w-]+(?: [\w-]+){0,3}?))"
)
# "The garage rang: my car's check-up has been moved …".
_NEWS = (
    r"(?:(?:I|they|he|she|we|(?:the|my|our) \w[\w' -]{0,30}|(?-i:[A-Z])\w+)(?:'ve| have| has)?(?: just)? "
    r"(?:rang|called|phoned|wrote|texted|messaged|e-?mailed|got in touch|let me know)"
    r"(?: me| us| back| again| today| just now){0,2}: )?"
)
_THING = rf"(?i)^{_NEWS}{_NAMED} "
_MOVING = r"(?:postponed|rescheduled|moved|shifted|pushed(?: back)?|put off|brought forward|delayed|changed)\b"
# Who moves it, without what makes it a thought or a question.
_NAME_WORD = r"(?!(?:would|could|might|may|should|will|never|not|almost|nearly|had|have|has|who|that|to)\b)[\w-]+"
_MOVER = (
    rf"(?:I|we|they|he|she|(?:the|my|our) {_NAME_WORD}(?: {_NAME_WORD}){{0,2}}|"
    rf"(?!(?i:if|have|has|had|when|once|unless|suppose|maybe|perhaps|what|who|why|did|imagine|not)\b)"
    rf"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?)(?:'ve|'s| have| has)?(?: just| now)?"
)
_HAD_TO_MOVE = r"had to (?:postpone|reschedule|move|shift|push(?: back)?|put off|bring forward|delay|change)"
# A comma may stand behind the weekday, and before the year and the hour: "Tuesday, 22 December, at 9".
_WHEN = (
    rf"(?P<when>{DAY}(?:, (?=(?:the )?(?:\d{{1,2}}(?:st|nd|rd|th)?\b|[a-z]{{3,9}}\.? \d)))?[^,;]{{0,60}}"
    r"(?:, (?:(?:19|20)\d\d\b|at \d)[^,;]{0,30}){0,2})"
)
_MOVED = re.compile(
    rf"{_THING}(?:(?:has|have)(?: now)? been|(?:got|was|is|had to be|is being)(?: \w+ly| now)?) {_MOVING}"
)
# "The hospital has moved my operation to 5 May.", and not "We moved the sofa to the cellar until Friday."
_MOVED_BY = re.compile(
    rf"(?i)^{_NEWS}{_MOVER} (?:{_MOVING}|{_HAD_TO_MOVE}) "
    rf"(?!.{{0,80}} (?:in)?to (?:the|my|our|his|her|their|an?) (?!{DAY})){_NAMED}(?: back| forward)?"
    rf"(?= (?:from [^.;]{{1,40}}? )?(?:to|until|till)(?: the)? {DAY}|[.!,]|$)"
)
_CANCELLED = re.compile(
    rf"{_THING}(?:fell through|(?:(?:has|have)(?: now)? been|got|was|is|had to be) (?:cancell?ed|called off))\b"
)
_TO = re.compile(rf"(?i)^[^.;]{{0,60}}?\b(?:to|until|till)(?: the)? {_WHEN}")
_IS_NOW = re.compile(rf"{_THING}is now (?:on |going to be on )?(?:the )?{_WHEN}")
_NEW = re.compile(
    r"(?i)^(?:(?:the|its|my|our) )?(?:new (?:date|time|day|slot|appointment|one)(?:'s| is| will be)|"
    rf"(?:it's|it is|that's) (?:now going to be|now)|now it's|now it is)(?: on)?(?: the)? {_WHEN}"
)
# How one calls an appointment of which both know.
_OF_NOTHING = re.compile(
    r"(?i)(?:(?:whole|entire|new|other|same|first|second|next|last) )?(?:thing|lot|one|rest|date|day|time|"
    r"deadline|appointment|slot|mind)$"
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
        if moved := _MOVED.match(sentence) or _MOVED_BY.match(sentence):
            date = _TO.match(sentence[moved.end() :]) or _NEW.match(following)
        elif moved := _CANCELLED.match(sentence):
            date = _NEW.match(following)
        else:
            moved = date = _IS_NOW.match(sentence)
        if moved and date and not (moved["thing"] and _OF_NOTHING.match(moved["thing"])):
            thing = _VAGUE.sub(" appointment", moved["owned"] or f"my {moved['thing']}")
            found[place] = MovedDate(thing, date["when"].rstrip(" .!"), date.string == following)
    return found
