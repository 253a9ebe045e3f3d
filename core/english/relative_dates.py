"""Absolute dates for "yesterday" and "next month", counted from the moment at which they were said. Pure; English.

What names a day becomes that day, what names a week, month or year that one; what is vaguer stays vague ("around").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta

from core.english.sentences import capitalize
from core.english.tense_signs import AHEAD, BEFORE, COMING, HAVE, THEY_DID, looks_back
from core.english.time_expressions import MONTHS, RELATIVE_TIME, SEASONS, WEEKDAYS, month_number

_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "couple of": 2, "a couple": 2, "three": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_NUMBER = (
    r"(?:an? couple of|an? couple|couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,3})"
)
_DAY_NAMES = "|".join(WEEKDAYS)
_DAYS = rf"{_DAY_NAMES}|mon|tues?|wed|thurs?|fri|sat|sun"
_SEASON_NAMES = "|".join(SEASONS)
_MONTH_NAMES = "|".join(MONTHS)
_MONTH_FORMS = "|".join([*MONTHS, *(f"{month[:3]}" for month in MONTHS if month != "may"), "sept"])
# What may stand before a time and then is part of it: "on", "in"; after these, and after "of", the time is a noun.
_LEAD = (
    r"(?P<lead>\b(?:about|around|roughly|nearly|almost|on|in|at|by|for|from|since|until|till|of|after|"
    r"before|during|over|through) )?"
)
# "We met Friday!", but not "until Friday" or "every Friday".
_NO_LEAD_LIST = """
    on every each next last this that past coming until till by from to a the for of and or is was since before after
    happy black good
