"""Sentence frames of things: what "the deadline of X" or "my phone number" is, what it costs, what it runs on. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.memories.replacement.claim_values import ClaimValue, Sort, read_time, read_value
from memory.memories.replacement.claims import StatedClaim, build_claim, read_subject
from memory.memories.replacement.clauses import Clause
from memory.memories.replacement.frames_of_events import WAS, condition_frames, end_frames, location_frames, time_frames
from memory.memories.replacement.lexicon import FUNCTIONAL, FUNCTIONAL_NOUN, WORDED

_MOVES = (
    "moved|changed|set|raised|lowered|increased|reduced|cut|switched|updated|bumped|pushed|extended|"
    "postponed|rescheduled|shifted|delayed|"
    "brought|put|advanced|adjusted|corrected|revised|upgraded|downgraded|relocated|migrated|transferred|"
    "dropped|doubled|trimmed|"
    "renegotiated|replaced|amended|reassigned|handed|limited|fixed|renamed|rebranded|transferred"
)
_TARGET = r"(?: by [^,]+?)?(?: from (?P<old>.+?))?(?: (?:to|until|till|for|by|as|at|with))"
_TO = rf"(?: up| down| back| forward| out| ahead| over)?{_TARGET}"
_CHANGED = rf"{WAS}(?:{_MOVES}){_TO}"
_ROSE = (
    r"(?:has |have )?(?:rose|risen|fell|fallen|dropped|increased|decreased|climbed|grew|grown|"
    r"shrank|shrunk|jumped|went|"
    r"gone|changed|moved|switched|slipped|rises|falls|changes|switches|moves|goes)(?: up| down| back)?"
    rf"{_TARGET}"
)
_IS = r"(?:is|are|stands at|comes to|amounts to|will be|shall be|became|becomes|has become|has been|was)"
_OF = re.compile(
    rf"(?i)^(?:the |our |my )?(?:new |current |latest |old )?(?P<noun>{FUNCTIONAL_NOUN}) (?:of|"
    rf"for|on|at|in) (?P<owner>.+)$"
)
_HEAD = re.compile(rf"(?i)^(?:(?P<owner>.+?)(?<!\bof)(?<!\bfor) )?(?P<noun>{FUNCTIONAL_NOUN})$")
_FAVOURITE = re.compile(r"(?i)^(?P<owner>.+?) (?:favou?rite|preferred) (?P<noun>[\w -]+)$")
_FAVOURITE_OF = re.compile(r"(?i)^(?:the )?favou?rite (?P<noun>[\w-]+(?: [\w-]+)?) of (?P<owner>.+)$")
_ACTIVE = re.compile(
    rf"(?i)^(?P<s>.+?) (?:has |have |had (?:to )?)?(?P<verb>{_MOVES}|rename|renamed|move|push|postpone|"
    rf"reschedule|change)(?: (?:back|up|down|out|forward))? (?P<what>(?:the|my|our|his|her|their|"
    rf"its|[A-Z][\w-]*(?:'s)?) ?.*?)"
    r"(?P<how>(?: up| down| back| forward| out)?(?: from .+?)?) (?P<to>to|until|till|as|into) (?P<v>.+)$"
)
_COSTS = re.compile(r"(?i)^(?P<s>.+?) (?:costs?|costing|(?:is|are) priced at|sells? for|goes for) (?P<v>.+)$")
_MONEY = r"(?:[$€£] ?\d[\d.,]*k?|\d[\d.,]*k? ?(?:dollars?|euros?|pounds?|francs?|cents?|usd|eur|gbp|chf|yen|[€£$]))"
_IS_MONEY = re.compile(rf"(?i)^(?P<s>.+?) (?:is|are|was|were) (?P<v>{_MONEY}.*)$")
_PAYS = re.compile(
    rf"(?i)^(?P<s>.+?) (?:pays?|paying|is paying) (?P<v>{_MONEY}.*?) (?:in|for|as|of) (?:the )?(?P<noun>rent|"
    rf"salary|fee|insurance|tuition|gym)$"
)
_CHARGES = re.compile(
    rf"(?i)^(?P<s>.+?) (?:charges?|asks?|takes|wants) (?P<v>{_MONEY})(?P<what>(?: (?:for|per|an?) .+)?)$"
)
_DUE = re.compile(r"(?i)^(?P<s>.+?) (?:is|are) due(?: on| by| at| in)? (?P<v>.+)$")
_VERSION = re.compile(
    r"(?i)^(?P<s>.+?) (?:is|runs?|running|uses?|is running|is on|is at|(?:was |has been |is |has "
    r"|have |got )?(?:upgraded|updated|downgraded|bumped|moved)(?: from (?P<old>.+?))? to)(?: "
    r"on| at)? (?:version |v|release )(?P<v>\d[\w.-]*)$"
)
_FUNCTIONAL_VERBS = re.compile(
    r"(?i)^(?P<s>.+?) (?P<verb>reports to|belongs to|is (?:owned|led|managed|run|maintained|headed|"
    r"chaired|edited|taught|coached|sponsored|supervised|hosted|published) by|is (?:hosted|deployed|"
    r"built|written) (?:on|in|with|at)|"
    r"runs on|is written in|studies at|goes to school at|attends|(?:has |have )?transferred(?: "
    r"from .+?)? to|majors in|is majoring in|banks with|is insured with|earns|pays|weighs|"
    r"lasts|sits next to|shares an office with|rents from|is powered by|is stationed (?:in|"
    r"at)|"
    r"is enrolled (?:at|in)|returns|points to|listens on|speaks (?=to the)) (?P<v>.+)$"
)


def thing_frames(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Yield the claims of the first of these frames that fits."""
    for frame in (
        _news,
        _favourites,
        _versions,
        _prices,
        _active,
        _functional,
        end_frames,
        time_frames,
        condition_frames,
        location_frames,
        _verbs,
    ):
        claims = [claim for claim in frame(text, old, clause) if claim is not None]
        if claims:
            yield from claims
            return


