"""Whether a newer text replaces an older one, repeats it, or neither. Pure; by rules, English.

A wrong replacement hides what is true, a missed one only leaves two sentences; so every doubt is decided against it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from memory.memories.replacement.assertions import is_stated, keeps_old
from memory.memories.replacement.bearings import find_bearings
from memory.memories.replacement.claim_values import ClaimValue, Sort, read_time, times_differ
from memory.memories.replacement.claims import BARE, FIRST_PERSON, GROUP, USER, Reading, StatedClaim, read_claims
from memory.memories.replacement.clauses import Clause
from memory.memories.replacement.contrast import says_otherwise
from memory.memories.replacement.evidence import DOUBTFUL, SURE, weigh
from memory.memories.replacement.lexicon import REGIONS
from memory.memories.replacement.partial_ends import is_over_in_part
from memory.memories.replacement.reversals import repeats_end
from memory.memories.replacement.text_features import read_number
from memory.memories.replacement.text_pair import abbreviates, read_pair

SELF = "@self"
# What "switched from X", "sold X" or "left X" may end, whatever verb stated it.
_ENDED_BY_NAME_LIST = """
    switch place employer role commute plan do:use do:drive do:have do:drink do:eat do:take do:play do:study
    do:host do:deploy do:attend do:rent do:go do:prefer do:subscribe do:do do:ride do:practise do:practice
    do:follow do:keep do:learn do:run do:wear do:accept do:store fn:car fn:phone fn:laptop fn:plan
    fn:provider fn:bank fn:database fn:editor fn:browser fn:framework fn:stack fn:gym fn:carrier fn:shell
    verb:hosted_on verb:deployed_on verb:runs_on
"""
ENDED_BY_NAME = frozenset(each.replace("_", " ") for each in _ENDED_BY_NAME_LIST.split())
# What a new member of the same line of alternatives ends: "switched to Firefox" ends "uses Chrome".
_ENDED_BY_KIND_LIST = """
    switch do:use do:drive do:drink do:prefer do:run do:write do:have do:eat do:ride commute fn:tool
    fn:database fn:editor fn:browser fn:car fn:laptop fn:phone fn:framework fn:shell fn:provider fn:stack
    diet verb:hosted_on verb:deployed_on verb:runs_on
"""
ENDED_BY_KIND = frozenset(each.replace("_", " ") for each in _ENDED_BY_KIND_LIST.split())
_GENERIC_LIST = """
    subscript membership account job contract lease old class lesson habit car hous flat apart compani posit
    team studi use drink eat drive play smoke take
