"""Sentence frames: which verbs and nouns state which attribute. Pure; English.

A frame that fits decides; what fits none states nothing that could be replaced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from memory.memories.replacement.claim_values import ClaimValue, read_value
from memory.memories.replacement.claims import StatedClaim, build_claim, read_subject
from memory.memories.replacement.clauses import Clause
from memory.memories.replacement.frames_of_people import HAS, OWN, commute_frames, home_frames, job_frames, state_frames
from memory.memories.replacement.frames_of_things import owner_and_noun as _owner_and_noun
from memory.memories.replacement.frames_of_things import thing_frames
from memory.memories.replacement.lexicon import (
    HABITS,
    LIKES,
)

_OLD = re.compile(
    r"(?i),? (?:instead of|rather than|in place of|in lieu of|as opposed to|(?:up|down) from|no "
    r"longer|,? ?(?:and )?not(?= (?!only))) (?P<old>.+)$"
)
_PREPOSITION = re.compile(r"(?i)^(?:in|at|on|for|to|by|with|from|using|the old) ")


def frame_claims(clause: Clause) -> list[StatedClaim]:
    """Return the claims of a clause, by the first frame that fits."""
    text, old = clause.text, clause.old
    if found := _OLD.search(text):
        old = _PREPOSITION.sub("", found["old"])
        text = text[: found.start()].rstrip(" ,")
    for frame in _FRAMES:
        claims = [claim for claim in frame(text, old, clause) if claim is not None]
        if claims:
            return claims
    return []


Frame = Callable[[str, str, Clause], "Iterator[StatedClaim | None]"]
_NAME = re.compile(
    rf"(?i)^(?P<s>.+?) (?:(?P<now>is (?:called|named|known as)|goes by|wants? to be called|prefers? to be called)|"
    rf"(?:{HAS}(?:was |been |is |got )?(?:renamed|rebranded)(?: itself| himself| herself| themselves)?(?: "
    rf"from (?P<old>.+?))?(?: (?:to|as|into))?)) (?P<v>.+)$"
)
_PLAN = re.compile(
    r"(?i)^(?P<s>.+?) (?:plans?|planning|is planning|are planning|am planning|intends?|wants?|"
    r"is going|am going|are going) (?:to|on) (?P<v>.+)$"
)
_NO_PLAN = re.compile(
    rf"(?i)^(?P<s>.+?) {HAS}(?:decided (?:not to|against)|changed {OWN} mind about|(?:cancell?ed|"
    rf"called off|scrapped|dropped|abandoned|gave up|given up)"
    rf" (?:{OWN} )?(?:plans?|trip|idea|holiday|vacation|visit|booking)(?: to| of| for)?) (?P<v>.+)$"
)
_SWITCH = re.compile(
    rf"(?i)^(?P<s>.+?) (?:(?:{HAS}|was |were |got |has been |have been |is )(?:switched|migrated|"
    rf"changed|converted|went|gone|moved|transitioned|"
    rf"crossed|upgraded|downgraded|ported|updated)(?: (?:over|back|everything|completely|{OWN} "
    rf"\w+))?(?: (?:away )?from (?P<old>.+?))? (?:over )?to|"
    rf"(?:is|are|am) on) (?:using |drinking |eating |driving |taking )?(?P<v>.+)$"
)
_REPLACED = re.compile(
    rf"(?i)^(?P<s>.+?) {HAS}(?:(?:replaced|swapped(?: out)?|substituted) (?P<old>.+?) (?:with|"
    rf"by|for)|(?:traded(?: in)?|exchanged|ditched|dropped|abandoned|gave up|given up|left|quit|"
    rf"sold|discarded|retired|dumped) (?P<left>.+?) "
    rf"(?:for|in favou?r of|and bought|and got))(?: a new| an?)? (?P<v>.+)$"
)
_ENDED = re.compile(
    rf"(?i)^(?P<s>.+?) {HAS}(?:sold|got rid of|gotten rid of|gave away|given away|returned|threw "
    rf"away|thrown away|uninstalled|donated|dropped|left|quit|gave up|given up|"
    r"moved out of|moved away from|dropped out of|unsubscribed from|resigned from|cancell?ed|closed|"
    r"ditched|abandoned|retired from|ended|deleted|scrapped|(?:is|are|am|was) done with|(?:has "
    r")?finished with|moved on from|let go of|phased out|retired|stopped using|discontinued) (?P<v>.+)$"
)
_AWAY = re.compile(rf"(?i)^(?P<s>.+?) {HAS}(?:gave|given|threw|thrown) (?P<v>.+) away$")
_BOUGHT = re.compile(
    rf"(?i)^(?P<s>.+?) {HAS}(?:bought|got|purchased|adopted|picked up|acquired) (?:an? |the )?(?P<v>.+)$"
)


def _names(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    if found := _NAME.match(text):
        is_renamed = not found["now"]
        if is_renamed and _owner_and_noun(found["s"]):  # "the default branch was renamed to main"
            return
        said = (
            found["old"]
            or old
            or (found["s"] if is_renamed and found["s"][:1].isupper() and read_subject(found["s"]) else "")
        )
        vocabulary = "call name know rename rebrand"
        yield build_claim(
            found["s"],
            "name",
            found["v"],
            replace(clause, is_future=False),
            is_single=True,
            is_change=is_renamed,
            old=said,
            vocabulary=vocabulary,
        )


def _plans(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    if found := _PLAN.match(text):
        yield build_claim(found["s"], "plan", found["v"], clause, old=old, vocabulary="plan intend want go")
    elif found := _NO_PLAN.match(text):
        yield build_claim(found["s"], "plan", found["v"], clause, is_denied=True, vocabulary="plan intend want go")


_DISLIKED = re.compile(
    rf"(?i)^(?P<s>.+?) (?:{HAS}(?:gone off|went off|lost interest in|grown out of|(?:got|gotten|"
    rf"grown|grew) (?:tired|bored|sick) of|fallen out of love with|had enough of|cooled on)|"
    r"(?:is|am|are) (?:over|tired of|sick of|bored (?:of|with)|fed up with)|can not (?:stand|bear|"
    r"stomach)|can (?:stand|bear|stomach)) (?P<v>.+)$"
)
_FOND = re.compile(
    r"(?i)^(?P<s>.+?) (?:is|am|are) (?:an? )?(?:big |huge |great )?(?:fan of|fond of|keen on|into|"
    r"crazy about|passionate about) (?P<v>.+)$"
)


def _tastes(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Read what one is fond of, or has had enough of."""
    if clause.is_future:
        return
    if found := _DISLIKED.match(text):
        yield build_claim(
            found["s"], "do:like", found["v"], clause, is_denied=True, is_change=True, vocabulary=_words_of_verb("like")
        )
    elif found := _FOND.match(text):
        yield build_claim(found["s"], "do:like", found["v"], clause, old=old, vocabulary=_words_of_verb("like"))


