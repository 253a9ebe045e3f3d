"""What people say about themselves, found by rules and put into the third person. Pure; for workspaces without a model.

Only plain statements in the first person are taken: a preference, a decision, a lasting fact. What the rules do not
understand is left alone, because a wrong memory is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.english.extractive_summary import salience
from core.english.third_person import to_third_person
from core.text import append_date, split_sentences
from memory.extraction.transcripts import SourceMessage

# The confidence of a rule: the sentence was said like this, and the rule may have misread what it is about.
CONFIDENCE = 0.6
MAX_STATEMENTS = 20
MAX_WORDS = 40
# Longer than any sentence that is taken, with what may lead into it; patterns do not look at more.
MAX_WORDS_WITH_LEAD, MAX_CHARACTERS = 60, 1_000
MIN_WORDS = 3


@dataclass(frozen=True, slots=True)
class ExtractedStatement:
    """A statement that is worth remembering; `type` is fact, preference or decision, the numbers are 0 to 1.

    `said_at` is the time of its message, or of the last one that a model read with it.
    """

    content: str
    type: str
    importance: float
    confidence: float
    said_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Rule:
    """Sentences that begin like `opening` are statements of this type."""

    type: str
    importance: float
    opening: re.Pattern[str]


def _rule(type_: str, importance: float, *openings: str) -> _Rule:
    return _Rule(type_, importance, re.compile(rf"(?i)(?:{'|'.join(openings)})\b"))


_OFTEN = r"(?:(?:\w+ly|also|always|often|still|just|never|now) )*"
_LIKING = "prefer|like|love|enjoy|adore|hate|dislike|favou?r|avoid"
_DOING = "live|work|study|speak|play|teach|run(?! into)|own|use|drive|manage|lead|volunteer|collect"
_BUSY = "working on|building|developing|learning|studying|training for|preparing for|planning to|using|writing an?"
_BEING = (
    "an?|the|from|based|vegan|vegetarian|married|single|divorced|widowed|retired|responsible|pregnant|self-employed|"
    "unemployed|left-handed|\\d+"
)
_DID = "was born|grew up|moved|graduated|adopted|got married|got divorced|retired|quit|founded|bought"
_PEOPLE = (
    "wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|sons?|daughters?|kids?|children|child|mother|father|"
    "mom|mum|dad|parents|sisters?|brothers?|grand(?:mother|father|ma|pa|parents|son|daughter)|aunt|uncle|family"
)
_THINGS = (
    "name|birthday|dogs?|cats?|pets?|job|boss|manager|team|company|employer|office|hometown|home|address|phone number|"
    "e-?mail|doctor|diet|budget|deadline|time ?zone|pronouns|background|degree|title|role"
)
_NO_POSSESSION = "question|problem|idea|feeling|look|thought|doubt|issue|chat|minute|moment|request|call|clue|point|bit"

# The first rule that fits decides.
_RULES = (
    _rule(
        "fact",
        0.9,
        r"(?:I'm|I am) (?:\w+ly )?(?:allergic|intolerant|diabetic|epileptic|asthmatic)",
        r"I (?:can't|cannot) (?:eat|drink|take|have)",
        r"I have (?:an? )?(?:\w+ )?(?:allergy|intolerance|pacemaker|diabetes|asthma|epilepsy)",
    ),
    _rule(
        "decision",
        0.7,
        r"(?:I|we)(?: have|'ve)? (?:finally )?(?:decided|agreed|chose|chosen|settled|opted)",
        r"(?:I'm|I am|we're|we are) (?:not )?going (?:with|to (?:use|switch|move|stick))",
        r"(?:I|we)(?:'ll| will) (?:go with|use|switch to|move to|stick with)",
        r"let's (?:go with|use|switch to|stick with)",
    ),
    _rule(
        "preference",
        0.6,
        rf"I {_OFTEN}(?:do not|don't) (?:{_LIKING}|eat|drink|want)",
        rf"I {_OFTEN}(?:{_LIKING})",
        r"I (?:can't|cannot) stand",
        r"I(?:'d| would) (?:much |always )?(?:rather|prefer)",
        r"I(?:'m| am) (?:not )?(?:a (?:big |huge )?fan of|fond of|into|passionate about|interested in|afraid of)",
        r"my (?:\w+ )?(?:favou?rite|preferred|preference)",
    ),
    _rule(
        "fact",
        0.6,
        rf"I(?:'m| am) {_OFTEN}(?:{_BEING}|{_BUSY})",
        rf"I {_OFTEN}(?:{_DOING})",
        rf"I (?:have |'ve )?{_OFTEN}(?:{_DID})",
        rf"I(?: have|'ve got) (?:an?|one|two|three|four|five|\d+|no) (?!(?:\w+ )?(?:{_NO_POSSESSION})\b)\w+",
        rf"my (?:\w+ )?(?:{_PEOPLE}|{_THINGS})(?:'s|(?: \w+)? (?:is|are|was|has|have|lives?|works?|likes?|loves?))",
        r"we (?:use|live|own|have been married)",
        r"our (?:\w+ )?(?:team|company|product|office|stack|database|customers|house|home|deadline|budget) \w+",
    ),
)
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
    for message in messages:
        for sentence in _sentences(message.content):
            if statement := _statement(sentence, message):
                key = statement.content.casefold()
                found.setdefault(key, replace(statement, said_at=message.created_at))
    salient = sorted(found, key=lambda key: salience(found[key].content), reverse=True)[:MAX_STATEMENTS]
    return [statement for key, statement in found.items() if key in salient]


def _sentences(text: str) -> Iterator[str]:
    for part in split_sentences(text.replace("’", "'")):
        if len(part) > MAX_CHARACTERS or len(part.split()) > MAX_WORDS_WITH_LEAD:
            continue
        sentence = _LEAD.sub("", part.lstrip("-*•> "), count=1)
        if MIN_WORDS <= len(sentence.split()) <= MAX_WORDS and not sentence.endswith(("?", ":")):
            yield sentence


def _statement(sentence: str, message: SourceMessage) -> ExtractedStatement | None:
    subject = message.name or "The user"
    if called := _CALLED.match(sentence):
        return ExtractedStatement(f"{subject} wants to be called {called['name']}.", "preference", 0.7, CONFIDENCE)
    if _WISH.match(sentence) and not _ADDRESSES.search(sentence):
        return ExtractedStatement(
            f"{subject} wants this: {to_third_person(sentence, subject=subject)}", "preference", 0.7, CONFIDENCE
        )
    is_asked_for = _KEEP.match(sentence)
    plain = _KEEP.sub("", sentence, count=1)
    if _ADDRESSES.search(plain):
        return None
    for rule in _RULES:
        opening = rule.opening.match(plain)
        if opening and not _POINTS_AWAY.match(plain[opening.end() :]):
            importance = 0.8 if is_asked_for else rule.importance
            return ExtractedStatement(
                append_date(to_third_person(plain, subject=subject), at=message.created_at),
                rule.type,
                importance,
                CONFIDENCE,
            )
    return (
        ExtractedStatement(to_third_person(plain, subject=subject), "fact", 0.8, CONFIDENCE) if is_asked_for else None
    )