"""
_GENERIC = frozenset(_GENERIC_LIST.split())


_OWNED = re.compile(r"(?P<owner>The user|[A-Z][\w-]+)(?:'s|s') ")
_NUMBERED = re.compile(r"(?i)^(?:the |our |my )?(?P<kind>[a-z]+) #?(?P<number>\d+)\b")
_REPEATS = re.compile(r"(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|holidays)\b")


class Succession(StrEnum):
    """What a newer text does to an older one. Where it may replace it, a person has to say so."""

    REPLACES = "replaces"
    MAY_REPLACE = "may replace"
    RESTATES = "restates"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Decision:
    """The outcome, and the day from which the newer text says that it holds."""

    outcome: Succession
    starts: date | None = None


NEITHER = Decision(Succession.NEITHER)


def decide(older: str, newer: str, *, is_one_person: bool = True) -> Decision:
    """Return what the newer of two texts does to the older one.

    `is_one_person` says that "I" and "the user" are the same in both: one author wrote them, or they are in the space
    of one user.
    """
    return decide_readings(read_claims(older), read_claims(newer), is_one_person=is_one_person)


def decide_readings(older: Reading, newer: Reading, *, is_one_person: bool = True) -> Decision:
    """`decide` for texts that were read before."""
    found = _decide_whole(older, newer, is_one_person=is_one_person)
    if found.outcome != Succession.REPLACES or older.sketch is None or newer.sketch is None:
        return found
    is_part = is_over_in_part(read_pair(older.sketch, newer.sketch))
    return replace(found, outcome=Succession.MAY_REPLACE) if is_part else found


def _decide_whole(older: Reading, newer: Reading, *, is_one_person: bool) -> Decision:
    by_frames = decide_by_frames(older, newer, is_one_person=is_one_person)
    if by_frames.outcome == Succession.REPLACES or older.sketch is None or newer.sketch is None:
        return by_frames
    texts = older.sketch.raw, newer.sketch.raw
    pair = read_pair(older.sketch, newer.sketch)
    is_of_two = _are_numbered_apart(*texts) or _are_owned_apart(*texts)
    if keeps_old(texts[1]) or is_of_two or (pair.shared and repeats_end(*texts)):
        return by_frames
    if find_bearings(pair, is_one_person=is_one_person) and is_stated(pair, is_one_person=is_one_person):
        return Decision(Succession.REPLACES, _start(newer))
    share = pair.roots & {word[:5] for word in newer.sketch.content}
    is_apart = not share and not pair.is_opposed  # who have no word in common speak of two things
    if is_apart or by_frames.outcome != Succession.NEITHER:
        return by_frames
    score = weigh(pair, is_one_person=is_one_person, are_apart=_are_apart(older, newer))
    if score <= DOUBTFUL:
        return NEITHER
    return Decision(Succession.REPLACES if score > SURE and share else Succession.MAY_REPLACE, _start(newer))


def _are_owned_apart(older: str, newer: str) -> bool:
    """Return whether both begin with things of two owners: "The user's driving test …", "Pavel's driving test …"."""
    mine, theirs = _OWNED.match(older), _OWNED.match(newer)
    return mine is not None and theirs is not None and mine["owner"].casefold() != theirs["owner"].casefold()


def _are_numbered_apart(older: str, newer: str) -> bool:
    """Return whether both begin with things of one kind and different numbers: "Shop 1 …", "Shop 7 …"."""
    mine, theirs = _NUMBERED.match(older), _NUMBERED.match(newer)
    if mine is None or theirs is None or mine["kind"].lower() != theirs["kind"].lower():
        return False
    return mine["number"] != theirs["number"]


def decide_by_frames(older: Reading, newer: Reading, *, is_one_person: bool = True) -> Decision:
    """`decide_readings` by what frames read in both texts alone.

    So it is for statements of a conversation, where people talk about the same things all the time: of those that the
    evidence closed, hardly any was replaced.
    """
    by_claims = _decide_claims(older, newer, is_one_person=is_one_person) if older.is_plain else NEITHER
    if by_claims.outcome != Succession.NEITHER:
        return by_claims
    for clause in newer.clauses if len(older.clauses) == 1 and _is_simple(older) else ():
        if _may_be_of_one(older.clauses[0], clause, is_one_person) and says_otherwise(older.clauses[0], clause):
            return Decision(Succession.REPLACES, clause.starts)
    return NEITHER


def _start(newer: Reading) -> date | None:
    return next((clause.starts for clause in newer.clauses if clause.starts is not None), None)


def _are_apart(older: Reading, newer: Reading) -> bool:
    """Return whether both are known to be about different attributes."""
    unknown = {BARE}
    mine, theirs = ({claim.attribute.split(":")[0] for claim in each.claims} for each in (older, newer))
    mine, theirs = mine - unknown, theirs - unknown - {"ended", "switch"}
    return bool(mine and theirs) and not mine & theirs


_SPEAKER = re.compile(r"(?i)\b(?:I|me|my)\b")


def _may_be_of_one(older: Clause, newer: Clause, is_one_person: bool) -> bool:
    """Return whether "I" can be the same in both."""
    return is_one_person or not (_SPEAKER.search(older.text) or _SPEAKER.search(newer.text))


def _is_simple(reading: Reading) -> bool:
    return not re.search(r"(?i)\b(?:and|but|while)\b|[;,]", reading.clauses[0].text)


def _decide_claims(older: Reading, newer: Reading, *, is_one_person: bool) -> Decision:
    mine = [_unify_speakers(old, is_one_person) for old in older.claims]
    theirs = [_unify_speakers(new, is_one_person) for new in newer.claims]
    # One's "I" says nothing about another one's.
    of_one = [(old, new) for old in mine for new in theirs if FIRST_PERSON not in old.subject | new.subject]
    found = [(_compare(old, new), new) for old, new in of_one]
    for wanted in (Succession.REPLACES, Succession.RESTATES):
        for outcome, claim in found:
            if outcome == wanted:
                return Decision(outcome, claim.starts)
    return NEITHER


def _unify_speakers(claim: StatedClaim, is_one_person: bool) -> StatedClaim:
    if is_one_person and claim.subject & {FIRST_PERSON, USER}:
        return replace(claim, subject=(claim.subject - {FIRST_PERSON, USER}) | {SELF})
    return claim


def _compare(old: StatedClaim, new: StatedClaim) -> Succession:
    if old.is_future and old.attribute != "plan" and not old.attribute.startswith(("when", "fn:")):
        return Succession.NEITHER
    if BARE in {old.attribute, new.attribute} or not _share_subject(old, new) or new.is_adding:
        return Succession.NEITHER
    if old.is_denied:
        return _against_denial(old, new)
    if _ends_by_name(old, new) or _is_moved(old, new) or _is_denied(old, new):
        return Succession.REPLACES
    is_alike = old.attribute == new.attribute and not new.is_denied
    return _compare_values(old, new) if is_alike else Succession.NEITHER


def _is_moved(old: StatedClaim, new: StatedClaim) -> bool:
    """Return whether "was moved to Friday" is about "leaves on Thursday"."""
    is_time = new.attribute == "when" and new.is_change and not new.is_denied and old.attribute.startswith("when:")
    return is_time and _are_other_times(old, new)


def _share_subject(old: StatedClaim, new: StatedClaim) -> bool:
    if old.subject == new.subject:
        return True
    # "We switched from A to B" is about "our …" as well.
    if new.ends_any and new.old is not None and GROUP in new.subject and new.subject < old.subject:
        return True
    # "Apollo was renamed to Artemis" is about the project that is called Apollo.
    return (
        new.attribute == old.attribute == "name"
        and old.value is not None
        and new.old is not None
        and new.old.is_same(old.value)
    )


def _against_denial(old: StatedClaim, new: StatedClaim) -> Succession:
    is_about_it = (
        old.attribute == new.attribute
        and old.value is not None
        and new.value is not None
        and old.value.is_same(new.value)
    )
    if not is_about_it:
        return Succession.NEITHER
    return Succession.RESTATES if new.is_denied else Succession.REPLACES


def _is_denied(old: StatedClaim, new: StatedClaim) -> bool:
    """Return whether "no longer …" ends what was said: the same, or something wider than it."""
    if old.attribute != new.attribute or not new.is_denied:
        return False
    if new.value is None:
        return new.is_single or old.value is None
    if old.value is None:
        return False
    if new.attribute in {"do:have", "place", "employer", "marital", "role", "do:use", "plan"}:
        return new.value.is_within(old.value)
    is_part = new.value.rest.startswith("with ") and not old.value.rest  # "went off coffee with sugar"
    return new.value.is_same(old.value) and not is_part


def _ends_by_name(old: StatedClaim, new: StatedClaim) -> bool:
    """Return whether the newer sentence names the old value as over, or an alternative to it."""
    value = old.value
    if value is None:
        return False
    is_open = (
        old.attribute in ENDED_BY_NAME
        or (old.attribute.startswith("favourite") and new.attribute == "do:prefer")
        or old.attribute == new.attribute
    )
    ended = new.old if new.old is not None else new.value if new.attribute == "ended" else None
    if is_open and ended is not None and (new.ends_any or old.attribute == new.attribute or not new.is_denied):
        if old.attribute == new.attribute and not new.ends_any and new.value is not None and value.is_same(new.value):
            return False
        words = ended.words - _GENERIC or ended.words
        same_kind = (
            new.ends_any
            or new.attribute in ("do:prefer", old.attribute)
            or old.attribute.split(":")[0] == new.attribute.split(":")[0]
        )
        same_kind = same_kind or (new.is_change and words == value.words)
        if words <= value.words and same_kind and _is_small_part(words, value):
            return True
    if (
        new.value is None
        or new.is_denied
        or not (new.attribute == "switch" or (new.is_change and new.attribute == old.attribute))
    ):
        return False
    if old.attribute in ENDED_BY_KIND and value.category is not None and value.category == new.value.category:
        return not value.is_same(new.value)
    return old.attribute in {"do:use", "do:run", "fn:database", "fn:stack"} and _is_other_version(value, new.value)


def _is_small_part(words: frozenset[str], value: ClaimValue) -> bool:
    """Return whether the old value is mostly what was named, and not a long text that mentions it."""
    return len(value.words) <= len(words) + 4


def _is_other_version(old: ClaimValue, new: ClaimValue) -> bool:
    mine, theirs = (re.sub(r"[\d.]+", "", " ".join(sorted(each.words))).split() for each in (old, new))
    return bool(mine) and mine == theirs and old.words != new.words and old.sort == new.sort == Sort.NUMBER


def _compare_values(old: StatedClaim, new: StatedClaim) -> Succession:
    mine, theirs = old.value, new.value
    if mine is None or theirs is None:
        return Succession.RESTATES if mine is theirs else Succession.NEITHER
    if mine.is_same(theirs) and mine.qualifier == theirs.qualifier:
        return Succession.RESTATES
    if _is_one_number(mine.text, theirs.text):
        return Succession.NEITHER
    is_promotion = old.attribute == "role" and new.is_change and mine.is_within(theirs)
    names = [re.sub(r"[^A-Za-z ]", "", value.text) for value in (mine, theirs)]
    is_short_form = abbreviates(*names) or abbreviates(*reversed(names))
    if not is_promotion and (mine.is_within(theirs) or theirs.is_within(mine) or is_short_form):
        return Succession.NEITHER  # the same in more or fewer words
    return Succession.REPLACES if _exclude_each_other(old, new, mine, theirs) else Succession.NEITHER


def _is_one_number(mine: str, theirs: str) -> bool:
    """Return whether both say one amount in other characters: "5k", "5,000 euros"."""
    amounts = [[read_number(word) for word in text.split()] for text in (mine, theirs)]
    first, second = ([amount for amount in each if amount is not None] for each in amounts)
    return bool(first) and first == second and len(first) == 1 and not read_time(mine)


def _exclude_each_other(old: StatedClaim, new: StatedClaim, mine: ClaimValue, theirs: ClaimValue) -> bool:
    if old.attribute == "do:prefer":
        return _are_alternatives(old, new, mine, theirs)
    if old.attribute == "do:drive":
        return new.is_change and mine.sort == theirs.sort == Sort.NAME
    is_single = (old.is_single or new.is_change) and new.is_single
    if old.attribute == "place":
        return is_single and _are_other_places(old, new, mine, theirs)
    if old.attribute.startswith("when"):
        return is_single and _are_other_times(old, new)
    if old.attribute.startswith(("fn:", "verb:", "charge")):
        return is_single and _are_other_quantities(old, new, mine, theirs)
    return is_single


def _are_other_quantities(old: StatedClaim, new: StatedClaim, mine: ClaimValue, theirs: ClaimValue) -> bool:
    """Return whether values of one sort differ, under the same conditions: a price for students is another price."""
    if mine.qualifier != theirs.qualifier:
        return False
    if mine.sort == theirs.sort == Sort.TIME:
        return new.is_change or times_differ(mine.text, theirs.text)
    return mine.sort == theirs.sort or (new.is_change and old.is_single and new.old is not None)


def _are_alternatives(old: StatedClaim, new: StatedClaim, mine: ClaimValue, theirs: ClaimValue) -> bool:
    if mine.category is not None and mine.category == theirs.category:
        return True
    if old.old is not None and theirs.is_same(old.old):  # "tea over coffee" after "coffee over tea"
        return True
    heads = [value.text.lower().split()[-1].rstrip("s") for value in (mine, theirs)]
    return new.is_change and heads[0] == heads[1] and len(mine.text.split()) == len(theirs.text.split()) <= 3


def _are_other_places(old: StatedClaim, new: StatedClaim, mine: ClaimValue, theirs: ClaimValue) -> bool:
    if not old.is_single and not new.is_change:
        return False
    regions = [bool(re.fullmatch(rf"(?i)(?:the )?(?:{REGIONS})", value.text)) for value in (mine, theirs)]
    if regions[0] != regions[1] and not new.is_change:
        return False  # Rome is in Italy
    return mine.sort == theirs.sort or new.is_change


def _are_other_times(old: StatedClaim, new: StatedClaim) -> bool:
    mine, theirs = old.value, new.value
    if mine is None or theirs is None:
        return False
    if new.old is not None and not (new.old.is_within(mine) or mine.is_within(new.old)):
        return False
    if old.attribute == "when" and new.is_change:
        return True
    if _REPEATS.search(theirs.text + theirs.rest) and not _REPEATS.search(mine.text + mine.rest):
        return False  # other hours on some days
    return times_differ(mine.text, theirs.text)
