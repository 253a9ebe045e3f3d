"""What people say about themselves, found by rules and put into the third person. Pure; for workspaces without a model.

Only plain statements in the first person are taken: a preference, a decision, a lasting fact. What the rules do not
understand is left alone, because a wrong memory is worse than none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from core.english.lasting_facts import DIETS, STATES, LastingFact, LastingKind, find_lasting
from core.english.lead_ins import strip_introduction, strip_lead_ins, strip_question
from core.english.omitted_subjects import with_subject
from core.english.own_words import own_words
from core.english.relative_dates import resolve_dates, resolve_next_days
from core.english.reported_speech import Speakers, retell
from core.english.salience import salience
from core.english.sentences import capitalize
from core.english.short_forms import spell_out
from core.english.standing_instructions import (
    as_order,
    asks_for_answers,
    begins_with_order,
    is_standing,
    names_manner,
)
from core.english.third_person import to_third_person
from core.english.time_expressions import MONTH, put_time_last
from core.english.withheld import without_withheld
from core.text import append_date, gives_secret_away, split_sentences
from core.text.transcripts import SourceMessage
from memory.extraction.certainty import Weight, weigh_statement
from memory.extraction.moved_dates import MovedDate, find_moved_dates
from memory.extraction.self_contained import names_subject, names_thing, stands_alone

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


# The type and the weight of what a sentence tells, unless more is said. The confidence counts in that a rule may have
# misread what a sentence is about: the wider it is, the lower. What replaces something is at least as sure as that.
_KINDS = {
    LastingKind.HEALTH: ("fact", Weight(0.9, 0.75)),
    LastingKind.DIET: ("fact", Weight(0.8, 0.7)),
    LastingKind.CHANGE: ("fact", Weight(0.7, 0.7)),
    LastingKind.DATE: ("fact", Weight(0.65, 0.7)),
    LastingKind.DECISION: ("decision", Weight(0.7, 0.65)),
    LastingKind.AVERSION: ("preference", Weight(0.65, 0.65)),
    LastingKind.LIKING: ("preference", Weight(0.5, 0.55)),
    LastingKind.IDENTITY: ("fact", Weight(0.75, 0.75)),
    LastingKind.MONEY: ("fact", Weight(0.65, 0.7)),
    LastingKind.BUSY: ("fact", Weight(0.5, 0.5)),
    LastingKind.PERSON: ("fact", Weight(0.65, 0.65)),
    LastingKind.LIFE: ("fact", Weight(0.6, 0.6)),
    LastingKind.INSTRUCTION: ("preference", Weight(0.7, 0.65)),
}
# Whose dates are resolved: what is said of a day to come is worth nothing once it is not known which day that was.
_DATED = frozenset({LastingKind.DATE, LastingKind.CHANGE})
# What is said to explain a request, and seldom for later.
_PASSING = frozenset({LastingKind.DATE, LastingKind.BUSY, LastingKind.DECISION})
_HAS = re.compile(r"(?i)(?:I|we)(?: have|'ve got)\b")
_CALLED_SO = re.compile(r"(?i)\b(?:called|named)\b")
# What two words say by themselves.
_SHORT = re.compile(rf"(?i)I'm (?:{DIETS}|{STATES}|diabetic|epileptic|asthmatic)[.! ]*")
_WISH_WEIGHT, _NAME_WEIGHT, _KEEP_WEIGHT = Weight(0.7, 0.65), Weight(0.75, 0.8), Weight(0.8, 0.65)
_MOVED_WEIGHT = Weight(0.75, 0.75)
_WISH = re.compile(
    r"(?i)(?:from now on,? (?:please )?\w+|please (?:always|never|only)"
    r"|(?:don't|do not) (?:ever )?(?:suggest|recommend|propose)"
    r"|(?:always|never) (?:use|answer|reply|write|call|include|add|ask|show|give|keep|start|end|send|format|mention))\b"
)
# What is said with some doubt is taken like the rest, and counts less.
_DOUBTED = re.compile(
    r"(?i)^(?:(?:i think|i guess|i suppose|personally|lately),? ){1,2}(?=(?:I|I'm|I've|I'd|my|we|our)\b)"
)
# What is asked about such a sentence may be whether it is so, or for a story: "I have a dog, in my novel, could you …?"
_IMAGINED = re.compile(r"(?i)\b(?:in|for) (?:my|the|a|our|this) (?:novel|story|book|game|script|play|film|poem|song)\b")
_CALLED = re.compile(r"(?i)(?:please )?(?:just )?call me (?P<name>\w[\w'-]*)")
_KEEP = re.compile(r"(?i)(?:please )?(?:remember|note|keep in mind|don't forget) that ")
_ADDRESSES = re.compile(r"(?i)\b(?:you|your|yours|you're|you've|u)\b")
# "Anything with sesame in it" is anything with sesame.
_IN_IT = re.compile(r"(?i)\b(?P<what>with (?:[\w-]+ ){0,3}[\w-]+) in (?:it|them)\b")
# A subject that the next sentence may leave out: "We move! Found a flat in Bari."
_OWN = re.compile(r"(?i)(?:I|we)\b")
_OWN_SUBJECT = re.compile(r"(?i)(?:I|we|my|our|let's)\b")
# Why something is wished for: "Keep answers short, I read on my phone".
_REASON = re.compile(r"(?:[,;:–—]| -) (?=I\b|my\b|we\b)| (?=because\b|since\b)")
_PRONOUN = re.compile(r"(?i)(?:it|he|she|they|his|her|their|its)\b")
# What the first clause is about was said before it.
_AND_SO = r"(?:I|we|my|our|all|any|no|nothing|please|only|never|don't)"  # begins another clause
_POINTS_AWAY = re.compile(
    rf"(?i)^(?: [\w']+){{0,4}}? (?:it|that|this|these|those|them|him|her|so(?! {_AND_SO}\b)|how|what)\b"
)
# "The rent": whose it is must be said.
_THE = re.compile(r"(?i)^the (?=\w)")
# "First day is the 1st of March": nothing says whose.
_BARE = re.compile(r"(?i)^(?=(?:first|last|next|new|final) \w+ (?:is|starts|begins|ends)\b)(?P<first>\w)")


def extract_by_rules(messages: Sequence[SourceMessage]) -> list[ExtractedStatement]:
    """Return what the rules find in messages of people, in their order: the most salient ones, each sentence once."""
    found: dict[str, ExtractedStatement] = {}
    for place, message in enumerate(messages):
        for statement in _statements(message):
            first = found.setdefault(statement.content.casefold(), replace(statement, said_at=message.created_at))
            places = dict.fromkeys((*first.messages, place))
            found[statement.content.casefold()] = replace(first, messages=tuple(places))
    salient = sorted(found, key=lambda key: salience(found[key].content), reverse=True)[:MAX_STATEMENTS]
    return [statement for key, statement in found.items() if key in salient]


def _statements(message: SourceMessage) -> Iterator[ExtractedStatement]:
    sentences = list(_sentences(message))
    moved = find_moved_dates([each for each, _ in sentences])
    told = ""
    for place, (sentence, said) in enumerate(sentences):
        if place in moved:
            yield _build_moved(moved[place], said, message)
        elif place - 1 in moved and moved[place - 1].is_of_two:
            continue
        elif (found := _statement(sentence, said, message, told=told)) and not gives_secret_away(found.content):
            yield found
        told = f"{told} {resolve_dates(said, said_on=message.created_at.date())}"


def _sentences(message: SourceMessage) -> Iterator[tuple[str, str]]:
    """Yield sentences without what leads into them, each with the whole of it."""
    before = ""
    for part in split_sentences(spell_out(without_withheld(own_words(message.content))).replace("’", "'")):
        if len(part) > MAX_CHARACTERS or len(part.split()) > MAX_WORDS_WITH_LEAD:
            continue
        said = strip_lead_ins(part.lstrip("-*•> "))
        plain = put_time_last(_DOUBTED.sub("", said))
        sentence = _IN_IT.sub(r"\g<what>", strip_introduction(plain, names=filter(None, [message.name])))
        if asks_for_answers(sentence):
            sentence = as_order(sentence)
        elif not (_DOUBTED.match(said) or _IMAGINED.search(said)):
            sentence = strip_question(sentence)
        if _OWN.match(before):
            sentence = with_subject(sentence)
        before = sentence
        words = len(sentence.split())
        is_short = words == MIN_WORDS and not (_SHORT.fullmatch(sentence) or names_manner(sentence))
        if MIN_WORDS <= words <= MAX_WORDS and not is_short and not sentence.endswith(("?", ":")):
            yield sentence, part


def _build_moved(moved: MovedDate, said: str, message: SourceMessage) -> ExtractedStatement:
    """Return that something has another date now, in words that end what the older date says."""
    # A month says enough: of two dates with their years and more behind them it is not seen that they are of one thing.
    has_month = MONTH.search(moved.when) is not None
    told = f"will be on {moved.when}"
    when = moved.when if has_month else resolve_dates(told, said_on=message.created_at.date())[len("will be on ") :]
    now = to_third_person(f"{moved.thing} is now on {when}", subject=_subject(message))
    return _build_statement(now, "fact", _MOVED_WEIGHT, said)


def _subject(message: SourceMessage) -> str:
    return message.name or "The user"


def _statement(sentence: str, said: str, message: SourceMessage, *, told: str = "") -> ExtractedStatement | None:
    subject = _subject(message)
    if called := _CALLED.match(sentence):
        return _build_statement(f"{subject} wants to be called {called['name']}.", "preference", _NAME_WEIGHT, said)
    if begins_with_order(sentence) and not stands_alone(sentence):
        sentence = _REASON.split(sentence, maxsplit=1)[0]
    if not stands_alone(sentence):
        return None
    if wish := _wish(sentence, subject):
        return _build_statement(f"{subject} wants this: {wish}", "preference", _WISH_WEIGHT, said)
    is_asked_for = _KEEP.match(sentence)
    plain = _KEEP.sub("", sentence, count=1)
    if _ADDRESSES.search(plain):
        return None
    lasting = None if _PRONOUN.match(plain) else find_lasting(plain)
    if lasting and _is_told(plain, lasting, is_with_request=said.endswith("?")):
        type_, weight = _KINDS[lasting.kind]
        importance = max(weight.importance, _KEEP_WEIGHT.importance if is_asked_for else 0.0)
        content = _tell(plain, lasting.kind, message, told=told)
        return _build_statement(content, type_, replace(weight, importance=importance), said)
    return (
        _build_statement(to_third_person(plain, subject=subject), "fact", _KEEP_WEIGHT, said) if is_asked_for else None
    )


def _is_told(plain: str, lasting: LastingFact, *, is_with_request: bool) -> bool:
    """Return whether a sentence that tells what lasts is one for a memory, and says what it is about.

    With a request behind it most of what a user does, has or will do is only what the request is about.
    """
    has_passing = lasting.kind == LastingKind.LIFE and _HAS.match(plain) and not _CALLED_SO.search(plain)
    if is_with_request and (lasting.kind in _PASSING or has_passing):
        return False
    if not names_thing(plain) or (lasting.kind == LastingKind.DATE and not names_subject(_own(plain, lasting.kind))):
        return False
    is_wish_of_others = lasting.kind == LastingKind.INSTRUCTION and not _OWN.match(plain)
    return lasting.kind in _KINDS and not is_wish_of_others and not _POINTS_AWAY.match(plain[lasting.end :])


def _wish(sentence: str, subject: str) -> str:
    """Return an instruction for all answers in the third person; '' where it is none, or asks others for something."""
    is_wish = _WISH.match(sentence) or asks_for_answers(sentence) or names_manner(sentence)
    if not is_wish and not (begins_with_order(sentence) and is_standing(sentence)):
        return ""
    if not _ADDRESSES.search(sentence):
        return to_third_person(sentence, subject=subject)
    if not asks_for_answers(sentence):
        return ""
    speaker = "the user" if subject == "The user" else subject
    wish = retell(sentence, speakers=Speakers(speaker, "the assistant"), is_introduced=True)
    return f"{wish.rstrip(' .!;,:')}."


def _own(plain: str, kind: LastingKind) -> str:
    """Return a sentence that says whose a thing is: "my rent" of "the rent"."""
    if kind == LastingKind.MONEY:
        return _THE.sub("my ", plain)
    return _BARE.sub(lambda found: f"my {found['first'].lower()}", plain)


def _tell(plain: str, kind: LastingKind, message: SourceMessage, *, told: str) -> str:
    """Return a sentence in the third person, with its dates."""
    owned, subject = _own(plain, kind), _subject(message)
    if _OWN_SUBJECT.match(owned):
        content = to_third_person(owned, subject=subject)
    else:
        told_of = retell(owned, speakers=Speakers("the user" if subject == "The user" else subject))
        content = f"{capitalize(told_of).rstrip(' .!;,:')}."
    if kind in _DATED or (kind == LastingKind.LIFE and MONTH.search(plain)):
        content = resolve_dates(content, said_on=message.created_at.date())
    return append_date(resolve_next_days(content, before=told), at=message.created_at)


def _build_statement(content: str, type_: str, kind: Weight, said: str) -> ExtractedStatement:
    weight = weigh_statement(said, kind=kind)
    return ExtractedStatement(content, type_, weight.importance, weight.confidence)
