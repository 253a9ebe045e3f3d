"""Clauses that state something: what a sentence claims, without quotes, wishes and plans, and with its cues. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from core.english.time_expressions import MONTHS, month_number
from core.text import split_sentences
from memory.memories.replacement.lexicon import DAY_NAMES, DIETS, HABITS, MARITAL, MONTH_NAMES

MAX_SENTENCES, MAX_WORDS, MAX_CHARACTERS = 4, 45, 320

_SHORT = (
    (re.compile(r"(?i)\b(I)'m\b"), r"\1 am"),
    (re.compile(r"(?i)\b(we|you|they)'re\b"), r"\1 are"),
    (re.compile(r"(?i)\b(I|we|you|they)'ve\b"), r"\1 have"),
    (re.compile(r"(?i)\b(\w+)'ll\b"), r"\1 will"),
    (re.compile(r"(?i)\bwon't\b"), "will not"),
    (re.compile(r"(?i)\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"(?i)\b(\w+)n't\b"), r"\1 not"),
    (re.compile(r"(?i)\b(he|she|it|that|there)'s\b"), r"\1 is"),
    # "Anna's moved" is a verb, "Anna's moved deadline" hardly ever said.
    (re.compile(r"(\w)'s (moved|switched|changed|quit|left|joined|stopped|become|started|given|been|got|now|"
        r"no longer)\b"),
     r"\1 has \2"),
    (re.compile(rf"(?i)\b(?:has|have) (not )?been (?=\w+ing\b|(?:{DIETS}|{MARITAL})\b|(?:in|at|with|based|an?) )"),
     r"is \1"),
    (re.compile(r"(?i)\bcan (?:now )?be (?:found|reached|contacted)\b"), "is"),
    (re.compile(r"(?i)\b(?:is|are|am) not (.{2,40}?)(?: any ?more| any longer)? but (?:instead |rather )?(?=\w)(.+)$"),
     r"is \2 instead of \1"),
    (re.compile(r"(?i)^(?:please )?(?:from now on,? )?(?:use|dial|note|take) (.+?) (?:as|for) ((?:\w+'s|my|"
        r"our|the) .+?)(,? from now on| now)?$"), r"\2 is \1 now"),
    (re.compile(r"(?i)^(?:you|we|people) can (?:reach|call|contact|phone) (\w+) (?:at|on|under) ([\d+() -]{5,})$"),
     r"\1's phone number is \2"),
    (re.compile(r"(?i)^(\w+) is (?:at|on|under|via) (\S+@\S+)$"), r"\1's email is \2"),
    (re.compile(r"(?i)^(\w+) is (?:at|on|under) (\+?[\d() -]{6,})$"), r"\1's phone number is \2"),
    (re.compile(r"(?i)\bhas a new (phone |mobile |cell |telephone )?number: "), r"'s phone number is now "),
    (re.compile(r"(?i) 's phone number"), "'s phone number"),
    (re.compile(r"(?i)^(I|\w+) can (?:now )?be (?:called|phoned|rung|texted) (?:at|on|under) "),
     r"\1's phone number is "),
    (re.compile(r"(?i)^I's "), "My "),
    (re.compile(r"(?i)'s (?:new )?number is (?=[\d+(])"), "'s phone number is "),
    (re.compile(r"(?i)^my number is (?=[\d+(])"), "my phone number is "),
    (re.compile(r"(?i)^(.+?) (?:switched|changed|has changed|has switched) (?:phone )?numbers?[,;:] (?:it "
        r"is(?: now)?|now|to) "), r"\1's phone number is now "),
    (re.compile(r"(?i)\b(?:has|have) got\b(?! (?:rid|married|divorced|engaged|promoted|hired|a new))"), "has"),
)  # fmt: skip
_SAID_ON = re.compile(r"\s*\((?:said|noted|recorded|updated) on [^)]{4,30}\)|^\s*(?:[-*•>]\s+)+")
_STAMP = re.compile(r"^\W*(?:on )?\d{4}-\d\d-\d\d(?:T[\d:.Z+-]+)?\s*[:,–-]\s*")
_LEAD = re.compile(
    r"(?i)^(?:(?:quick |small |minor |important )?(?:update|correction|note|news|fyi|heads[- ]up|"
    r"reminder|changes?|status|ps|"
    r"for the record|good news|bad news|big news|just so you know|by the way|btw|actually|well|so|ok|okay|oh|yes|no|"
    r"and|also|anyway|in fact|turns out|it turns out that|please note that|note that|remember "
    r"that|please remember that|"
    r"you should know that|things (?:have )?changed|plans (?:have )?changed|(?:there is |there "
    r"has been )?a (?:small )?change(?: of plans?)?)\b"
    r"\s*[:,.!–-]*\s+)+(?=\w)"
)
# Who speaks about himself may be quoted; what is said about others is hearsay.
_OWN_WORDS = re.compile(
    r"(?i)^(?P<who>the user|user|i|[A-Z][\w-]+(?: [A-Z][\w-]+)?)(?: has| have)? (?:just )?(?:said|"
    r"says|mentioned|mentions|stated|"
    r"confirmed|clarified|explained|noted|shared|announced|reported|told (?:me|us)|informed (?:me|"
    r"us)|let (?:me|us) know)"
    r"(?: that)? (?P<he>he|she|they|i|(?P=who))\b"
)
_OTHERS_WORDS = re.compile(
    r"(?i)\b(?:says?|said|saying|claims?|claimed|thinks?|thought|believes?|believed|heard|hears|"
    r"told|tells|telling|reckons?|guess(?:es)?|"
    r"assumes?|assumed|suspects?|according to|rumou?rs?|apparently|supposedly|allegedly|reportedly|"
    r"asks?|asked|wonders?|pretend\w*|"
    r"jok(?:es?|ed|ing|ingly)|dream\w*|imagin\w*|in (?:the|a|her|his|my) (?:novel|story|book|film|"
    r"movie|play|game|dream|simulation|example|hypothetical)|"
    r"the (?:protagonist|character|narrator)|fictional|for (?:example|instance)|e\.g\.|quot(?:e|"
    r"es|ed|ing)|lyrics?|recommend\w*|suggest\w*|advis\w+|"
    r"insist\w*|mentioned|wrote|writes|whether|question|as a joke|role[- ]?play\w*|sarcas\w+)\b|[“”\"«»]"
)
TELLS = re.compile(
    r"\b(?P<who>[A-Z]\w+|[Pp]eople|[Ss]omeone|[Ss]omebody|[Tt]hey|[Dd]ocs?|[Pp]apers?|[Ff]riends?|[Cc]olleagues?|"
    r"[Uu]ser) (?:says?|said|thinks?|thought|told|tells|claim(?:s|ed)?|believe[sd]?|recommend(?:s|ed)?|"
    r"suggest(?:s|ed)?|reckon(?:s|ed)?|insist(?:s|ed)?|asks?|asked|writes|wrote|heard|guess(?:es|ed)|mentioned|"
    r"wonder(?:s|ed)|propose[sd]|speculate[sd]?|(?:are|is|was|were) (?:saying|telling|claiming)|"
    r"suspect(?:s|ed)?|whisper(?:s|ed)?)\b"
)
UNREAL = re.compile(
    r"(?i)\b(?:if|would|could|might|may(?= [a-z])|maybe|perhaps|probably|possibly|should|wish\w*|"
    r"hop(?:es?|ing)|considers?|considering|"
    r"thinking|contemplat\w+|ponder\w*|unless|suppos(?:e|ing)|almost|nearly|tempted|tried|tries|"
    r"trying|looking (?:for|into|at)|"
    r"appl(?:y|ies|ied|ying) (?:for|to)|interview\w* (?:for|at|with)|was offered|got an offer|"
    r"has an offer|invited|ought|likely|unlikely|"
    r"unsure|not sure|not certain|undecided|unclear|doubt\w*|uncertain|depends|depending|dare|"
    r"hypothetical\w*|test(?:ing|ed)? whether|debat\w+|"
    r"evaluat\w+|trial(?:ing|ling)|experiment\w*|propos\w+|rather than being asked|provided that|"
    r"in case|otherwise|temporarily|ago,? [^.;]*\b(?:was|were) [€$£]?\d+|"
    r"for now|for the (?:time being|moment|week(?:end)?|summer|winter|day|night|holidays?)|on "
    r"(?:holiday|vacation|leave|a trip|business)|"
    r"until (?!now)|visiting|while (?:his|her|their|the|my|our|she|he|they|we|I)|borrow\w*|usually|"
    r"sometimes|occasionally|once|"
    r"as a (?:child|kid|student|teenager|boy|girl)|when (?:he|she|they|I|we) (?:was|were)|years? "
    r"old when|back then|at the time|"
    r"should have|grew up|every time|whenever|pretty much never|the past|historically|in those days|childhood)\b"
)
FUTURE = re.compile(
    r"(?i)\b(?:will|shall|going to|gonna|wants?|wanted|wanna|plans? (?:to|on)|planning (?:to|on)|"
    r"planned to|intend\w*|aims?|about to|soon|tomorrow|tonight|"
    r"next (?:week|weekend|month|year|quarter|spring|summer|autumn|fall|winter|term|semester|"
    rf"{DAY_NAMES}|{MONTH_NAMES})|upcoming|in (?:a|two|three|four|five|six|a few|a couple of|\d+) "
    rf"(?:days?|weeks?|months?|years?)|"
    r"(?:needs?|has|have) to|must|expects?|expected|eventually|some ?day|one day|later this|is "
    r"moving|are moving|am moving|is switching|"
    r"are switching|am switching|is leaving|are leaving|am leaving|is starting|am starting|would "
    r"like|(?:is|are|am) getting)\b"
)
ADDING = re.compile(
    r"(?i)\b(?:also|as well|additionally|in addition|another|bes[i]des|both(?! doing| fine)|still|part[- ]time|on "
    r"the side|plus|apart from|"
    r"second (?:job|home|house|car|office|phone|flat|apartment|dog|cat|address|email|number|account)|"
    r"as always|as before|"
    r"as usual|next to (?:his|her|their|my)|alongside|on weekends|at weekends|side (?:job|gig|"
    r"project)|partly|sometimes|half(?! past))\b|\btoo$"
)
_TEMPORARY = re.compile(
    r"(?i)\b(?:this (?:week|weekend|month|morning|afternoon|evening)|today|tonight|for (?:a|two|"
    r"three|\d+|some|a few) \w+)\b"
)
_NOW = re.compile(
    r"(?i),? ?\b(?:right now|by now|as of now|from now on|from today on|as of today|effective "
    r"immediately|with immediate effect|nowadays|these days|"
    r"currently|at present|at the moment|presently|recently|lately|newly|officially|finally|meanwhile|"
    r"in the meantime|already|"
    r"once and for all|for good|permanently|completely|entirely|fully|eventually|now|just|again|instead(?! of)|"
    r"yesterday|today|this (?:morning|week|month|year|spring|summer|autumn|fall|winter)|the other day|"
    r"last (?:night|week|weekend|month|year|spring|summer|autumn|fall|winter|"
    rf"{DAY_NAMES}|{MONTH_NAMES})|(?:an? (?:few |couple of )?|two |three |four |five |six |\d+ "
    rf"|some |several )(?:days?|weeks?|months?|years?) ago|"
    r"earlier this (?:week|month|year)|after all|in the end|though|unfortunately|sadly|happily|"
    r"luckily|as it happens)\b,?"
)
_CHANGED = re.compile(
    r"(?i)\b(?:now|nowadays|these days|as of|since|from now on|by now|again|instead(?! of)|currently|"
    r"newly|recently|just|lately|effective|starting|no longer)\b"
)
_MOVED_ON = re.compile(r"(?i)\b(?:any ?more|any longer)\b")
_DATE = (
    rf"(?:\d{{4}}-\d\d-\d\d|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH_NAMES})\.?(?:,? \d{{4}})?|"
    rf"(?:early |late |mid-?|the (?:start|beginning|end) of )?(?:{MONTH_NAMES})\b\.?(?: \d{{1,2}}(?:st|"
    rf"nd|rd|th)?\b(?!:))?(?:,? \d{{4}})?|(?:19|20)\d\d\b)"
)
_SINCE = re.compile(
    rf"(?i),? ?\b(?:since|as of|effective(?: from)?|starting(?: from| on| in)?|beginning(?: on|"
    rf" in)?|from) (?P<date>{_DATE})(?: on(?:wards?)?)?,?(?! to\b)"
)
_DATED = re.compile(rf"(?i),? ?\b(?:in|on|back in) (?P<date>{_DATE}),?$|^(?:in|on) (?P<first>{_DATE}),? (?=\w)")
_THEN = re.compile(
    r"(?i),? ?\bsince then,?|^(?:since (?:the|her|his|their|my|our) [\w ]{2,30}|after [\w ']{3,40}|"
    r"following [\w ']{3,40}|due to [\w ']{3,40}|because of [\w ']{3,40}),\s+"
)
_AFTER = re.compile(
    r"(?i)^after (?:[\w ]+ )?(?:years?|months?|weeks?|decades?|time|stint|spell) (?:at|with|in|"
    r"on|of using|of|as an?) (?P<old>[\w' .-]{2,40}?),\s+"
)
_USUALLY = re.compile(
    r"(?i)\b(?:often|always|regularly|frequently|mostly|mainly|generally|has always been|have always been)\b"
)
_OFTEN = re.compile(
    r"(?i),? (?:a lot|a bit|a great deal|very much|every (?:day|morning|evening|week|weekend|night|"
    r"month)|daily|weekly|often|regularly|"
    r"all the time|(?:once|twice|three times) a (?:day|week|month)|at (?:work|home)|"
    r"for (?:many |some |several |a few |a couple of |\w+ )?(?:months|years|weeks|ages|decades)|"
    r"for a (?:while|long time)|over the (?:summer|winter|weekend|years?))(?=$)"
)
_DENIALS = (
    re.compile(r"(?i)\b(?:does|do) not (?:actually |really |even )?(?=[a-z])(?!(?:only|just|know|think|believe|"
        r"mind|want to|have to|need to)\b)"),
    re.compile(r"(?i)\bno longer "),
    re.compile(r"(?i)\bnever (?=(?:" + HABITS + r")s?\b)"),
    re.compile(r"(?i)\b(?:has |have |had )?(?:stopped|quit|gave up|given up|ceased|kicked the habit of|got "
        r"out of the habit of|swore off|sworn off|is done with|are done with|am done with) (?=being\b|"
        r"\w{2,15}ing\b)"),
    re.compile(r"(?i)\bused to (?=[a-z])(?! (?:be )?(?:it|that|this)\b)"),
    re.compile(r"(?i)\b(?:formerly|previously) (?=(?:lived|worked|used|owned|drove|played)\b)"),
)  # fmt: skip
_IS_NOT = re.compile(r"(?i)\b(is|are|am) not ")
_PAST = re.compile(r"(?i)\b(?:did|was|were|had) not\b")
_VERBS = (
    r"(?:now |then |has |have |just |recently |currently |finally |instead )*(?:lives?|living|"
    r"moved|works?|working|joined|started|starts|uses?|using|"
    r"switched|migrated|bought|got|drives?|prefers?|likes?|loves?|hates?|took|takes|became|is|"
    r"are|am|was|has|have|owns?|drinks?|eats?|plays?|left|quit|"
    r"relocated|changed|adopted|sold|runs|goes|costs?|no longer|does not|do not|studies|reports|"
    r"stopped|gave|given|chose|accepted|settled|"
    r"went|replaced|kept|settled|handed|resigned|retired|married|divorced|abandoned|ditched|dropped|"
    r"swapped|traded|packed|transferred|retrained|follows|pays|rides|cycles|commutes)\b"
)
_JOINT = re.compile(
    rf"(?i)(?:;|,? and|,? but|,? so|,? then|,| –| —| -|:) +(?:(?P<who>I|we|he|she|they|it) +)?(?={_VERBS})"
)
_PRONOUN = re.compile(r"(?i)^(?:he|she|they|it)\b(?:')?")
_OWNER = re.compile(r"(?i)^(?:his|her|their|its)\b")


@dataclass(frozen=True, slots=True)
class Clause:
    """A claim in words, without its cues. `is_denied` and `is_over` come from "not" and "no longer".

    `is_changed` says that something is different now, `is_adding` that something comes on top; `is_brief`, that it is
    so for a while. `is_past` marks what only was; `starts` is the date from which it holds.
    """

    text: str
    is_denied: bool = False
    is_over: bool = False
    is_changed: bool = False
    is_adding: bool = False
    is_brief: bool = False
    is_future: bool = False
    old: str = ""
    starts: date | None = None


def read_clauses(text: str) -> list[Clause]:
    """Return the clauses of a text that state something of something; none of a long one, or of a question."""
    if len(text) > MAX_CHARACTERS * MAX_SENTENCES:
        return []
    sentences = list(split_sentences(text))
    if len(sentences) > MAX_SENTENCES:
        return []
    clauses: list[Clause] = []
    subject = ""
    for sentence in sentences:
        for given in _parts(sentence):
            part = _with_subject(given, subject)
            subject = _subject(part) or subject
            clauses.append(_read_clause(part))
    return clauses


def is_hearsay(text: str) -> bool:
    """Return whether a text quotes, or tells what another one says or thinks; not what one says about oneself."""
    plain = _LEAD.sub("", text.strip(), count=1)
    if own := _OWN_WORDS.match(plain):
        plain = plain[own.end("he") :]
    return bool(_OTHERS_WORDS.search(plain))


def _parts(sentence: str) -> Iterator[str]:
    """Yield the parts of a sentence between which its subject goes on; nothing where it is not a plain statement."""
    plain = _SAID_ON.sub("", sentence.replace("’", "'").replace("‘", "'")).strip()
    plain = _STAMP.sub("", plain)
    if plain.endswith("?") or len(plain) > MAX_CHARACTERS or len(plain.split()) > MAX_WORDS:
        return
    plain = _LEAD.sub("", plain, count=1).rstrip(" .!…")
    for pattern, written in _SHORT:
        plain = pattern.sub(written, plain)
    if own := _OWN_WORDS.match(plain):
        plain = f"{own['who']}{plain[own.end('he') :]}"
    if _OTHERS_WORDS.search(plain) or UNREAL.search(plain):
        return
    begins, subject = 0, ""
    for joint in _JOINT.finditer(plain):
        part = plain[begins : joint.start()]
        if len(part.split()) < 2:
            continue
        part = _with_subject(part, subject)
        subject = _subject(part) or subject
        yield part
        who = joint["who"] or ""
        begins = joint.end()
        if who.lower() in {"i", "we"}:
            subject = who
    yield _with_subject(plain[begins:], subject) if begins else plain


def _with_subject(part: str, subject: str) -> str:
    """Put the subject of the clause before in place of a pronoun, or before a verb without one."""
    if not subject:
        return part
    if _PRONOUN.match(part):
        return _PRONOUN.sub(subject, part, count=1)
    if _OWNER.match(part):
        owner = {"i": "my", "we": "our"}.get(subject.lower(), f"{subject}'s")
        return _OWNER.sub(owner, part, count=1)
    return f"{subject} {part}" if re.match(rf"(?i){_VERBS}", part) else part


_SUBJECT = re.compile(
    r"^(?:I|i|[Ww]e|[Tt]he user|[Uu]ser|(?:[Mm]y|[Oo]ur|[Tt]he|[A-Z][\w-]*'s)(?: [\w'-]+){1,3}?|"
    r"[A-Z][\w&-]*(?: [A-Z][\w&-]*){0,3})"
    r"(?= (?:\w+ly |now |no |just )?(?:"
    + r"is|are|am|was|were|has|have|does|do|will|no longer|lives?|works?|uses?|moved|switched|joined|"
    r"left|quit|started|stopped|bought|sold|"
    r"prefers?|likes?|drives?|changed|used|got|became|gave|costs?|relocated|migrated|takes?|drinks?|"
    r"eats?|plays?|runs|replaced|traded|ditched)\b)"
)


def _subject(part: str) -> str:
    found = _SUBJECT.match(_NOW.sub("", part).strip()) or _SUBJECT.match(part)
    return found[0] if found else ""


def _read_clause(part: str) -> Clause:
    text = part.strip()
    clause = Clause(
        text,
        is_changed=bool(_CHANGED.search(text)),
        is_adding=bool(ADDING.search(text)),
        is_brief=bool(_TEMPORARY.search(text)),
        is_over=bool(_MOVED_ON.search(text)),
        is_future=bool(FUTURE.search(text)) or bool(_PAST.search(text)),
    )
    old = ""
    if found := _AFTER.match(text):
        old, text = found["old"], text[found.end() :]
    text = _THEN.sub("", text)
    starts = None
    for pattern in (_SINCE, _DATED):
        if found := pattern.search(text):
            groups = found.groupdict()
            starts = starts or read_date(groups.get("date") or groups.get("first") or "")
            if pattern is _SINCE:
                text = _tidy(text[: found.start()] + " " + text[found.end() :])
    text = _tidy(_NOW.sub(" ", _MOVED_ON.sub("", text)))
    text, is_denied, is_over = _without_denial(text)
    text = _tidy(_USUALLY.sub(lambda found: "is" if "been" in found[0] else "", _OFTEN.sub("", text)))
    return replace(clause, old=old, text=text, is_denied=is_denied, is_over=clause.is_over or is_over, starts=starts)


def _without_denial(text: str) -> tuple[str, bool, bool]:
    for place, pattern in enumerate(_DENIALS):
        if found := pattern.search(text):
            plain = _tidy(text[: found.start()] + " " + text[found.end() :])
            plain = re.sub(r"(?i)\bbeing\b", "is", plain, count=1) if place == 3 else plain
            plain = re.sub(r"(?i)\bbe\b", "is", plain, count=1) if place == 4 else plain
            return plain, True, place not in {0, 2}
    if found := _IS_NOT.search(text):
        return _tidy(text[: found.start()] + found[1] + " " + text[found.end() :]), True, False
    return text, False, False


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" ,;:–-")


def read_date(text: str) -> date | None:
    """Return the first day of what a text dates: 2026-03-04, 4 March 2026, March 2026, 2026; None without a year."""
    if iso := re.search(r"(\d{4})-(\d\d)-(\d\d)", text):
        return _day(int(iso[1]), int(iso[2]), int(iso[3]))
    year = re.search(r"\b(?:19|20)\d\d\b", text)
    if year is None:
        return None
    month = re.search(rf"(?i)\b({'|'.join([*MONTHS, *(each[:3] for each in MONTHS)])})", text)
    day = re.search(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", text.replace(year[0], ""))
    return _day(int(year[0]), month_number(month[1]) if month else 1, int(day[1]) if day and month else 1)


def _day(year: int, month: int, number: int) -> date | None:
    try:
        return date(year, month, number)
    except ValueError:
        return None