"""
# The first letters of a day come first: at most places nothing else is tried.
_NO_LEAD = r"(?=[mtwfs](?:on|ue|ed|hu|ri|at|un))(?<=[a-z] )" + "".join(
    f"(?<!\\b{word} )" for word in _NO_LEAD_LIST.split()
)
_OWN = r"(?P<own>'s)?"
# A time before this is a subject: "last week was wild".
_PREDICATE = re.compile(
    r"(?i) (?:was|is|were|has been|will be|would be|might be)\b(?! (?:I|we|my|our|the|when|that)\b)"
)
_INSIDE = re.compile(r"[\w,] $")
_SAID_ON = re.compile(r" \(said on \d{1,2} [A-Z][a-z]+ \d{4}\)")
_CLAUSE = re.compile(r"(?i)(?:^|[,;:.!?–-] ?|\b(?:and|but|so|because|how|think|though) )$")
APRIL = 4
SHORTEST_MONTH = 28
YEAR = timedelta(days=366)
JUST_OVER = timedelta(days=42)  # "the job starts on 8 March", said on the 15th
MAX_CLAUSE = 300  # characters on either side of a time
MAX_AGO = {"day": 4_000, "week": 600, "month": 600, "year": 150}


def resolve_dates(sentence: str, *, said_on: date) -> str:
    """Return the sentence with its relative dates made absolute, and years given to days that have none."""
    text = sentence.replace("’", "'")
    for pattern, absolute in _FORMS:
        text = pattern.sub(lambda found, absolute=absolute: _put(found, absolute(found, said_on)), text)  # type: ignore[misc]  # bound at once
    return resolve_next_days(text)


def resolve_next_days(text: str, *, before: str = "") -> str:
    """Return a text with "the next morning" counted from the last day before it, or in `before`, with its year."""
    return _NEXT_DAY.sub(lambda found: _write_next_day(found, before), text)


def _write_next_day(found: re.Match[str], before: str) -> str:
    days = list(_WRITTEN_DAY.finditer(f"{before} {found.string[: found.start()]}"))
    if not days or days[-1]["vague"]:
        return found[0]
    last = days[-1]
    try:
        day = date(int(last["year"]), month_number(last["month"]), int(last["number"]))
    except ValueError:  # 31 February
        return found[0]
    after = write_day(day + timedelta(days=1))
    on = f"on the {found['part']} of {after}" if found["part"].lower() != "day" else f"on {after}"
    return capitalize(on) if found[0][:1].isupper() else on


_REPLACED = frozenset({"", "on", "in", "at", "over", "during", "for", "about", "around", "roughly", "nearly", "almost"})


def _put(found: re.Match[str], when: tuple[str, str] | None) -> str:
    """Return what stands for a match: preposition and time, or the time alone after a preposition of its own."""
    if when is None:
        return found[0]
    parts = found.groupdict()
    preposition, noun = when
    lead, own = parts.get("lead") or "", parts.get("own") or ""
    if parts.get("thing"):
        return f"{lead}the {parts['thing']} of {noun}"
    if own:
        return found[0] if " of " in noun or "week " in noun else f"{lead}the {noun.removeprefix('the ')}"
    if not lead and _CLAUSE.search(found.string, 0, found.start()) and _PREDICATE.match(found.string, found.end()):
        return capitalize(noun) if found[0][:1].isupper() else noun
    if lead.strip().lower() in _REPLACED and not (lead.strip().lower() == "for" and preposition == "on"):
        text = f"{preposition} {noun}" if preposition else noun
        return capitalize(text) if found[0][:1].isupper() and found.start() == 0 else text
    return f"{lead}{noun}"


def append_date(sentence: str, *, at: datetime) -> str:
    """Return the sentence with the day on which it was said, where "last week" would otherwise mean nothing later."""
    if not RELATIVE_TIME.search(sentence):
        return sentence
    said = sentence.rstrip(".!?…")
    return f"{said} (said on {write_day(at)}){sentence[len(said) :]}"


def strip_date_said(sentence: str) -> str:
    """Return a sentence without what `append_date` put behind it."""
    return _SAID_ON.sub("", sentence)


def write_day(day: date) -> str:
    """Return a date in words: 7 May 2023."""
    return f"{day.day} {day:%B %Y}"


def _month(day: date, months: int) -> str:
    index = day.year * 12 + day.month - 1 + months
    return f"{MONTHS[index % 12].capitalize()} {index // 12}"


def _amount(found: re.Match[str]) -> int:
    text = found["number"].lower()
    return int(text) if text.isdigit() else _NUMBERS.get(text, 1)


def _ago(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    return _away(found["unit"].lower(), -_amount(found), said_on)


def _ahead(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    # "We recorded it in two days", but "It was approved and I move in two days".
    if looks_back(found.string) and not _is_ahead_in_clause(found):
        return None
    return _away(found["unit"].lower(), _amount(found), said_on)


def _away(unit: str, number: int, said_on: date) -> tuple[str, str] | None:
    if abs(number) > MAX_AGO.get(unit, 600):
        return None
    if unit == "day":
        return "on", write_day(said_on + timedelta(days=number))
    if unit == "week":
        return "around", write_day(said_on + timedelta(weeks=number))
    if unit == "weekend":
        saturday = said_on - timedelta(days=(said_on.weekday() - 5) % 7) + timedelta(weeks=number + 1)
        return "on", f"the weekend of {write_day(saturday)}"
    if unit == "month":
        return "around", _month(said_on, number)
    return "around", str(said_on.year + number)


def _some_ago(found: re.Match[str], said_on: date) -> tuple[str, str]:
    return "", f"{found['few']} {found['unit']} before {write_day(said_on)}"


_NEAR_DAYS = {"yesterday": -1, "tomorrow": 1}


def _near(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    if found["near"][0].isupper() and _INSIDE.search(found.string, 0, found.start("near")):
        return None  # "Gardening Today", a title
    words = found["near"].lower()
    first, _, part = words.partition(" ")
    beyond = {"tomorrow": 1, "yesterday": -1}[first] if found["beyond"] else 0
    day = write_day(said_on + timedelta(days=_NEAR_DAYS.get(first, 0) + beyond))
    if words == "last night":
        return "on", f"the night of {write_day(said_on - timedelta(days=1))}"
    if words == "tonight":
        return "on", f"the night of {day}"
    if words == "the other day":
        return "", f"shortly before {day}"
    return ("on", f"the {part} of {day}") if part else ("on", day)


def _day_of_week(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    which = found["which"].lower()
    wanted = next(place for place, name in enumerate(WEEKDAYS) if name.startswith(found["day"].lower()[:3]))
    if which in {"last", "past", "this past"} or (which == "this" and looks_back(found.string)):
        day = said_on - timedelta(days=(said_on.weekday() - wanted - 1) % 7 + 1)
    elif which == "this":
        day = said_on + timedelta(days=(wanted - said_on.weekday()) % 7)
    else:
        day = said_on + timedelta(days=(wanted - said_on.weekday() - 1) % 7 + 1)
    return "on", f"{WEEKDAYS[wanted].capitalize()}, {write_day(day)}"


def _bare_day(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    """Return the day before or after for "on Friday", as the sentence looks back or ahead."""
    wanted = next(place for place, name in enumerate(WEEKDAYS) if name.startswith(found["day"].lower()[:3]))
    clause = _clause_around(found)
    told = clause if AHEAD.search(clause) or BEFORE.search(clause) else found.string
    if AHEAD.search(told) or _is_coming(found) or HAVE.search(clause):
        day = said_on + timedelta(days=(wanted - said_on.weekday() - 1) % 7 + 1)
    elif BEFORE.search(told):
        day = said_on - timedelta(days=(said_on.weekday() - wanted - 1) % 7 + 1)
    else:
        return None
    return "", f"{found['before'] or 'on '}{WEEKDAYS[wanted].capitalize()}, {write_day(day)}"


def _day_of_month(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    """Return the day of this month or of the one before or after for "on the 15th", as the sentence looks."""
    day = int(found["number"])
    if not 1 <= day <= SHORTEST_MONTH:
        return None
    if named := list(_WRITTEN_DAY.finditer(found.string, 0, found.start())):  # "out on 9 June, back on the 16th"
        month = date(int(named[-1]["year"]), month_number(named[-1]["month"]), 1)
        if abs(month - said_on) < YEAR:
            return "on", f"{day} {_month(month, int(day < int(named[-1]['number'])))}"
    told = found.string[found.string.rfind(": ", 0, found.start()) + 1 :]  # "They answered: only on the 19th"
    if not (looks_back(told) or AHEAD.search(told) or _is_coming(found)):
        return None
    step = -1 if looks_back(told) and day > said_on.day else 0
    if not looks_back(told) and day < said_on.day:
        step = 1
    return "on", f"{day} {_month(said_on, step)}"


def _period(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    which = found["which"].lower()
    step = {"next": 1, "this": 0, "this coming": 0, "coming": 1}.get(which, -1)
    unit = found["period"].lower()
    if unit == "week":
        place = {1: "after", 0: "of", -1: "before"}[step]
        return "in", f"the week {place} {write_day(said_on)}"
    if unit == "weekend":
        saturday = said_on + timedelta(days=5 - said_on.weekday())
        if which == "this" and said_on < saturday and looks_back(found.string):
            step = -1
        return "on", f"the weekend of {write_day(saturday + timedelta(weeks=step))}"
    if unit == "month":
        return "in", _month(said_on, step)
    if unit == "year":
        return "in", str(said_on.year + step)
    if unit in SEASONS:
        is_running = unit == "winter" and step == 0 and said_on.month < APRIL and not AHEAD.search(found.string)
        year = said_on.year + _season_step(unit, step, said_on)
        return "in", f"winter {year - 1}/{year}" if is_running else f"{unit} {year}"
    month = MONTHS.index(unit) + 1
    later = {-1: -1 if month >= said_on.month else 0, 0: 0, 1: 0 if month > said_on.month else 1}[step]
    return "in", f"{unit.capitalize()} {said_on.year + later}"


def _is_ahead_in_clause(found: re.Match[str]) -> bool:
    """Return whether the clause around a time has its own subject, or a verb like "leaves", and does not look back."""
    joint = _find_joint(found)
    clause = _clause_around(found)
    has_subject = joint is not None and (
        "that" in joint[0] or any(_SUBJECT.match(found.string, place) for place in (joint.end(), found.end() + 1))
    )
    return (has_subject or _is_coming(found)) and not looks_back(clause)


def _find_joint(found: re.Match[str]) -> re.Match[str] | None:
    joints = _JOINT.finditer(found.string, max(0, found.start() - MAX_CLAUSE), found.start())
    return max(joints, key=lambda each: each.end(), default=None)


def _clause_around(found: re.Match[str]) -> str:
    """Return the clause of a time, up to `MAX_CLAUSE` characters on either side."""
    joint, after = _find_joint(found), _JOINT.search(found.string, found.end(), found.end() + MAX_CLAUSE)
    begin = joint.end() if joint else max(0, found.start() - MAX_CLAUSE)
    return found.string[begin : after.start() if after else found.end() + MAX_CLAUSE]


def _is_coming(found: re.Match[str]) -> bool:
    """Return whether the words before a day say that something is still to come: "comes on Thursday"."""
    coming = COMING.search(found.string, max(0, found.start() - MAX_CLAUSE), found.end())
    return coming is not None and not THEY_DID.search(found.string, coming.start(), found.start())


def _season_step(season: str, step: int, said_on: date) -> int:
    """Return the years to the season that is meant: "last summer", said in October, is the one of this year."""
    begins = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}[season]
    if step < 0:
        return 0 if said_on.month > begins + 2 else -1
    if step > 0:
        return 0 if said_on.month < begins else 1
    return 0


def _add_year(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    """Return a day that was said without its year in the next year that has it where it is still to come, else in the
    year that puts it nearest to when it was said."""
    year = None if found["month"] == "may" else _nearest_year(found, said_on)  # the verb
    return None if year is None else ("", f"{found['whole']}, {year}")


def _add_year_behind(found: re.Match[str], said_on: date) -> tuple[str, str] | None:
    year = _nearest_year(found, said_on)
    return None if year is None else ("", f"{found['whole']} {year}")


def _nearest_year(found: re.Match[str], said_on: date) -> int | None:
    number = int(found["number"])
    month = month_number(found["month"])
    days = []
    for year in (said_on.year - 1, said_on.year, said_on.year + 1):
        try:
            days.append(date(year, month, number))
        except ValueError:
            continue
    if _is_coming(found):
        days = [day for day in days if day >= said_on - JUST_OVER]
    if not days:
        return None
    return min(days, key=lambda day: abs((day - said_on).days)).year


# Where a clause begins, and what its subject may be.
_JOINT = re.compile(r"[,;:] (?:and |but |that )?| (?:and|but|that) ")
_SUBJECT = re.compile(r"(?i)(?:I|we|you|they|he|she|it|there|the user)\b")
_NEXT_DAY = re.compile(r"(?i)\b(?:on )?the (?:next|following) (?P<part>day|morning|afternoon|evening|night)\b(?!['’])")
_WRITTEN_DAY = re.compile(
    r"(?i)\b(?P<vague>(?:(?:weekend|week) of|before|after|around) )?"
    rf"(?P<number>\d{{1,2}}) (?P<month>{_MONTH_NAMES}) (?P<year>(?:19|20)\d\d)\b"
)
_Absolute = Callable[[re.Match[str], date], tuple[str, str] | None]


def _form(pattern: str, absolute: _Absolute) -> tuple[re.Pattern[str], _Absolute]:
    return re.compile(rf"(?i){pattern}"), absolute


_FORMS = (
    _form(rf"{_LEAD}\b(?<!\d,)(?P<number>{_NUMBER}) (?P<unit>day|week|weekend|month|year)s? ago\b{_OWN}", _ago),
    _form(rf"{_LEAD}\b(?P<few>(?:a few|few|some|several|many)) (?P<unit>days|weeks|months|years) ago\b", _some_ago),
    _form(rf"\bin (?P<number>{_NUMBER}) (?P<unit>day|week|month)s?(?: time| from now)?\b(?! or\b)", _ahead),
    _form(
        rf"{_LEAD}\b(?<!like )(?<!just )(?P<beyond>(?:the )?day (?:after (?=tom)|"
    rf"before (?=yes)))?(?P<near>(?:yesterday|tomorrow)(?: morning| afternoon| evening| night)?|"
        rf"last night|tonight|this (?:morning|afternoon|evening)|the other day|today)\b{_OWN}",
        _near,
    ),
    _form(
        rf"{_LEAD}\b(?:the )?(?P<which>last|this past|past|this coming|coming|this|next) (?P<day>{_DAYS})\b{_OWN}",
        _day_of_week,
    ),
    _form(
        rf"{_LEAD}\b(?P<which>last|this|next) (?P<period>week|weekend)'s (?!been\b|going\b)"
        r"(?P<thing>[\w-]+(?: [\w-]+){0,2}?)"
        r"(?= (?:in|on|at|with|for|was|is|and|but|because|to|that|where|when|has|had|were)\b|[.,;!?:)]|$)",
        _period,
    ),
    _form(
        rf"{_LEAD}\b(?P<which>last|this past|this coming|this|next) "
        # "This weekend retreat" is a retreat, whenever it is.
        r"(?P<period>weekend(?! (?:retreat|getaway|workshop|trip|break)\b)|"
        rf"week|month|year|{_SEASON_NAMES}|{_MONTH_NAMES})\b{_OWN}(?! or two\b)",
        _period,
    ),
    _form(
        rf"\b(?P<before>on )(?P<day>{_DAY_NAMES})\b(?!,? \d{{1,2}}\b(?![:.]\d)|'s|,? morning| (?-i:[A-Z][a-z]))",
        _bare_day,
    ),
    # "On 17 April", the month with a capital: "3 march" may be a verb.
    _form(
        rf"(?P<whole>\b(?P<number>\d{{1,2}})(?:st|nd|rd|"
        rf"th)?(?: of)? (?-i:(?=[A-Z]))(?P<month>{_MONTH_FORMS})\b)(?!\.?,? ?\d{{4}}|'s)",
        _add_year_behind,
    ),
    _form(r"\bon the (?P<number>\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|floor|street|avenue|day|birthday|anniversary|"
        r"try)\b)",
          _day_of_month),
    _form(rf"{_NO_LEAD}(?P<before>)\b(?P<day>{_DAY_NAMES})(?=[.!;]|$| (?:and|but) (?!{_DAYS}\b))", _bare_day),
    _form(
        rf"(?P<whole>\b(?P<month>{_MONTH_FORMS})\.? (?P<number>\d{{1,2}})(?:st|nd|rd|th)?)\b(?!,? ?\d{{4}}|"
            rf"[:/-]\d|,\d)",
        _add_year,
    ),
)  # fmt: skip
