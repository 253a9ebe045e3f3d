"""What people say about themselves, found by rules and put into the third person. Pure; for workspaces without a model.

Only plain statements in the first person are taken: a preference, a decision, a lasting fact. What the rules do not
understand is left alone, because a wrong memory is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.english.own_words import own_words
from core.english.salience import salience
from core.english.third_person import to_third_person
from core.text import append_date, split_sentences
from core.text.transcripts import SourceMessage
from memory.extraction.certainty import Weight, weigh_statement
from memory.extraction.self_contained import stands_alone

MAX_STATEMENTS = 20
MAX_WORDS = 40
# Longer than any sentence that is taken, with what may lead into it; patterns do not look at more.
MAX_WORDS_WITH_LEAD, MAX_CHARACTERS = 60, 1_000
MIN_WORDS = 2  # "I'm vegetarian."; any other sentence has one more


@dataclass(frozen=True, slots=True)
class ExtractedStatement:
    """A statement that is worth remembering; `type` is fact, preference or decision, the numbers are 0 to 1.

    `said_at` is the time of its first message, or of the last one that a model read with it. `messages` are the
    places of those that say it, among the messages that were read.
    """

    content: str
    type: str
    importance: float
    confidence: float
    said_at: datetime | None = None
    messages: tuple[int, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class _Rule:
    """Sentences that begin like `opening` are statements of this type, and have this weight unless more is said.

    The confidence counts in that a rule may have misread what a sentence is about: the wider it is, the lower.
    """

    type: str
    weight: Weight
    opening: re.Pattern[str]


def _rule(type_: str, importance: float, confidence: float, *openings: str) -> _Rule:
    return _Rule(type_, Weight(importance, confidence), re.compile(rf"(?i)(?:{'|'.join(openings)})\b"))


_OFTEN = r"(?:(?:\w+ly|also|always|often|still|just|never|now) )*"
_LIKING = "prefer|like|love|enjoy|adore|hate|dislike|favou?r|avoid"
_DOING = "live|work|study|speak|play|teach|run(?! into)|own|use|drive|manage|lead|volunteer|collect"
_BUSY = "working on|building|developing|learning|studying|training for|preparing for|planning to|using|writing an?"
_DIET = "vegan|vegetarian|pescatarian|teetotal|coeliac|celiac|gluten-free|dairy-free|lactose[- ]intolerant"
_STATE = (
    "married|engaged(?! in)|single|divorced|widowed|retired|pregnant|self-employed|unemployed|left-handed|ambidextrous|"
    "bilingual|deaf|dyslexic|colou?r-?blind|short-sighted|sober|muslim|jewish|hindu|buddhist|christian|catholic|gay|"
    "lesbian|bisexual|transgender"
)
_BEING = rf"an?|the|from|based|{_STATE}|responsible|\d+"
# What two words say by themselves.
_SHORT = re.compile(rf"(?i)I'm (?:{_DIET}|{_STATE}|diabetic|epileptic|asthmatic)[.! ]*")
_DID = "was born|grew up|moved|graduated|adopted|got married|got divorced|retired|quit|founded|bought"
_PEOPLE = (
    "wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|sons?|daughters?|kids?|children|child|mother|father|"
    "mom|mum|dad|parents|sisters?|brothers?|grand(?:mother|father|ma|pa|parents|son|daughter)|aunt|uncle|family"
)
_THINGS = (
    "dogs?|cats?|pets?|job|boss|manager|team|company|employer|office|doctor|budget|deadline|background|degree|title|"
    "role"
)
_IDENTITY = "name|birthday|hometown|home|address|phone number|e-?mail|diet|time ?zone|pronouns"
_NO_POSSESSION = "question|problem|idea|feeling|look|thought|doubt|issue|chat|minute|moment|request|call|clue|point|bit"

# The first rule that fits decides.
_RULES = (
    _rule(
        "fact",
        0.9,
        0.75,
        r"(?:I'm|I am) (?:\w+ly )?(?:allergic|intolerant|diabetic|epileptic|asthmatic)",
        r"I (?:can't|cannot) (?:eat|drink|take|have)",
        r"I have (?:an? )?(?:\w+ )?(?:allergy|intolerance|pacemaker|diabetes|asthma|epilepsy)",
    ),
    _rule("fact", 0.8, 0.7, rf"I(?:'m| am) {_OFTEN}(?:an? )?(?:{_DIET})"),
    _rule(
        "decision",
        0.7,
        0.65,
        r"(?:I|we)(?: have|'ve)? (?:finally )?(?:decided|agreed|chose|chosen|settled|opted)",
        r"(?:I'm|I am|we're|we are) (?:not )?going (?:with|to (?:use|switch|move|stick))",
        r"(?:I|we)(?:'ll| will) (?:go with|use|switch to|move to|stick with)",
        r"let's (?:go with|use|switch to|stick with)",
    ),
    _rule(
        "preference",
        0.65,
        0.65,
        rf"I {_OFTEN}(?:do not|don't|never) (?:eat|drink)",
        rf"I {_OFTEN}(?:prefer|hate|avoid)",
        r"I (?:can't|cannot) stand",
        r"I(?:'d| would) (?:much |always )?(?:rather|prefer)",
        r"I(?:'m| am) (?:not )?afraid of",
        r"my (?:\w+ )?(?:favou?rite|preferred|preference)",
    ),
    _rule(
        "preference",
        0.5,
        0.55,
        rf"I {_OFTEN}(?:do not|don't) (?:{_LIKING}|want)",
        rf"I {_OFTEN}(?:{_LIKING})",
        r"I(?:'m| am) (?:not )?(?:a (?:big |huge )?fan of|fond of|into|passionate about|interested in)",
    ),
    _rule(
        "fact",
        0.75,
        0.75,
        rf"my (?:\w+ )?(?:{_IDENTITY})(?:'s|(?: \w+)? (?:is|are|was|has))",
    ),
    _rule("fact", 0.5, 0.5, rf"I(?:'m| am) {_OFTEN}(?:{_BUSY})"),
    _rule(
        "fact",
        0.65,
        0.65,
        rf"I(?:'m| am) {_OFTEN}(?:{_BEING})",
        rf"my (?:\w+ )?(?:{_PEOPLE})(?:'s|(?: \w+)? (?:is|are|was|has|have|lives?|works?|likes?|loves?))",
    ),
    _rule(
        "fact",
        0.6,
        0.6,
        rf"I {_OFTEN}(?:{_DOING})",
        rf"I (?:have |'ve )?{_OFTEN}(?:{_DID})",
        rf"I(?: have|'ve got) (?:an?|one|two|three|four|five|\d+|no) (?!(?:\w+ )?(?:{_NO_POSSESSION})\b)\w+",
        rf"my (?:\w+ )?(?:{_THINGS})(?:'s|(?: \w+)? (?:is|are|was|has|have|lives?|works?|likes?|loves?))",
        r"we (?:use|live|own|have been married)",
        r"our (?:\w+ )?(?:team|company|product|office|stack|database|customers|house|home|deadline|budget) \w+",
    ),
)
_WISH_WEIGHT, _NAME_WEIGHT, _KEEP_WEIGHT = Weight(0.7, 0.65), Weight(0.75, 0.8), Weight(0.8, 0.65)
_WISH = re.compile(
    r"(?i)(?:from now on,? (?:please )?\w+|please (?:always|never|only)"
    r"|(?:always|never) (?:use|answer|reply|write|call|include|add|ask|show|give|keep|start|end|send|format|mention))\b"
)
_CALLED = re.compile(r"(?i)(?:please )?(?:just )?call me (?P<name>\w[\w'-]*)")
_KEEP = re.compile(r"(?i)(?:please )?(?:remember|note|keep in mind|don't forget) that ")
_LEAD_WORDS = (
    r"(?:well|so|oh|ok(?:ay)?|yes|yeah|no|also|and|but|plus|actually|honestly|wow|hey|hi|hello|thanks|anyway|"
    r"btw|by the way|just so you know|for the record|to be clear|in fact|lately|personally|i think|i guess|i mean|sure|"
    r"great|cool|absolutely|definitely|totally|right)"
)
# The word after a lead is never a lead itself: "and and and" must have one reading, or their number doubles with each.
_LEAD = re.compile(
    rf"(?i)^(?:{_LEAD_WORDS}(?: (?!{_LEAD_WORDS}\b)\w+)?[,:!.—–-]? +)+(?=(?:I|I'm|I've|I'd|I'll|my|we|our|let's)\b)"
)
_ADDRESSES = re.compile(r"(?i)\b(?:you|your|yours|you're|you've|u)\b")
# What the first clause is about was said before it.
_POINTS_AWAY = re.compile(r"(?i)^(?: [\w']+){0,4}? (?:it|that|this|these|those|them|him|her|so|how|what)\b")


def extract_by_rules(messages: Sequence[SourceMessage]) -> list[ExtractedStatement]:
    """Return what the rules find in messages of people, in their order: the most salient ones, each sentence once."""
    found: dict[str, ExtractedStatement] = {}
    for place, message in enumerate(messages):
        for sentence, said in _sentences(message.content):
            if statement := _statement(sentence, said, message):
                first = found.setdefault(statement.content.casefold(), replace(statement, said_at=message.created_at))
                places = dict.fromkeys((*first.messages, place))
                found[statement.content.casefold()] = replace(first, messages=tuple(places))
    salient = sorted(found, key=lambda key: salience(found[key].content), reverse=True)[:MAX_STATEMENTS]
    return [statement for key, statement in found.items() if key in salient]


def _sentences(text: str) -> Iterator[tuple[str, str]]:
    """Yield sentences without what leads into them, each with the whole of it."""
    for part in split_sentences(own_words(text).replace("’", "'")):
        if len(part) > MAX_CHARACTERS or len(part.split()) > MAX_WORDS_WITH_LEAD:
            continue
        sentence = _LEAD.sub("", part.lstrip("-*•> "), count=1)
        words = len(sentence.split())
        is_short = words == MIN_WORDS and not _SHORT.fullmatch(sentence)
        if MIN_WORDS <= words <= MAX_WORDS and not is_short and not sentence.endswith(("?", ":")):
            yield sentence, part


def _statement(sentence: str, said: str, message: SourceMessage) -> ExtractedStatement | None:
    subject = message.name or "The user"
    if called := _CALLED.match(sentence):
        return _build_statement(f"{subject} wants to be called {called['name']}.", "preference", _NAME_WEIGHT, said)
    if not stands_alone(sentence):
        return None
    if _WISH.match(sentence) and not _ADDRESSES.search(sentence):
        wish = f"{subject} wants this: {to_third_person(sentence, subject=subject)}"
        return _build_statement(wish, "preference", _WISH_WEIGHT, said)
    is_asked_for = _KEEP.match(sentence)
    plain = _KEEP.sub("", sentence, count=1)
    if _ADDRESSES.search(plain):
        return None
    for rule in _RULES:
        opening = rule.opening.match(plain)
        if opening and not _POINTS_AWAY.match(plain[opening.end() :]):
            told = append_date(to_third_person(plain, subject=subject), at=message.created_at)
            importance = max(rule.weight.importance, _KEEP_WEIGHT.importance if is_asked_for else 0.0)
            return _build_statement(told, rule.type, replace(rule.weight, importance=importance), said)
    return (
        _build_statement(to_third_person(plain, subject=subject), "fact", _KEEP_WEIGHT, said) if is_asked_for else None
    )


def _build_statement(content: str, type_: str, kind: Weight, said: str) -> ExtractedStatement:
    weight = weigh_statement(said, kind=kind)
    return ExtractedStatement(content, type_, weight.importance, weight.confidence)
