"""What a sentence tells of its speaker that stays true or binds: by its beginning, with lead-ins taken off. Pure.

English. The same rule says what an episode keeps first, and what is proposed as a memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.english.standing_instructions import asks_for_answers, is_standing, names_manner
from core.english.time_expressions import MONTHS, WEEKDAYS


class LastingKind(StrEnum):
    """What such a sentence is about."""

    HEALTH = "health"
    DIET = "diet"
    INSTRUCTION = "instruction"
    CHANGE = "change"
    DATE = "date"
    DECISION = "decision"
    AVERSION = "aversion"
    IDENTITY = "identity"
    MONEY = "money"
    LIKING = "liking"
    BUSY = "busy"
    PERSON = "person"
    LIFE = "life"
    HABIT = "habit"
    OWN = "own"


# What is worth a memory, and not yet a place in an episode whatever else was said.
PASSING = frozenset({LastingKind.LIKING, LastingKind.BUSY, LastingKind.DECISION})
# Patterns do not look at more of a sentence.
MAX_CHARACTERS = 400

_OFTEN = r"(?:(?:\w{2,20}ly|also|always|often|still|just|never|now|both|all|all of us) ){0,4}"
_LIKING = "prefer|like|love|enjoy|adore|hate|dislike|favou?r|avoid"
_DOING = (
    "live|freelance|commute|work(?! (?:out|on|hard|through|with|for (?:me|you|us)\\b))|study|speak|play|teach|"
    "run(?! (?:into|out|late|to|around)\\b)|own|use|drive|manage|lead|volunteer|collect|rent|belong|represent"
)
_BUSY = "working on|building|developing|learning|studying|training for|preparing for|planning to|using|writing an?"
DIETS = "vegan|vegetarian|pescatarian|teetotal|coeliac|celiac|gluten-free|dairy-free|lactose[- ]intolerant"
STATES = (
    "married|engaged(?! in)|single|divorced|widowed|retired|pregnant|self-employed|unemployed|left-handed|ambidextrous|"
    "bilingual|deaf|dyslexic|colou?r-?blind|short-sighted|sober|muslim|jewish|hindu|buddhist|christian|catholic|gay|"
    "lesbian|bisexual|transgender"
)
_BEING = (
    rf"an?(?! (?:bit|lot|little|few|fan|big fan|huge fan|mess)\b)|the|from|based|{STATES}|responsible|\d+|"
    r"with (?:the |an? )?(?:(?-i:[A-Z])|\w+guard|\w+ (?:company|team|firm|agency|service))"
)
_DID = (
    r"was born|grew up|moved(?! (?:everything|all|it|the|my|our|on)\b)|graduated|adopted|got married|"
    "got divorced|got engaged|retired|founded|bought|"
    "signed (?:the|a|my|our) (?:lease|contract)|was diagnosed"
)
_KIN = (
    "wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|sons?|daughters?|kids?|children|child|mother|father|"
    "mom|mum|dad|parents|sisters?|brothers?|siblings?|twins?|grand(?:mother|father|ma|pa|parents|son|daughter)|gran|"
    "grandad|aunt|uncle|cousins?|niece|nephew|family|godson|goddaughter|stepson|stepdaughter|in-laws"
)
_PEOPLE = (
    rf"(?:ex-|step|late |older |younger |little |big |twin |best |eldest |youngest |elder )*(?:{_KIN}|friend|flatmate|"
    r"roommate|neighbou?r|boss|manager|landlord|landlady|doctor|GP|dentist|midwife|therapist|lawyer|accountant|"
    r"colleague|supervisor|mentor|coach|tutor)"
)
_THINGS = (
    "dogs?|cats?|pets?|horse|parrot|tortoise|rabbit|puppy|kitten|job|team|company|employer|office|budget|deadline|"
    "background|degree|title|role|flat|house|apartment|room|cabin|garden|car|bike|bicycle|motorbike|van|boat|phone|"
    "laptop|computer|camera|piano|violin|guitar|cello|school|university|blood type|shoe size|size|landline"
)
_IDENTITY = (
    "name|surname|nickname|maiden name|birthday|hometown|home|address|phone number|number|e-?mail|diet|time ?zone|"
    "pronouns|nationality|postcode|passport"
)
_CONDITIONS = (
    r"allergy|allergies|intolerance|pacemaker|diabetes|hives|asthma|epilepsy|migraines?|arthritis|hearing aids?|blood "
    r"pressure|heart condition|condition|anxiety|depression|adhd|autism|insulin|anaemia|anemia|eczema|celiac|coeliac|"
    r"tablets?|pills?|thyroid|tinnitus|vertigo|sciatica|hernia|implant|glasses|contact lenses|prosthesis|"
    r"medication|blood thinners"
)
_DOCTOR = (
    r"(?:(?:my|the|our) (?:[a-z]+ )?(?:doctor|GP|physician|psychiatrist|specialist|[a-z]{3,20}ologist)"
    r"(?:,? (?:Dr\.? )?(?-i:[A-Z])[\w'-]+,?)?|Dr\.? (?-i:[A-Z])[\w'-]+)(?: has)?(?: (?:just|now|also))?"
)
_TREATS = (
    r"(?:(?:put|switched|moved|changed|started) me (?:on|onto|over|to|from)|(?:took|taken) me off|"
    r"prescribed|(?:changed|switched) my [\w ]{2,30} (?:to|for|from))"
)
_DOSE = r"\d ?(?:mg|mcg|µg|ml|IU|milligrams?|micrograms?|units|drops|puffs)\b"
_POST = (
    r"(?:the|an?|their|his|her|my) (?:[\w-]+ ){0,3}?(?:job|offer|post|position|role|promotion|contract|scholarship|"
    r"grant)"
)
_NO_POSSESSION = (
    "question|problem|idea|feeling|look|thought|doubt|issue|chat|minute|moment|request|call|clue|point|bit|lot|few|"
    "couple|story|favou?r|hard time|headache|cold|plan|chance|while|good|great|nice|bad|long|busy|rough|wonderful|"
    "fantastic|quick|blast|ton|feel|hunch"
)
_NOT_OWN = (
    "day|days|weekend|week|month|year|morning|afternoon|evening|night|plan|plans|idea|ideas|question|questions|point|"
    "guess|head|mind|problem|issue|goal|goals|heart|life|dream|dreams|turn|fault|bad|pleasure|thing|things|thoughts|"
    "feeling|feelings|experience|journey|passion|hope|favorite|time|mood|luck|friends|advice|code|function|error|"
    "project|essay|report|data|draft|story|text|email|list|table|query|app|page|site"
)
_IS = r"(?:'s|'re| is| are| was| were| has| have| isn't| turns| got| lives?| works?| likes?| loves?| teaches| studies)"
_MONTH_NAMES = "|".join(MONTHS)
_DAY_NAMES = "|".join(WEEKDAYS)
DAY = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH_NAMES})|(?:{_MONTH_NAMES}) \d{{1,2}}|"
    rf"(?:next |this |coming )?(?:{_DAY_NAMES})|\d{{4}}-\d\d-\d\d)\b"
)
_BEFORE = re.compile(
    r"(?i)\b(?:was|were|did|had|went|got|saw|met|made|took|came|started|finished|bought|found|won|lost|ran|said|ate|"
    r"wrote|left|spent|gave|heard|read|ago|yesterday|last (?:night|week|weekend|month|year|summer|time|\w+day))\b"
)
_AHEAD = re.compile(
    r"(?i)\b(?:is|are|'s|am|'m|'re|will|'ll|have to|has to|need to|starts?|begins?|ends?|runs?|lasts?|opens?|"
    r"closes?|due|leaves?|"
    r"arrives?|lands?|comes?|going|expires?|runs out|have an?|have my|'ve got|takes place)\b|'(?:s|m|re|ll|ve) |"
    r"^(?:I|we) (?:now |then |also |all |both )*(?:move|fly|travel|go|drive|sail|return|marry|retire|graduate|meet)\b"
)
_HAS_DAY = re.compile(rf"(?i)\b(?:on|by|from|until|till|to|at|for|is|'s|of|before|after|since) (?:the )?{DAY}")
# Of whom or what a date is stated: the speaker, what is theirs, a thing that both know.
_OWN_DATE = re.compile(
    r"(?i)(?!(?:this|that|there|what|so)\b)(?:I|we|my|our|the|(?-i:[A-Z])\w+(?:'s)?|his|her|their)\b"
)
_AMOUNT = re.compile(r"\d")
_MONEY = re.compile(
    r"(?i)^(?:(?:my|our|the) (?:\w+ ){0,2}(?:rent|mortgage|salary|wages?|budget|deposit|loan|pension|income|"
    r"insurance|bills?|bonus|subscription|membership|fees?|allowance|debt|savings)\b|"
    r"(?:I|we)(?:'m|'re|'ve| am| are| have)? (?:\w+ ){0,2}(?:earn|pay|paying|save|saving|owe|make|spend)\b|"
    r"(?:[\w'-]+ ){1,4}(?:is|are|costs?) [$€£]?\d[\d.,]*(?: \w+)? (?:a|per|each) (?:month|week|year|hour|night|day)\b|"
    r"(?:\w+ ){1,6}(?:costs?|is costing|knocked|raised|lowered|put)\b.*(?:a|per) (?:month|week|year|hour)\b|"
    r"(?:the|my|our) (?:landlord|landlady|boss|bank)\b.*\b(?:rent|salary|pay|mortgage|wage)\b)"
)


# How a person wants answers, or wants to be treated, without an order at the beginning.
_WISHES = re.compile(
    r"(?i)^(?:I(?:'d| would) (?:like|prefer|rather have|love) (?:your |the |my |short |shorter |brief )?"
    r"(?:answers?|replies|responses|"
    r"messages|"
    r"summaries|explanations|prices|numbers|dates|units)\b|you (?:can|may|could|don't (?:need|have) to|"
    r"needn't) (?:drop|skip|"
    r"leave out|leave off|stop|always|never|be|use|write)\b|(?:don't|do not|never|please) call me\b|"
    r"no [\w -]{2,40} (?:for me|please)\b|[\w -]{2,40} only(?:,? please)?[.!]*$)"
)


def _opening(*openings: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?:{'|'.join(openings)})(?!\w)")


# The first that fits decides.
_OPENINGS: tuple[tuple[LastingKind, re.Pattern[str]], ...] = (
    (
        LastingKind.HEALTH,
        _opening(
            r"(?:I'm|I am) (?:\w+ly )?(?:allergic|intolerant|diabetic|epileptic|asthmatic|pregnant)",
            r"(?:I'm|I am) on (?:\w+ )?(?:medication|antibiotics|blood thinners|insulin|statins|antidepressants)",
            r"I (?:can't|cannot|mustn't|must not|may not|am not allowed to|shouldn't) (?:eat|drink|take|have|tolerate)",
            rf"I(?: have|'ve got|'ve| suffer from| was diagnosed with| wear| take| get| need)"
            rf" (?:(?:an?|my|the|type|\d|mild|severe|\w+) ){{0,3}}?(?:{_CONDITIONS})",
            r"(?:an? )?(?:(?!(?:my|the|on|in)\b)[\w-]{1,20} ){0,2}(?:fractures?|sprain|tear|infection|surgery|"
            r"operation|inflammation|tumou?r|arthritis|hernia) (?:in|on|of) my",
            r"(?:(?!this\b|that\b|it\b|he\b|she\b|you\b)[\w-]{2,20} ){1,3}(?:gives? me (?:an? )?(?:hives|rash(?:es)?|"
            r"migraines?|headaches?|heartburn|cramps)|makes? me (?:swell|itch|wheeze|sick|ill|faint|vomit))",
            r"my (?:blood type|allergies|allergy|asthma|diabetes|doctor says|kidneys|heart|knee|back)",
            rf"{_DOCTOR} {_TREATS}",
            r"I(?: was|'ve been| have been| got) (?:(?:put|switched|moved) (?:on|onto|to)|prescribed|taken off)",
            rf"I(?:'m| am)? (?:now )?(?:on|take|taking) (?:[\w-]+ ){{0,4}}?{_DOSE}",
            r"(?:I'm|I am) (?:now )?off [\w-]+,? (?:and|but) (?:now )?tak(?:e|ing)",
        ),
    ),
    (LastingKind.DIET, _opening(rf"(?:I'm|I am|we're|we are) {_OFTEN}(?:all )?(?:an? )?(?:{DIETS})")),
    (
        LastingKind.CHANGE,
        _opening(
            r"I(?:'ve| have|'m| am)? (?:(?:just|also|now|recently|finally|\w{2,20}ly) ){0,3}(?:stopped|quit|given up|"
            r"gave up|gone off|taken up|took up|cut out|switched|swapped|no longer|resigned|retired|"
            r"left (?:my|the|our) (?:job|company|firm|bank|school|team|band|club|hospital|church|union|party)|"
            r"joined (?:a|the|my)|found (?:an?|my|the) (?:new )?(?:flat|house|apartment|room|place|job|home)|"
            r"passed (?:my|the)|failed (?:my|the)|got (?:the|an?) (?:offer|promotion|place|"
            rf"diagnosis)|(?:turned down|declined|refused|accepted) {_POST}|"
            r"expecting|trying to (?:cut|give up|quit|stop|eat less|drink less|lose)|(?:cut|cutting) (?:down|back)|"
            r"start(?:ed|ing) (?:\w+ing\b|as an?|at (?:the|an?)|"
            r"(?:a|my|at|as|the) (?:new )?(?:job|course|degree|diet|business|company))|"
            r"handed in my|"
            r"got an? (?:new )?(?:job|flat|house|car|dog|cat)|changed (?:my|jobs?|schools?|names?|banks?|\w+s\b)|"
            r"sold (?:my|the|our)|cancelled)",
            r"we(?:'ve| have)? (?:(?:just|also|now|recently|finally|\w{2,20}ly) ){0,3}(?:stopped|switched|"
            r"swapped|no longer|found (?:an?|our|the) (?:new )?(?:flat|house|apartment|room|place|home)|"
            r"expecting|split up|separated|broke up|changed|moved (?:to|in|into|house|out|from)|got (?:engaged|"
            r"married|divorced|a new)|sold (?:the|"
            r"our)|cancelled)",
            r"(?:I'm|I am|we're|we are) (?:now )?(?:down|up|back) to (?:about |only |just )*(?:\d+|\w+teen|\w+ty|"
            r"one|two|three|four|five|six|seven|eight|nine|ten|half)",
            r"I (?:don't|do not|can't|cannot|won't) .{2,60}\b(?:any ?more|any longer)",
            r"(?:the|my|our|his|her) (?:[\w'-]+ ){1,7}?(?:(?:got|was|is|has been|have been|had to be|been|is being) "
            r"(?:\w+ly )?(?:postponed|rescheduled|moved|pushed|slipped|put off|brought forward|cancelled|called off|"
            r"delayed|changed)|(?:is|are) (?:off (?:until|till)|now (?:on|at|in|called|with)|no longer))",
            r"my [\w-]+ and I (?:split|broke) up",
            r"\b[\w-]{1,30} (?:is|are) (?:on|at|in) [\w ]{2,30} now",
            r"(?:my |the |our )?new (?:\w+ ){1,3}(?:is|are|starts|ends)",
        ),
    ),
    (
        LastingKind.DECISION,
        _opening(
            r"(?:I|we)(?: have|'ve)? (?:finally )?(?:decided|agreed|chose|chosen|settled|opted)",
            r"(?:I|we)(?:'ve| have)? made up (?:my|our) minds?(?= (?:about|to)\b|:)",
            r"(?:I'm|I am|we're|we are) (?:not )?going (?:with|to (?:use|switch|move|stick))",
            r"(?:I|we)(?:'ll| will) (?:go with|use|switch to|move to|stick with)",
            r"let's (?:go with|use|switch to|stick with)",
        ),
    ),
    (
        LastingKind.AVERSION,
        _opening(
            rf"(?:I|we) {_OFTEN}(?:do not|don't|never|only|can't|cannot) (?:eat|drink|wear|take|travel|fly)",
            rf"I {_OFTEN}(?:prefer|hate|avoid)",
            r"I (?:can't|cannot) stand",
            r"I (?:take|drink|have|like) my (?:tea|coffee|eggs|steak|espresso|toast)",
            r"I(?:'d| would) (?:much |always )?(?:rather|prefer)",
            r"I(?:'m| am) (?:not )?afraid of",
            r"my (?:\w+ )?(?:favou?rite|preferred|preference)",
        ),
    ),
    (
        LastingKind.LIKING,
        _opening(
            rf"I {_OFTEN}(?:do not|don't) (?:{_LIKING}|want)",
            rf"I {_OFTEN}(?:{_LIKING})",
            r"I(?:'m| am) (?:not )?(?:a (?:big |huge )?fan of|fond of|into|passionate about|interested in)",
        ),
    ),
    (LastingKind.IDENTITY, _opening(rf"(?:my|our) (?:\w+ )?(?:{_IDENTITY})(?:'s|(?: \w+)? (?:is|are|was|has|ends))")),
    (LastingKind.BUSY, _opening(rf"I(?:'m| am) {_OFTEN}(?:{_BUSY})")),
    (
        LastingKind.PERSON,
        _opening(
            rf"I(?:'m| am) {_OFTEN}(?:{_BEING})",
            rf"my {_PEOPLE}(?:'s (?:name|birthday|job) is|(?: (?-i:[A-Z])[\w'-]+)?{_IS})",
        ),
    ),
    (
        LastingKind.LIFE,
        _opening(
            rf"I {_OFTEN}(?:{_DOING})",
            rf"(?:I|we)(?:'ve| have| was)? {_OFTEN}(?:{_DID})",
            rf"(?:I|we)(?: have|'ve got) (?:an?|one|two|three|four|five|\d+|"
            rf"no) (?!(?:\w+ ){{0,2}}?(?:{_NO_POSSESSION})\b)\w+",
            rf"my (?:\w+ )?(?:{_THINGS})(?:'s|(?: \w+)? (?:is|are|was|has|have|lives?|works?|likes?|loves?))",
            r"(?:I|we)(?:'ve| have) (?:been|lived|worked) (?:at|in|with|on|a|an|the)\b.{2,60}\b(?:for|since)",
            r"(?:I'm|I am|we're|we are) moving (?:to|in|into|out)",
            r"we (?:use|live|own|rent|run an?|have been married)",
            r"our (?:\w+ )?(?:team|company|product|office|stack|database|customers|house|flat|home|deadline|"
            r"budget) \w+",
        ),
    ),
    (
        LastingKind.HABIT,
        _opening(
            rf"(?:I|we) (?!(?:was|were|had|did)\b)[\w' -]{{2,60}}? (?:every|each) "
            rf"(?:other )?(?:day|morning|evening|night|week|month|year|(?:{_DAY_NAMES}))",
            rf"(?:I|we) (?!(?:was|were|had|did)\b)[\w' -]{{2,60}}? on (?:{_DAY_NAMES})s",
            r"I (?:sleep|eat|drink|react|feel) (?:badly|poorly|worse|well|best|better) (?:when|if|after|with|without)",
            r"I do (?:night |early |late |double )?shifts",
        ),
    ),
    (
        LastingKind.OWN,
        _opening(
            rf"(?:my|our) (?!(?:\w+ )?(?:{_NOT_OWN})\b)[\w'-]+(?: (?!and\b)[\w'-]+){{0,2}}?"
            r"(?:'s called| (?:is|are) (?:called|named|made|from|in|on|at|near|an?|the|\d)|"
            r" (?:has|have) (?:an?|two|three|no|the|\d)| (?:starts?|ends?|runs?|lasts?|belongs?|dates|"
            r"comes from)| started| "
            r"went (?:up|down) to)",
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class LastingFact:
    """What a sentence is about, and where its opening ends."""

    kind: LastingKind
    end: int = 0


def find_lasting(sentence: str) -> LastingFact | None:
    """Return what a sentence tells of its speaker that lasts; None where it tells nothing.

    The sentence is as it was said, in the first person, without what leads into it.
    """
    said = sentence[:MAX_CHARACTERS].replace("’", "'")
    if asks_for_answers(said):
        return LastingFact(LastingKind.INSTRUCTION)
    if said.rstrip("\"')").endswith("?"):
        return None
    for kind, pattern in _OPENINGS:
        if opening := pattern.match(said):
            is_date = kind == LastingKind.OWN and _is_ahead(said)
            return LastingFact(LastingKind.DATE if is_date else kind, opening.end())
    if is_standing(said) or names_manner(said) or _WISHES.match(said):
        return LastingFact(LastingKind.INSTRUCTION)
    if (money := _MONEY.match(said)) and _AMOUNT.search(said):
        return LastingFact(LastingKind.MONEY, money.end())
    return LastingFact(LastingKind.DATE) if _is_ahead(said) else None


def is_binding(sentence: str) -> bool:
    """Return whether a sentence says what one must or must not do for its speaker."""
    found = find_lasting(sentence)
    return found is not None and found.kind in {LastingKind.INSTRUCTION, LastingKind.HEALTH, LastingKind.DIET}


def is_lasting(sentence: str) -> bool:
    """Return whether an episode keeps a sentence of a person before all else: it stays true, or it binds."""
    found = find_lasting(sentence)
    return found is not None and (found.kind not in PASSING or _is_ahead(sentence[:MAX_CHARACTERS]))


def _is_ahead(said: str) -> bool:
    """Return whether a sentence tells of a day to come."""
    if not _OWN_DATE.match(said) or not _HAS_DAY.search(said):
        return False
    return _AHEAD.search(said) is not None and not _BEFORE.search(said)
