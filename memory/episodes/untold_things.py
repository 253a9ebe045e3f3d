"""What people speak of as known, and nothing tells of it: "the deposit", "had a great success". Pure; English."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.english.time_expressions import MONTHS, SEASONS, WEEKDAYS

MIN_WORDS_AHEAD = 7  # behind that many a noun is named by what was said
MIN_WORDS_AROUND = 8  # a "here" that may be left out
WORDS_TELLING = 3  # "the rainbow flag mural"
MIN_WORDS_TELLING = 4  # in addition to "had a great success"
_ENDS = (
    r"(?=['’]s\b|[.!?,;:)]| ?[–-]|$| (?:and|or|but|is|are|was|were|went|makes?|made|felt|gave|looks?|looked|"
    r"will|would|can|could|really|so|too|again|last|yesterday|today|tomorrow|recently|now|because|while|as|"
    r"just|also|together|even|already|when|after|before|this|next|on (?:[A-Z]|Sun|Mon)|in (?:[A-Z]|\d)|at \d|"
    r"for (?:the|my|a) (?:first|last)|to (?:the|my|him|her|them|us|[A-Z])|back|up|off|away|well|yet|helps?|brings?|"
    r"keeps?|came|took|turned|got|gets?|reflects?|represents?|symboli[sz]es?|says|shows?|goes|means)\b)"
)
_THE = re.compile(rf"\b[Tt]he (?P<noun>(?:[a-z][\w’'-]* ){{0,2}}?[a-z][\w-]+){_ENDS}")
# What each has one of, what there is one of, and what stands for a kind.
_KNOWN_LIST = """
    shelter kids children family parents dog dogs cat cats baby house home flat apartment garden kitchen yard bathroom
    bedroom garage roof heating rent bills laundry dishes car bike phone laptop computer tv fridge piano guitar
    violin drums keyboard flute doctor dentist vet boss landlord police army military navy government mayor
    president internet web news radio weather rain snow sun sunset sunrise sky moon stars wind sea ocean beach coast
    mountains mountain hills forest woods river lake countryside country city town village neighborhood
    neighbourhood neighbors neighbours community area region street streets road roads park gym pool library church
    school university college hospital office airport station bus train tram metro subway market supermarket mall
    store shop bakery bank cinema movies theater theatre museum zoo bar pub cafe restaurant hotel world earth planet
    nature environment outdoors air water ground floor door window past future present moment time day week weekend
    month year morning afternoon evening night mornings evenings weekends holidays summer winter spring autumn fall
    end beginning start middle rest way side left right top same other others first second third one ones most best
    worst least next only team crew band class staff company industry field job work idea importance chance
    opportunity ability power need basics guests public audience crowd elderly homeless poor sick less rich young
    old dead unknown economy climate law truth lot kind sort fact point reason thing things season alphabet bible
    trash groceries stairs elevator lights fire hostel tenants invoices customers clients students patients league
    team's nba uk us eu leftovers cello oboe harbour harbor hobby heart mind body soul spirit brain back face hands
    feet court pitch stage
