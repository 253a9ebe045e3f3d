"""Sentence frames of events and objects: when something takes place, in what state it is, and where. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.memories.replacement.claim_values import read_time
from memory.memories.replacement.claims import StatedClaim, build_claim
from memory.memories.replacement.clauses import Clause
from memory.memories.replacement.lexicon import EVENTS, RELATIONS, STATES, THINGS

WAS = r"(?:is being |(?:is|are|was|were|has been|have been|had been|got|been|has|have|had to be) )?(?:now )?"


_TIME_VERBS = (
    "opens?|closes?|starts?|begins?|ends?|finishes|leaves?|departs?|arrives?|expires?|launches|"
    "ships|lands|wakes? up|gets? up|"
    "goes to bed|gets up|boards?|renews|resumes|kicks off|publishes"
)


_TIMED = re.compile(rf"(?i)^(?P<s>.+?) (?:will )?(?P<verb>{_TIME_VERBS}) (?P<v>.+)$")


_WHEN = re.compile(
    r"(?i)^(?P<s>.+?) (?:takes? place|taking place|happens?|will be|will take place|will "
    r"happen|(?:is|are|was|has been) (?:re)?scheduled(?: for)?|is set for|is planned for|is booked "
    r"for|is held|"
    r"falls|is|are) (?P<v>.+)$"
)


_WHEN_MOVED = re.compile(
    rf"(?i)^(?P<s>.+?) {WAS}(?:moved|postponed|rescheduled|pushed|shifted|delayed|extended|prolonged|"
    rf"shortened|brought|put "
    rf"off|put|advanced|changed|switched|bumped|slipped|moves|shifts|slips)"
    r"(?: back| forward| up| out| ahead| off)?(?: by [\w ]+?)?(?: from (?P<old>.+?))?(?: (?:to|"
    r"until|till|for|by|on)) (?P<v>.+)$"
)


_CALLED_OFF = re.compile(
    r"(?i)^(?P<s>.+?) (?:is|are|was|were|has been|have been|got|been)(?: being)? (?:cancell?ed|"
    r"called off|scrapped|dropped|axed)$"
)


_STATE = re.compile(
    rf"(?i)^(?P<s>.+?) (?:is|are|has been|have been|was|were|went|goes|became|got|has gone) (?:marked "
    rf"(?:as )?|put )?(?P<v>{STATES})$"
)


_LOCATED = re.compile(
    r"(?i)^(?P<s>.+?) (?:is|are|was|has|have|sits?|lives?|stands?)(?: been)?(?: (?P<kept>located|"
    r"based|situated|stored|kept|hosted|parked|housed|moved|relocated|carried over|transferred|"
    r"brought|hidden|saved|archived|filed))?"
    r" (?P<prep>in|at|on|under|behind|next to|inside|above|below|to|into)(?: the)? (?P<v>.+)$"
)


_THING_MOVED = re.compile(
    r"(?i)^(?P<s>.+?) (?:has |have |was |were |has been |have been |is |got )?(?:moved|relocated|"
    r"transferred|carried over|brought)(?: from (?P<old>.+?))? (?:in)?to (?P<v>.+)$"
)


def _is_event(subject: str) -> bool:
    return bool(re.search(rf"(?i)\b(?:{EVENTS})s?$", subject.strip())) or bool(
        re.match(rf"(?i)^(?:the |our |my )?(?:\w+ )?(?:{EVENTS}) (?:with|at|for|of|in) ", subject)
    )


def _without_company(subject: str) -> str:
    """Return "the meeting with Bob" as words of a subject, which a preposition may not be."""
    return re.sub(r"(?i) (?:with|of|for|at|in) (?:the )?", " ", subject)


def _time_text(text: str) -> str:
    """Return a time as it is read: "to 11" means at 11; '' for what is not a time."""
    plain = re.sub(r"(?i)^(?:to|for|in|every) ", "", text)
    return next((form for form in (plain, f"at {plain}") if read_time(form)), "")


_WHEN_WORDS = "meet schedule move postpone reschedule place take happen start push hold delay"


def time_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    if (found := _WHEN_MOVED.match(text)) and (when := _time_text(found["v"])):
        said, words = old or found["old"] or "", _event_words(found["s"], _WHEN_WORDS)
        yield build_claim(
            _without_company(found["s"]),
            "when",
            when,
            clause,
            is_single=True,
            is_change=True,
            old=said,
            vocabulary=words,
        )
    elif (found := _WHEN.match(text)) and _is_event(found["s"]) and (when := _time_text(found["v"])):
        words = _event_words(found["s"], _WHEN_WORDS)
        yield build_claim(_without_company(found["s"]), "when", when, clause, is_single=True, old=old, vocabulary=words)
    elif (found := _TIMED.match(text)) and (when := _time_text(found["v"])):
        verb = found["verb"].lower().split()[0].rstrip("s")
        is_event = _is_event(found["s"]) and verb in {"start", "begin", "launch", "kick"}
        words = f"{verb} {_WHEN_WORDS if is_event else ''}"
        yield build_claim(
            _without_company(found["s"]),
            "when" if is_event else f"when:{verb}",
            when,
            clause,
            is_single=True,
            old=old,
            vocabulary=words,
        )


def _event_words(subject: str, vocabulary: str) -> str:
    return f"{vocabulary} {' '.join(re.findall(r'[a-z]{4,}', subject.lower()))}"


def end_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    found = _CALLED_OFF.match(text)
    if found and not clause.is_future and not clause.is_denied:
        words = " ".join(re.findall(r"[a-z]{4,}", found["s"].lower()))
        yield build_claim(
            _without_company(found["s"]),
            "when",
            "",
            clause,
            is_denied=True,
            is_single=True,
            is_change=True,
            vocabulary=words,
        )
        yield build_claim(found["s"], "fn:status", "cancelled", clause, is_single=True, vocabulary=words)


def condition_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    found = _STATE.match(text)
    if (
        found
        and not clause.is_future
        and not clause.is_brief
        and not re.search(rf"(?i)\b(?:{RELATIONS}|user|I|we)$", found["s"])
    ):
        yield build_claim(
            found["s"],
            "fn:status",
            found["v"],
            clause,
            is_single=True,
            old=old,
            vocabulary=" ".join(re.findall(r"[a-z]{4,}", found["s"].lower())),
        )


def _is_thing(subject: str) -> bool:
    return bool(re.search(rf"(?i)\b(?:{THINGS}|{EVENTS})s?$", subject.strip()))


_KEEPS = re.compile(
    r"(?i)^(?P<s>I|we|[A-Z][\w-]*|the user) (?:keeps?|stores?|parks?|hides?|leaves?|puts?) (?P<what>(?:the|"
    r"my|our|his|her|their|a|an) [\w -]+?) (?P<prep>in|at|on|under|behind|next to|inside) (?P<v>.+)$"
)
_MEETS = re.compile(
    r"(?i)^(?P<s>.+?) (?:meets?|takes? place|is held|happens|gathers|is taught|sits) (?:in|at) (?P<v>.+)$"
)


def location_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Where a thing is kept, stands or takes place."""
    if clause.is_future or clause.is_brief:
        return
    vocabulary = "locate base move relocate keep store situate"
    if found := _KEEPS.match(text):
        what = re.sub(r"(?i)^(?:the|my|our|his|her|their|an?) ", "", found["what"])
        owner = {"i": "my", "we": "our"}.get(found["s"].lower(), f"{found['s']}'s")
        words = f"keep store park {what}"
        yield build_claim(
            f"{owner} {what}", "thing-place", found["v"], clause, is_single=True, old=old, vocabulary=words
        )
    elif (found := _MEETS.match(text)) and not _time_text(found["v"]):
        words = f"{vocabulary} meet place venue"
        yield build_claim(found["s"], "thing-place", found["v"], clause, is_single=True, old=old, vocabulary=words)
    elif (found := _LOCATED.match(text)) and _is_thing(found["s"]) and not read_time(found["v"]):
        is_change = (found["kept"] or "").lower() in {"moved", "relocated"}
        words = " ".join(re.findall(r"[a-z]{3,}", found["s"].lower()))
        yield build_claim(
            found["s"],
            "thing-place",
            found["v"],
            clause,
            is_single=True,
            is_change=is_change,
            old=old,
            vocabulary=f"{vocabulary} {words}",
        )
    elif (found := _THING_MOVED.match(text)) and _is_thing(found["s"]) and not read_time(found["v"]):
        words = " ".join(re.findall(r"[a-z]{3,}", found["s"].lower()))
        yield build_claim(
            found["s"],
            "thing-place",
            found["v"],
            clause,
            is_single=True,
            is_change=True,
            old=old or found["old"] or "",
            vocabulary=f"{vocabulary} {words}",
        )
