"""Whether a newer text says that something is so: by the word of whom it is about, and no plan. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.memories.replacement.clauses import ADDING, FUTURE, TELLS, UNREAL, is_hearsay
from memory.memories.replacement.phrase_matcher import lemma
from memory.memories.replacement.polarity import read_mentions
from memory.memories.replacement.text_features import VERBS, Sketch, read_sketch, write_out
from memory.memories.replacement.text_pair import TextPair

NOT_UNREAL = re.compile(r"\bMay\b|\bwould rather\b|\bonce (?:in|a|every)\b")
INVERTED = re.compile(r"(?:^|[.,] )(?:Had|Were|Should) |\bif\b|\bas though\b")
BRIEF = re.compile(r"(?i)\b(?:today|tonight|this (?:morning|afternoon|evening|week(?!'s)|weekend))\b")
LONG_AGO = re.compile(r"(?i)\b(?:in|since|until) (?:19\d\d|20[01]\d)\b")
AGO = re.compile(r"(?i)\bago\b[^.;]*\b(?:was|were)\b|\b(?:was|were)\b[^.;]*\bago\b")
TOO = re.compile(r"(?i)\b(?:too|either)(?=$|[.,;!])|\breportedly\b")
_ONLY_WAS = re.compile(r"\b(?:was|were|served|used to|did)\b")
IS = re.compile(r"\b(?:is|are|am|has|have|'s|does|do|goes|\w+s)\b")
_SAYS_THAT = re.compile(
    r"(?<!I )(?<![Ww]e )(?<!ser )\b(?:\w+(?:ed|s)|is sure|are sure) that (?:I|we|he|she|they|it|the|my|our|[A-Z]\w+)\b"
)
# What another one thinks or a thing says, without "that": "a customer thought the bakery was closed".
_OTHER_SAYS = re.compile(
    r"(?i)\baccording to (?!(?:me|us)\b)|"
    r"\b(?:an?|the|one|some|most|many|several) (?!(?:doctor|vet|dentist|specialist|lab|contract|lease|landlord|boss|"
    r"manager|bank|notice|letter)\b)(?:[\w'’-]+ ){1,4}?"
    r"(?:thinks?|thought|sa(?:ys?|id)|claim(?:s|ed)?|believe[sd]?|assume[sd]?|reckon(?:s|ed)?|guess(?:es|ed)|states?) "
    r"(?:I|we|he|she|they|it|the|my|our|his|her|their|an?|this|[A-Z]\w+)\b"
)
# A stretch of time that is behind: "was married for eleven years", but "was postponed for two weeks".
_WAS_FOR = re.compile(
    r"(?i)\b(?:was|were) (?!\w*(?:postpon|delay|push|mov|extend|put|prolong|suspend)\w* )(?:[\w'’-]+ ){0,4}?"
    r"for (?:an?|\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|several|many|some|a few) "
    r"(?:\w+ )?(?:minute|hour|day|night|week|month|year|decade)s?\b"
)
_QUOTED = re.compile(r"[“”\"«»]")
SPEAKER = re.compile(r"(?i)\b(?:I|me|my|mine)\b")
HAPPENED = re.compile(
    r"(?:went|met|bought|had|saw|ate|took|came|flew|drove|ran|wrote|won|gave|made|got|spent|\w{2,}ed)$"
)
NOT_HAPPENED = frozenset({"need", "feed", "speed", "based", "hundred", "used"})
_NOT_PLANNED = re.compile(
    r"(?i)\b(?:(?:to|for|until|till) (?:next|the following) \w+|(?:starts?|as of|from|since|effective) (?:\w+ )?today|"
    r"should now|until|till|once (?:a|every|in)|usually|had to|(?:stop(?:s|ped)?|quit|start(?:s|ed)?|love|loves|"
    r"hates?|gone off|of|like|likes) going to|"
    r"(?:as of|since|from|starting) (?:this|next) \w+|"
    r"will (?:be|start|take place|leave)"
    r"(?= [^.;]*\binstead\b)|believe it or not|(?:in|to|at|for|with) another|"
    r"wants? (?=[$€£]?\d)|(?:is|are) getting divorced)\b"
)
_FROM_NOW = re.compile(r"(?i)\b(?:from now on|as of (?:now|today|this)|now|no longer|any ?more|any longer)\b")
_OPENER = re.compile(r"(?i)^(?:guess what|funny|surprise)[,:!]\s*")
# Who prefers something asks for it.
_PREFERS = re.compile(r"(?i)\b(?:prefers?|would rather|favou?rite|wants?|likes?|always)\b")
_ASKED = re.compile(r"(?i)\b(?:ask(?:s|ed)? (?:me |us )?for|wants|would (?:rather|like))\b(?! to\b)")
_EARLIER = re.compile(r"(?i)\bbefore (?:I|we|he|she|they|that|then)\b|\b(?:long (?:before|ago)|years ago)\b")
_READ = re.compile(r"(?i)\b(?:read|heard|saw) (?:\w+ )?that\b")
_EARLY_DAYS = re.compile(
    r"(?i)\b(?:in|during) (?:my|our|his|her|their|its|the) (?:early|first|younger|student|school|university|college|"
    r"childhood|teenage|twenties|thirties|youth|childhood)\b|\bbefore it (?:finally|eventually)\b"
)
_CHANGED = (
    r"turned|become|made|hired|promoted|moved|left|quit|changed|switched|gone|over|replaced|sold|closed|cancelled|"
    r"finished|stopped"
)
_NOT_CHANGED = re.compile(
    r"(?i)\b(?:has|have|had|was|were|is|are|am|did|do|does)(?:n['’]t| not) (?:been |actually |really |quite |yet )?"
    rf"(?:{_CHANGED})\b|"
    r"\bnot (?:yet|quite|entirely|completely|fully)\b"
)
_INTENDS = re.compile(r"(?i)\b(?:sw(?:ears?|ore|orn)|vow(?:s|ed)?|promis(?:es?|ed)|pledg(?:es?|ed)|threatens?) to\b")
_ASKS = re.compile(r"(?i)\b(?:should|wants?(?! to\b)|would like(?! to\b)|would prefer|must|ha(?:s|ve) to)\b")
_STATING = frozenset({"question", "wish", "condition", "hypothetical", "hearsay", "future", "addition", "no_change"})


def keeps_old(text: str) -> bool:
    """Return whether a text tells of early days or of a time that is behind, or denies that something has changed:
    "it isn't gone"."""
    return any(pattern.search(text) for pattern in (_EARLY_DAYS, _NOT_CHANGED, _WAS_FOR))


def is_stated(pair: TextPair, *, is_one_person: bool) -> bool:
    """Return whether the newer text says that it is so, by the word of who is meant: no plan, no hearsay, no addition.

    Where the clauses themselves tell of a change, less speaks against it than where words alone are compared.
    """
    text = _NOT_PLANNED.sub(" ", NOT_UNREAL.sub(" ", _OPENER.sub("", write_out(pair.new.raw))))
    if _FROM_NOW.search(text):
        text = _ASKS.sub(" ", text)
    if _PREFERS.search(pair.old.raw):
        text = _ASKED.sub(" prefers ", text)
    if not is_one_person and (SPEAKER.search(pair.old.raw) or SPEAKER.search(pair.new.raw)):
        return False
    if is_past_event(pair.old) or is_hearsay(text) or is_told(pair):
        return False
    if (read_sketch(text).blocks - pair.old.blocks) & _STATING:
        return False
    return not any(_doubts(pair, text))


def _doubts(pair: TextPair, text: str) -> Iterator[bool]:
    """Yield whether a text adds, imagines, plans, or tells of another time, where the older text does not as well."""
    yield any(pattern.search(text) for pattern in (INVERTED, TOO, ADDING, AGO, _EARLIER, _READ, _INTENDS))
    yield bool(BRIEF.search(text)) and not pair.is_event and all(each.is_so for each in read_mentions(text))
    yield any(pattern.search(text) and not pattern.search(pair.old.raw) for pattern in (UNREAL, LONG_AGO, FUTURE))
    yield not (pair.is_event or pair.is_no_more) and bool(_ONLY_WAS.search(text) and not IS.search(text))


def is_told(pair: TextPair) -> bool:
    """Return whether the newer text is what another one says."""
    if any(pattern.search(pair.new.raw) for pattern in (_QUOTED, _SAYS_THAT, _OTHER_SAYS)):
        return True
    said = (lemma(found["who"]) for found in TELLS.finditer(pair.new.raw))
    return any(who not in pair.old.content | {"told", "she", "he", pair.old.speaker} for who in said)


def is_past_event(old: Sketch) -> bool:
    """Return whether the older text tells of something that happened, which nothing ends."""
    for token in old.tokens[1:6]:
        if not token.text.islower() or token.text in NOT_HAPPENED:
            continue
        if HAPPENED.match(token.text):
            return True
        if token.lemma in VERBS:
            return False
    return False