"""
_KNOWN = frozenset({*_KNOWN_LIST.split(), *MONTHS, *SEASONS, *WEEKDAYS})
_SINGLED_OUT = re.compile(r"(?i)\b(?:first|second|third|last|latest|newest|only|same|next|other|most|\w{3,}est)\b")
# A noun of its own before it: what belongs to that is understood, as "the instructor" of "a class".
_TOLD = re.compile(
    r"\b(?:[Aa]n?|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|[Yy]our|[Ss]ome|\d+|two|three|four|five|six|seven|eight|nine|"
    r"ten) (?!bit\b|lot\b|few\b|while\b|couple\b)\w|(?<!^)(?<![.!?] )\b(?!I\b|I['’])[A-Z]\w+"
)
# Where one goes is a place of which there is one; "winning the regatta" tells enough where it is a subject.
_GOING = re.compile(
    r"(?i)(?:\b(?:go|goes|going|went|gone|been|drove|drive|ran|walk|walked|visit|visits|visited|visiting|trips?)"
    r"(?: \w+){0,2}? (?:to |at )?|^\w{3,}ing )$"
)
_OCCASION = re.compile(r"^(?:At|In|During|After|Before|On|For|With) [Tt]he [a-z]+, (?=I\b|[Ww]e\b|[Mm]y\b)")
_HERE = re.compile(
    r"(?i)(?<!\bright )(?<!\bcome )\bhere(?=[.!?,;]|$| (?:and|about|around|since|for|in|which|but|after|last|"
    r"because|with)\b)"
)
_THERE = re.compile(r"(?i)\b(?:everyone|everybody|people|folks|food|staff|kids|weather|life|energy|vibes?) there\b")
_COMING = re.compile(
    r"(?i)\b(?:get|got|come|came|be|been|is|are|was|were|from|up|out|over|around|in|live|lives?) here\b"
)
_PLACE = re.compile(r"\b(?:in|at|to|from|near|around) (?:(?:the|a|an|my|our) \w|[A-Z])")
_GRAND = (
    r"(?:(?:really|very|so|super|pretty|quite|truly) )*(?:great|huge|big|amazing|awesome|good|major|massive|wonderful|"
    r"tough|rough|crazy|wild|incredible|special|new|exciting|interesting|busy|hard|bad|fantastic|cool|nice|fun|"
    r"unforgettable|lovely)"
)
_IDLE = re.compile(
    rf"(?i)\b(?:had|has|got|have|was|is|it['’]s|been|made|took|found|met|joined|started|starting|checking out|"
    rf"exploring|tried|doing|did|to|at|in) (?:an? |such an? |some |this |quite an? )?(?:{_GRAND} ){{1,2}}"
    r"(?:success|win|news|day|week|weekend|time|experience|moment|surprise|accomplishment|achievement|milestone|"
    r"breakthrough|setback|opportunity|adventure|challenge|changes?|step|update|story|ride|month|year|places?|things?|"
    r"stuff|spots?|people|person|activity|activities|project|projects|idea|ideas|platform|deal)(?= ?[.!,;–-]|$| (?:and|"
    r"but|so|on|yesterday|last|this|today|recently|lately|ever|too|that are happening)\b| [A-Z]\w+day)|"
    r"\bhad an? (?:\w+ )?(?:setback|breakthrough|incident|surprise)\b(?=[.!,;]|$| (?:and|but|so|last|on|yesterday)\b)|"
    r"\b(?:stuff|things?|changes?|lot|lots|much)(?: (?:of )?(?:stuff|things|changes))?(?:['’]s|['’]ve| has| have|"
    r" that are)? (?:just )?(?:happened|been (?:going on|happening)|changed|going on)\b"
)
_SINCE_WE_TALKED = re.compile(r"(?i)^since (?:we|you and i)(?: last)? \w+(?: last)?,")
# "I took a pic last summer": of what?
_PHOTO = re.compile(
    r"(?i)\b(?:took|snapped|got|have|shared) an? (?:pic|picture|photo)"
    r"(?= (?:last|yesterday|today|recently|in (?:\d|[A-Z])|on (?:\w+day|the weekend))\b|[.!,;]|$)"
)
# "Two of my favourites are …": of which kind of thing?
_LEFT_OUT = re.compile(
    r"(?i)^(?:(?:one|two|three|some|a few) of )?(?:my|our) (?:all-time |current |absolute )?favou?rites?"
    r"(?= (?:is|are|was|were|would|has to)\b| ?[:–-])|\binstead(?=[.!?,;]|$)|\bback then\b(?!,)|"
    r"\b(?:a few|a couple|several)(?=[.!?,;]|$)|"
    r"\b(?:loved?|like|want|wanted|need|needed|plan|hope|tried|trying|going|used|have|had|supposed) to[.!]"
)
# "I won two rounds": of what?
_COUNTED = re.compile(
    r"(?i)\b(?:won|caught|scored|finished|lost|made|got|sold|read|wrote|did|played|managed|completed) (?:about |over |"
    r"almost |only |just )?(?:\d+|two|three|four|five|six|seven|eight|nine|ten|a few|several|a couple of) (?:rounds?|"
    r"sets?|laps?|pages|chapters|copies|pieces|games|matches|levels?|tries)\b(?! (?:of|in|on|at|with|against|for|from|"
    r"by) )"
)
_NEW_THING = re.compile(r"\b[Aa]n? (?!bit\b|lot\b|few\b|while\b|couple\b)[a-z]")
_SENTENCE_END = re.compile(r"[.!?] ")


@dataclass(frozen=True, slots=True)
class UntoldThing:
    """Words for something that was not said, and the noun that would name it; '' where it is none."""

    words: str
    noun: str = ""


def find_untold(text: str, *, known: str = "") -> UntoldThing | None:
    """Return the first thing of which neither a text nor `known`, which is read before it, tells anything."""
    for found in _THE.finditer(text):
        if not _is_told(found, known):
            return UntoldThing(found[0], found["noun"].split()[-1])
    folded = text.lower()
    here = _HERE.search(text) if "here" in folded else None
    if here and not _PLACE.search(f"{known} {text[: here.start()]}"):
        return UntoldThing("here")
    there = _THERE.search(text) if "there" in folded else None
    if there and not _PLACE.search(f"{known} {text[: there.start()]}"):
        return UntoldThing("there")
    if not known and ("pic" in folded or "photo" in folded) and _PHOTO.search(text):
        return UntoldThing("photo")
    count = None if known or _NEW_THING.search(text) else _COUNTED.search(text)
    if count:
        return UntoldThing(count[0])
    left_out = None if known else _LEFT_OUT.search(text)
    return UntoldThing(left_out[0]) if left_out else None


def cut_untold(sentence: str) -> str:
    """Return a sentence without an occasion or "here" of which nothing is said: "At the event, I met Tom"."""
    untold = find_untold(sentence)
    if not untold:
        return sentence
    occasion = _OCCASION.match(sentence)
    rest = sentence[occasion.end() :] if occasion else sentence
    if untold.words == "here" and not _COMING.search(rest) and len(rest.split()) >= MIN_WORDS_AROUND:
        rest = re.sub(r" here\b", "", rest, count=1)
    return rest[:1].upper() + rest[1:]


def is_idle(text: str) -> bool:
    """Return whether a text tells only that something was great or happened: "I had a great success on Friday!"."""
    found = _IDLE.search(text)
    if found is None:
        return False
    rest = f"{_SINCE_WE_TALKED.sub('', text[: found.start()])} {text[found.end() :]}"
    return len(rest.split()) <= MIN_WORDS_TELLING


def _is_told(the: re.Match[str], known: str) -> bool:
    words = the["noun"].lower().split()
    if not _KNOWN.isdisjoint(words) or _SINGLED_OUT.search(the["noun"]) or len(words) >= WORDS_TELLING:
        return True
    if _GOING.search(the.string[: the.start()]):
        return True
    before = f"{known} {the.string[: the.start()]}"
    if re.search(rf"(?i)\b{re.escape(words[-1].removesuffix('s'))}", before):
        return True
    *earlier, mine = _SENTENCE_END.split(the.string[: the.start()])
    is_of_new = _NEW_THING.search(f"{known} {' '.join(earlier)}")
    return bool(is_of_new or _TOLD.search(mine)) or len(mine.split()) >= MIN_WORDS_AHEAD