def _changes(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Read what is given up for something else, or for nothing."""
    if clause.is_future or clause.is_denied:
        return
    if found := _REPLACED.match(text):
        said = found["old"] or found["left"]
        yield build_claim(found["s"], "switch", found["v"], clause, is_change=True, old=said, ends_any=True)
    elif found := _SWITCH.match(text):
        said, value = found["old"] or old, found["v"]
        is_known = (read := read_value(value)) is not None and (
            read.category is not None or any(map(str.isdigit, value))
        )
        if said or (is_known and not re.search(r"(?i) on $", text[: found.start("v")])):
            yield build_claim(
                found["s"],
                "switch",
                value,
                clause,
                is_change=True,
                old=said,
                ends_any=True,
                vocabulary=_category_words(read),
            )
    elif found := _AWAY.match(text) or _ENDED.match(text):
        yield build_claim(found["s"], "ended", found["v"], clause, is_denied=True, is_change=True, ends_any=True)
    elif (found := _BOUGHT.match(text)) and old:
        yield build_claim(found["s"], "switch", found["v"], clause, is_change=True, old=old, ends_any=True)


def _category_words(value: ClaimValue | None) -> str:
    from memory.memories.replacement.lexicon import CATEGORY  # noqa: PLC0415

    number = value.category if value else None
    return " ".join(name for name, of in CATEGORY.items() if of == number and number is not None)


_FORMS = {"has": "have", "goes": "go", "does": "do", "am": "be", "having": "have"}
_HABIT = re.compile(
    rf"(?i)^(?P<s>.+?) (?:(?:is|are|am) (?=\w+ing))?(?:\w+ly )?(?P<verb>(?:{HABITS})(?:s|es|ing|"
    rf"ning|ming)?|has|goes|does|tries|carries|studies|studying|driving|using|having|living|writing|"
    rf"riding|dancing|making|taking|practi[cs]ing|smoking|serving|storing|requiring|cycling|biking|"
    rf"commuting|dating|volunteering|loving|hating|owning|relies|rely|relying)"
    r"(?: (?P<v>.+))?$"
)
_PREFERS = re.compile(r"(?i)^(?P<v>.+?) (?:over|to|than) (?P<old>.+)$")
_USING = frozenset({"relies", "rely", "relying"})
_SINGLE_HABITS = frozenset({"drive"})
_COUNT = re.compile(
    r"(?i)^(?P<s>.+?) (?:has|have|employs?|owns?|counts?|(?:has |have )?(?:grown|grew|shrunk|shrank|"
    r"expanded)(?: from (?P<old>.+?))? to) (?:about |around |only |roughly |over )?(?P<v>\d[\d,.]*|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?P<noun>(?:\w+ )?\w+)$"
)


def _counts(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    found = _COUNT.match(text)
    if found and not clause.is_future and not clause.is_denied:
        noun = found["noun"].lower().rstrip("s")
        yield build_claim(
            found["s"],
            f"count:{noun}",
            found["v"],
            clause,
            is_single=True,
            old=old or found["old"] or "",
            vocabulary=noun,
        )


def base_form(verb: str) -> str:
    """Return the form of a verb under which its claims are kept."""
    word = verb.lower()
    if word in _FORMS:
        return _FORMS[word]
    for base in HABITS.split("|"):
        stem = base.removesuffix("e")
        if word in {
            base,
            f"{base}s",
            f"{base}es",
            f"{stem}es",
            f"{stem}ing",
            f"{base}{base[-1]}ing",
            f"{base[:-1]}ies",
            f"{base}ing",
        }:
            return base
    return word


def _habits(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    found = _HABIT.match(text)
    if not found or clause.is_future:
        return
    verb, value = base_form(found["verb"]), found["v"] or ""
    if verb in _USING and value:
        verb, value = "use", re.sub(r"(?i)^(?:on|with|upon) ", "", value)
    denied = clause.is_denied
    if verb in LIKES:
        denied, verb = denied == LIKES[verb], "like"
    if verb == "own":
        verb = "have"
    if verb == "prefer" and (over := _PREFERS.match(value)) and not old:
        value, old = over["v"], over["old"]
    yield build_claim(
        found["s"],
        f"do:{verb}",
        value,
        clause,
        is_denied=denied,
        is_single=verb in _SINGLE_HABITS and clause.is_changed,
        old=old,
        vocabulary=_words_of_verb(verb),
    )


def _words_of_verb(verb: str) -> str:
    return {
        "like": "like love enjoy adore hate dislike fan fond keen favourite favorite",
        "have": "have own get adopt buy",
    }.get(verb, verb)


_IS = re.compile(r"(?i)^(?P<s>.+?) (?:is|are|am) (?P<v>.+)$")


def _copulas(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Read what something is, which only a denial of the same ends."""
    found = _IS.match(text)
    if found and not clause.is_future and not clause.is_brief and read_subject(found["s"]):
        yield build_claim(
            found["s"],
            "is",
            found["v"],
            clause,
            old=old,
            vocabulary=" ".join(re.findall(r"[a-z]{4,}", found["v"].lower())),
        )


_FRAMES: Sequence[Frame] = (
    _names, commute_frames, thing_frames, _plans, state_frames, home_frames, job_frames, _tastes, _changes, _counts,
    _habits, _copulas,
)  # fmt: skip
