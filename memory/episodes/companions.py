"""Who "we" are in what one of two speakers says: the two of them, or those whom the message names. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.english.persons import COMPANIONS

_WE = re.compile(r"(?i)\b(?:we|us|our|ours|ourselves)\b|\blet's\b")
_WE_DO = re.compile(r"(?i)\b(?:we|us|ourselves)\b|\blet's\b")
_KIN = (
    rf"(?:{COMPANIONS}|classmate)s?|parents|siblings|kids|children|family|fam|buddies|team|crew|band|class|group|club"
)
_OWN = re.compile(
    # At most two words that describe them: "my whole rowing team", but not "my day with friends".
    r"(?i)\b(?:my|our|the)"
    r"(?: (?!(?:and|or|of|with|to|for|from|in|on|at|by|is|are|was|were|has|have|had)\b)[a-z-]+){0,2}? "
    rf"(?P<who>{_KIN})\b(?! (?:of|who|that|name|game|work|member|project|photo|pic|time|trip|house|home|night|store|"
    rf"park|shelter)\b)"
)
# What stands before people who only hear of it: "We rowed out after telling my friends".
_NO_COMPANY = re.compile(r"(?i)\b(?:tell\w{0,3}|told|ask\w{0,3}|show\w{0,3}|thank\w{0,3}) $")
# What says itself who "we" are: "We were teammates for four years".
_TELLS_WHO = re.compile(
    r"(?i)\bwe(?:'ve been|'re| are| were| became| have been) (?!with\b|like\b)(?:[a-z-]+ ){0,2}?"
    rf"(?:{_KIN}|roommates|partners)\b"
)
_GENERAL_OWN = re.compile(r"(?i)^(?:team|crew|band|class|group|club)$")
_NAMED = re.compile(
    r"\b(?P<name>[A-Z][a-z]+(?: and [A-Z][a-z]+)?) and (?:I|me|myself)\b|\b(?:with|took|"
    r"brought) (?P<with>[A-Z][a-z]+)\b(?! [A-Z])"
)
# What the two who talk do or have in common.
_BOTH = re.compile(
    r"(?i)\b(?:you and (?:I|me)|me and you|between us|(?:we|us) both|both of us|we're both|the two of us|our (?:chat|"
    r"talk|conversation|last (?:chat|talk))s?|(?:we|let's) (?:should|could|can|must|gotta|need to|have to|"
    r"might|will|would)?\s*(?:\w+ ){0,3}?(?:catch up|meet up|hang out|get together|chat|plan (?:a|an|it|something))|"
    r"(?:since|when|time|after|before) we(?:'ve| have|'d| had)? (?:last )?(?:talked|spoke|chatted)|(?:can't wait|"
    r"excited|looking forward)\b.{0,40}\bwith you)\b"
)
# The same, unless the message names others: "I row in a crew. Our friendship grows."
_BOTH_IF_ALONE = re.compile(
    r"(?i)\b(?:our friendship|(?:since|when|time|after|before) we(?:'ve| have|'d| had)? (?:last |first )?met"
    r"(?! (?:the|an?|my|our|his|her|their|some|with|(?-i:[A-Z]))))\b"
)
_TO_LISTENER = re.compile(r"(?i)\byou\b|\byour")
_TO_COME = re.compile(
    r"(?i)\b(?:we|let's|us)\b.{0,60}\b(?:sometime|some day|someday|one day|together (?:soon|next)|next time)\b"
)
_LETS = re.compile(r"(?i)\blet's\b")
_MY = re.compile(r"(?i)\b(?:my|our)\b")
_YOUR = re.compile(r"(?i)\byour\b")
_WHOLE = {"fam": "family"}


def speaks_of_several(sentence: str) -> bool:
    """Return whether a sentence has "we" or one of its forms."""
    return _WE.search(sentence) is not None


def find_company(sentence: str, around: Sequence[str], *, listener: str, earlier: Sequence[str] = ()) -> str:
    """Return who "we" are in addition to the speaker: the listener, "family" or a name; '' where nothing tells.

    `around` is what else the message says, `earlier` what was said before it, the nearest first.
    """
    if not speaks_of_several(sentence) or _company(sentence) or _TELLS_WHO.search(sentence):
        return ""  # named in the sentence itself: "they" is enough
    named = next(filter(None, map(_company, around)), "")
    if listener and (_is_of_both(sentence) or (_BOTH_IF_ALONE.search(sentence) and not named)):
        return listener
    # What is only "ours" may well belong to others than those of an earlier message: "our schools".
    return named or next(filter(None, map(_company, earlier if _WE_DO.search(sentence) else ())), "")


def _is_of_both(sentence: str) -> bool:
    """Return whether "we" are the two who talk, even if others are named."""
    if _BOTH_IF_ALONE.search(sentence) and _TO_LISTENER.search(sentence):
        return True
    return any(pattern.search(sentence) for pattern in (_BOTH, _TO_COME, _LETS))


def as_own(sentence: str) -> str:
    """Return what another says of the speaker as the speaker would say it: "your family" as "my family"."""
    return _YOUR.sub("my", _MY.sub("their", sentence))


def _company(sentence: str) -> str:
    """Return the first whom a sentence names as company of its speaker."""
    named = _NAMED.search(sentence)
    if named:
        return named["name"] or named["with"] or ""
    for found in _OWN.finditer(sentence):
        who = found["who"].lower()
        if _NO_COMPANY.search(sentence, 0, found.start()):
            continue
        if not _GENERAL_OWN.match(who) or not found[0].lower().startswith("the"):
            return _WHOLE.get(who, who)
    return ""
