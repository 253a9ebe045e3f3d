"""Words of the calendar, and how a text mentions a time. Pure."""

from __future__ import annotations

import re

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = ("spring", "summer", "autumn", "fall", "winter")

_ANY_MONTH = "|".join(MONTHS)
# "may" is a verb as well.
_CLEAR_MONTHS = "|".join(month for month in MONTHS if month != "may")
_SHORT_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_ANY_WEEKDAY = "|".join(WEEKDAYS)
_ANY_SEASON = "|".join(SEASONS)
_SPAN = rf"(?:minute|hour|day|night|week|weekend|month|year|{_ANY_SEASON})s?"

# A month by its name or its first letters; "May" by its capital alone.
MONTH = re.compile(rf"\b(?:(?i:{_CLEAR_MONTHS}|{_SHORT_MONTHS})|May)\b")
# A time that means another day once the day on which it was said has passed.
RELATIVE_TIME = re.compile(
    r"(?i)\b(?:today|tonight|yesterday|tomorrow|recently|now|currently|lately|ago|(?:last|next|this|past) (?:night|"
    rf"week|month|year|{_ANY_SEASON}|{'|'.join(day.removesuffix('day') for day in WEEKDAYS)})\w*)\b"
)
# A statement of when something was or will be, as the index of messages marks it.
STATED_TIME = re.compile(
    rf"\b(?:yesterday|today|tonight|tomorrow|ago|since|(?:last|next|this|past|few|couple of|an?|\d+) {_SPAN}"
    rf"|(?:(?:last|next|this|on) )?(?:{_ANY_WEEKDAY})|(?:{_ANY_MONTH})\b(?! i)|(?:19|20)\d\d"
    r"|\d{1,2}(?:st|nd|rd|th))\b",
    re.IGNORECASE,
)
# Any word that has to do with time, as a summary prefers it.
TIME_WORD = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|since|until|week(?:end)?s?|months?|years?|morning|evening|"
    rf"(?:{_ANY_WEEKDAY})s?|{_CLEAR_MONTHS}|{_ANY_SEASON})\b",
    re.IGNORECASE,
)

_TIME_FIRST = re.compile(
    r"(?i)^(?P<time>(?:on )?the (?:next|following) [a-z]+|(?:last|this|next) [a-z]+|yesterday|"
    r"(?:since|as of|starting) (?:(?:last|this|next|early|late) )?[\w']+(?: \d{1,4})?),? "
    r"(?=(?:I|my|we|our)\b)(?P<rest>[^.!]+)"
)


def put_time_last(sentence: str) -> str:
    """Return "I live in Rome since Friday" for "Since Friday I live in Rome", and any other sentence as it is."""
    return _TIME_FIRST.sub(lambda found: f"{found['rest']} {found['time'][:1].lower()}{found['time'][1:]}", sentence)


def month_number(name: str) -> int:
    """Return the number, 1 to 12, of a month by its name or its first three letters. Raises ValueError."""
    return [month[:3] for month in MONTHS].index(name.lower()[:3]) + 1
