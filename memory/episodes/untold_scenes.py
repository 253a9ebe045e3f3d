"""What happened at an occasion that a sentence does not name: "We made wishes". Pure; English."""

from __future__ import annotations

import re

from core.english.irregular_forms import ANY_PAST
from core.english.persons import NAME_INSIDE
from core.english.time_expressions import TIME_WORD

# A verb in the past, of the speaker, of those with them, or of an "it"; "used to" and "got" tell what is.
_PAST_CLAUSE = re.compile(
    r"(?i)\b(?:I|we|it|that|everyone|everybody|they|he|she)(?: (?:\w+ly|all|both|just|also|even|still|always|never))* "
    rf"(?!used to|need\b|cut\b|put\b|set\b|let\b|read\b|hurt\b|got to\b)(?:{ANY_PAST}|didn't|wasn't|couldn't)\b|"
    rf"^\w{{2,}}ing\b[^,.;]{{0,60}}? (?:{ANY_PAST})\b"
)
# Who begins, ends or gets something says what happened: "I quit smoking", "I sold the boat".
_WHOLE_EVENT = re.compile(
    r"(?i)\b(?:I|we)(?: (?:\w+ly|all|both|just|also|even|had to))* (?:start|stopp|join|quit|mov|adopt|bought|sold|pass|"
    r"fail|finish|graduat|retir|marri|sign|ordered|book|hir|launch|mov|chang|switch|decid|chose|cancel|postpon|lost|broke|"
    r"learn|taught|grew|born|met|paid|left|repair|fix|renew|install|donat|volunteer|applied|enrol|regist|publish|"
    r"ask|g[ai]ve (?:up|notice)|said \d|charg|offer)\w*"
)
_ANCHOR = re.compile(
    rf"\d|\"|{TIME_WORD.pattern}|\b(?:recently|lately|growing up|as (?:an? )?(?:kids?|child(?:ren)?)|when (?:I|"
    rf"we) (?:was|were)|once|two|three|four|five|six|seven|eight|nine|ten)\b|(?-i:{NAME_INSIDE})|"
    r"\ban? (?!bit\b|lot\b|few\b|while\b|couple\b|ton\b|part\b|way\b|chance\b|sense\b|(?:\w+ )?(?:time|moment|"
    r"feeling|difference|impact|experience|reminder|blast|success|job|view|challenge|idea|memory|mood|support)\b)[a-z]|"
    r"\b(?:my|our) (?!best\b|own\b|mind\b|heart\b|eyes?\b|way\b|head\b|life\b|lives\b|thoughts\b|worries\b|all\b)[a-z]",
    re.IGNORECASE,
)


def begins_or_ends(text: str) -> bool:
    """Return whether a text tells that someone began, ended or got something."""
    return _WHOLE_EVENT.search(text) is not None


def lacks_scene(text: str) -> bool:
    """Return whether a text tells what people did or felt then, and nothing of when, where, with whom or at what."""
    return bool(_PAST_CLAUSE.search(text)) and not begins_or_ends(text) and not _ANCHOR.search(text)