_NEW = re.compile(
    rf"(?i)^(?P<s>.+?) (?:has|have|got|bought|found|chose|hired|picked|was assigned|was given|gets) "
    rf"a new (?P<noun>{FUNCTIONAL_NOUN})(?:[:,]| called| named)+ (?:it is |a |an |the )?(?P<v>.+)$"
)


def _news(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Read "Anna has a new manager, Rita" as "Anna's manager was changed to Rita"."""
    found = _NEW.match(text)
    if found and not clause.is_future and not clause.is_denied and read_subject(found["s"]):
        owner = {"i": "my", "we": "our"}.get(found["s"].lower(), f"{found['s']}'s")
        yield from _functional(f"{owner} {found['noun']} was changed to {found['v']}", old, clause)


def _favourites(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    said = _says(text)
    if said is None or clause.is_future:
        return
    subject, value, before, is_change = said
    subject = re.sub(r"(?i)\b(?:all-time|new|current|absolute) ", "", subject)
    if found := _FAVOURITE.match(subject) or _FAVOURITE_OF.match(subject):
        noun = found["noun"].lower().strip()
        noun = noun.replace("colour", "color").replace("favourite", "favorite")
        is_many = noun.endswith("s") and not noun.endswith("ss") and not is_change
        yield build_claim(
            found["owner"],
            f"favourite:{noun}",
            value,
            clause,
            is_single=not is_many,
            is_change=is_change,
            old=old or before,
            vocabulary="favourite favorite prefer",
        )


def _says(text: str) -> tuple[str, str, str, bool] | None:
    """Return subject, value, the value before and whether it changed, of "X is V" or "X was changed from U to V"."""
    for pattern, is_change in ((_MOVED_TO, True), (_RISEN_TO, True), (_SIMPLE, False)):
        if found := pattern.match(text):
            groups = found.groupdict()
            return (
                found["s"],
                found["v"],
                groups.get("old") or "",
                is_change or bool(re.search(r"(?i)\bbec[oa]me\b", text)),
            )
    return None


_MOVED_TO = re.compile(rf"(?i)^(?P<s>.+?) {_CHANGED} (?P<v>.+)$")
_RISEN_TO = re.compile(rf"(?i)^(?P<s>.+?) {_ROSE} (?P<v>.+)$")
_SIMPLE = re.compile(rf"(?i)^(?P<s>.+?) {_IS} (?P<v>.+)$")


def owner_and_noun(subject: str) -> tuple[frozenset[str], str] | None:
    """Return the words of whose it is, and which of the nouns that name one thing at a time; None for others."""
    plain = re.sub(r"(?i)\b(?:new|current|latest|updated|actual|correct|official) ", "", subject)
    found = _OF.match(plain) or _HEAD.match(plain)
    if not found:
        return None
    owner = found["owner"] or ""
    whole = re.match(r"(?i)^(?:my|our|the user's)\b", plain)
    words = read_subject(f"{owner} x") if owner else frozenset({"x"})
    if words is None:
        return None
    more = read_subject(f"{whole[0]} x") if whole else None
    return (words | (more or frozenset())) - {"x"}, FUNCTIONAL[found["noun"].lower()]


# Nouns of what verbs state as well.
_SAME_AS = {
    "job": "role",
    "job title": "role",
    "role": "role",
    "employer": "employer",
    "girlfriend": "marital",
    "husband": "marital",
    "name": "name",
    "workplace": "employer",
    "company": "employer",
    "venue": "thing-place",
    "headquarters": "thing-place",
}
_WORDS_OF = {
    "role": "work become promote appoint job profession role position title",
    "employer": "work employ join job hire company employer",
    "marital": "date engage marry divorce single relationship partner husband wife girlfriend boyfriend",
    "name": "call name know rename",
    "thing-place": "venue place meet locate location move headquarters hq",
    "fn:price": "price cost fee ticket",
    "fn:rent": "rent pay",
}


_INVERSE = re.compile(
    rf"^(?P<v>[A-Z][\w.'-]+(?: [A-Z][\w.'-]+){{0,3}}) is (?P<s>(?:my|our|the user's|[A-Z][\w-]+'s) "
    rf"(?:{FUNCTIONAL_NOUN})|the (?:{FUNCTIONAL_NOUN}) of .+)$"
)


def _functional(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    said = _says(text)
    if said is None:
        return
    subject, value, before, is_change = said
    if clause.is_future and not read_time(value):
        return
    inverse = None if is_change else _INVERSE.match(text)
    if inverse:  # "Kim is my dentist", which two may be until the newer one says "now"
        subject, value = inverse["s"], inverse["v"]
    known = owner_and_noun(subject)
    if known is None or (
        not is_change
        and _SAME_AS.get(known[1]) != "thing-place"
        and re.match(r"(?i)(?:in|at|on|under|to|for|from|about|too|very|quite|really|pretty) ", value)
        and not read_time(value)
    ):
        return
    owner, noun = known
    attribute = _SAME_AS.get(noun, f"fn:{noun}")
    plain = re.sub(r"(?i)^(?:on|by|at|in) ", "", value)
    read = read_value(plain, is_qualified=True)
    if read is None or not _fits(noun, attribute, read, has_owner=bool(owner)):
        return
    is_typed = read.sort != Sort.WORDS or noun in WORDED or attribute == "thing-place"
    is_single = is_change or (clause.is_changed if inverse else is_typed)
    yield build_claim(
        subject, attribute, plain, clause, owner=owner, is_single=is_single, is_change=is_change,
        old=old or before, is_qualified=True, vocabulary=_WORDS_OF.get(attribute, noun),
    )  # fmt: skip


def _fits(noun: str, attribute: str, value: ClaimValue, *, has_owner: bool) -> bool:
    """Return whether a value can be one of the noun; "the target is …" is about whatever was spoken of."""
    if noun in {"flight", "hotel", "gate", "platform"} and value.sort == Sort.TIME:
        return False
    if noun in {"time", "date", "model", "target", "goal", "size", "temperature", "score"} and not has_owner:
        return False
    return attribute != "marital" or value.sort == Sort.NAME


def _active(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Read "Anna changed her number to 5" as "Anna's number was changed to 5"."""
    found = _ACTIVE.match(text)
    if not found or clause.is_future or clause.is_denied or read_subject(found["s"]) is None:
        return
    what, subject = found["what"], found["s"]
    owner = {"i": "my", "we": "our"}.get(subject.lower(), f"{subject}'s")
    what = re.sub(r"(?i)^(?:his|her|their|its)\b", owner, what)
    verb = (
        found["verb"]
        if found["verb"].endswith("d") or found["verb"] in {"cut", "set", "put", "brought"}
        else f"{found['verb']}d"
    )
    if verb == "renamed":
        before = re.sub(r"(?i)^(?:the|my|our) ", "", what) if re.match(r"^[A-Z]", what) else ""
        yield build_claim(
            what,
            "name",
            found["v"],
            clause,
            is_single=True,
            is_change=True,
            old=old or before,
            vocabulary="call name know rename rebrand",
        )
        return
    passive = f"{what} was {verb}{found['how']} {found['to']} {found['v']}"
    if what.lower().startswith("the ") and owner_and_noun(what):  # "the user raised the budget" is about the user's
        yield from _functional(passive.replace(what, f"{owner} {what[4:]}", 1), old, clause)
    for frame in (_favourites, _functional, time_frames, location_frames):
        claims = [claim for claim in frame(passive, old, clause) if claim is not None]
        if claims:
            yield from claims
            return


def _versions(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    if (found := _VERSION.match(text)) and not clause.is_future:
        yield build_claim(
            found["s"],
            "fn:version",
            found["v"],
            clause,
            is_single=True,
            old=old or found["old"] or "",
            vocabulary="version run upgrade release",
        )


_BOUGHT = frozenset(
    {"plan", "hotel", "flight", "car", "laptop", "phone", "gym", "seat", "desk", "platform", "parking spot"}
)


def _is_for_sale(subject: str) -> bool:
    noun = owner_and_noun(subject)
    return noun is None or noun[1] in _BOUGHT


def _prices(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    if found := _COSTS.match(text):
        if not clause.is_future and re.search(r"\d", found["v"]):
            yield build_claim(
                found["s"],
                "fn:price",
                found["v"],
                clause,
                is_single=True,
                old=old,
                is_qualified=True,
                vocabulary="price cost fee sell",
            )
    elif (found := _PAYS.match(text)) and not clause.is_future:
        owner = {"i": "my", "we": "our"}.get(found["s"].lower(), f"{found['s']}'s")
        passive = f"{owner} {found['noun']} is {found['v']}"
        yield from _functional(passive, old, clause)
    elif (found := _CHARGES.match(text)) and not clause.is_future:
        value = f"{found['v']}{found['what']}"
        yield build_claim(
            found["s"], "charge", value, clause, is_single=True, old=old, is_qualified=True, vocabulary="charge"
        )
    elif (found := _IS_MONEY.match(text)) and not clause.is_future and _is_for_sale(found["s"]):
        yield build_claim(
            found["s"],
            "fn:price",
            found["v"],
            clause,
            is_single=True,
            old=old,
            is_qualified=True,
            vocabulary=_WORDS_OF["fn:price"],
        )
    elif (found := _DUE.match(text)) and read_time(found["v"]):
        yield build_claim(
            found["s"],
            "fn:deadline",
            found["v"],
            clause,
            is_single=True,
            old=old,
            is_qualified=True,
            vocabulary="deadline due",
        )


def _verbs(text: str, old: str, clause: Clause) -> Iterator[StatedClaim | None]:
    """Verbs with one object at a time, such as "reports to"."""
    found = _FUNCTIONAL_VERBS.match(text)
    if not found or clause.is_future:
        return
    verb = re.sub(r"(?i)^is ", "", found["verb"].lower())
    is_change = "transferred" in verb
    if verb == "reports to":
        yield build_claim(
            found["s"],
            "fn:boss",
            found["v"],
            clause,
            is_single=True,
            old=old,
            vocabulary="boss manager report supervisor",
        )
        return
    if is_change or verb in {"attends", "studies at", "goes to school at", "enrolled at", "enrolled in"}:
        verb = "school"
    read = read_value(found["v"], is_qualified=True)
    if read is None or (verb in {"earns", "pays", "weighs", "lasts"} and read.sort != Sort.NUMBER):
        return
    if verb == "school" and read.sort != Sort.NAME:
        return
    is_typed = read.sort in {Sort.NAME, Sort.NUMBER, Sort.TIME}
    yield build_claim(
        found["s"],
        f"verb:{verb}",
        found["v"],
        clause,
        is_single=is_typed,
        is_change=is_change,
        old=old,
        is_qualified=verb not in {"reports to", "belongs to"},
        vocabulary=_verb_vocabulary(verb),
    )


def _verb_vocabulary(verb: str) -> str:
    return (
        "study attend school enroll university transfer"
        if verb == "school"
        else re.sub(r"\b(?:by|on|in|to|at|with|is)\b", "", verb)
    )
