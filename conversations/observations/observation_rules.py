"""Observations by rules: the telling sentences of people and assistants, and how calls of tools ended. Pure; English.

What a tool returned is not copied, nor are code, payloads and secrets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Protocol
from uuid import UUID

from conversations.observations.drawn_observations import DrawnObservation, select_observations, tidy_text
from conversations.observations.kinds import ObservationKind
from core.english.message_markup import parse_blocks
from core.english.relative_dates import resolve_dates
from core.english.reported_speech import Speakers, retell
from core.english.salience import salience
from core.english.sentences import capitalize
from core.english.standing_instructions import Guidance, guidance_kind
from core.text import excerpt
from core.text.email_addresses import mask_email_addresses
from core.text.prompt_sanitiser import label
from core.text.transcripts import strip_secrets

MAX_SENTENCE = 260
MAX_ITEMS = 3  # of one list
# A sentence that is worth less says nothing that is missed.
MIN_WORTH = 0.55
# What another sentence of the same message is worth less, so that few messages end without any.
AGAIN = 0.25
OF_A_USER = 0.4
# Of what a tool returned so much is read, to see whether it failed.
READ_OF_A_RESULT = 600
MAX_TOOLS_NAMED = 6

_CRITICAL = re.compile(
    r"(?i)\b(?:never|must(?:n['’]t)?|always|under no circumstances|do not ever|not allowed|forbidden|required to|"
    r"allerg\w+|critical|urgent\w*|deadline|at all costs|without exception|may not)\b|"
    r"^\W*(?:(?:and|but|so|please)[ ,]+){0,2}(?:do not|don['’]t|stop|avoid|only|no)\b"
)
_COMPLETION = re.compile(
    r"(?i)\b(?:done|finished|completed?|deployed|merged|fixed|resolved|published|released|delivered|paid|booked|"
    r"succeeded|passed|shipped|migrated|restored|(?:is|are|was|were|has been|have been) (?:sent|created|updated|saved|"
    r"closed|cancelled|confirmed|live))\b"
)
_IMPORTANT = re.compile(
    r"(?i)\b(?:decided?|decision|chose|chosen|agreed|prefers?|instead of|plan(?:s|ned)? to|going to|will use|"
    r"fail(?:s|ed|ure)|error|broken|broke|can(?:not|['’]t)|does(?:n['’]t| not) work|missing|root cause|because|found "
    r"out|turns out|limit|budget|cost)\b"
)
# Characters in a row that are not a word: a digest, an address, a key, a piece of a payload.
_LONG_WORD = re.compile(r"\S{41,}")
_MARKS_OF_PAYLOAD = frozenset("{}[]<>=\\|;$^~")
_FAILED = re.compile(
    r"(?i)(?:\"(?:error|errors|exception)\"\s*:\s*(?!null|\[\]|\"\"|false)|\"?(?:status|outcome)\"?\s*[:=]\s*\"?"
    r"(?:error|failed|failure)|^\W*(?:error|traceback|exception|failed|fatal)\b|\b(?:timed out|permission denied|"
    r"not found|unauthori[sz]ed|forbidden|refused)\b|\bHTTP\D{0,8}[45]\d\d\b|\"?(?:status|code)\"?\s*[:=]\s*[45]\d\d\b)"
)
# Of a failure these words are said; nothing else of a result is.
_CAUSES = re.compile(
    r"\b(?P<code>[45]\d\d)\b|\b(?P<name>[A-Z][A-Za-z]{2,38}(?:Error|Exception))\b|"
    r"(?i:\b(?P<words>timed? ?out|permission denied|not found|unauthori[sz]ed|forbidden|refused|rate[ _-]limited)\b)"
)


class ObservedMessage(Protocol):
    """What is read of a message."""

    @property
    def id(self) -> UUID: ...
    @property
    def role(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


def observe_by_rules(messages: Sequence[ObservedMessage], *, source_tokens: int) -> list[DrawnObservation]:
    """Return what rules observe in messages, in their order, in at most a fifth of their tokens.

    Where nothing stands out, that is said; of a few words not even that.
    """
    drawn: list[DrawnObservation] = []
    for is_tool, group in groupby(messages, key=lambda message: message.role == "tool"):
        run = list(group)
        drawn += [_summarize_tools(run)] if is_tool else [each for message in run for each in _read_message(message)]
    kept = select_observations(drawn, source_tokens=source_tokens)
    return kept or select_observations([_nothing_found(messages)], source_tokens=source_tokens)


def _read_message(message: ObservedMessage) -> list[DrawnObservation]:
    speaker = _speaker(message)
    said = ((each, _kind(each, message.role)) for each in _sentences(strip_secrets(message.content)))
    read = ((_clean(each, is_critical=kind is ObservationKind.CRITICAL), kind) for each, kind in said)
    kinds = [(text, kind) for text, kind in read if text]
    found = [text for text, _ in kinds]
    rated = sorted(((_worth(each, message.role), place) for place, each in enumerate(found)), reverse=True)
    drawn = []
    for rank, (worth, place) in enumerate(rated):
        kind = kinds[place][1]
        if worth - AGAIN * rank < MIN_WORTH and kind != ObservationKind.CRITICAL:
            continue
        text = tidy_text(_retell(found[place], speaker, message.created_at))
        if text:
            drawn.append((place, DrawnObservation(kind, text, message.created_at, (message.id,), worth - AGAIN * rank)))
    return [each for _, each in sorted(drawn, key=lambda pair: pair[0])]


def _sentences(text: str) -> Iterator[str]:
    blocks = parse_blocks(text)
    yield from blocks.sentences
    for listed in blocks.lists:
        items = "; ".join(item.rstrip(".;") for item in listed.items[:MAX_ITEMS])
        yield f"{listed.heading}: {items}." if listed.heading else f"{items}."


def _clean(sentence: str, *, is_critical: bool) -> str:
    """Return a sentence without addresses; "" for what is a payload or code, unless it says what must or must not be,
    of which the words that are none are left out."""
    text = mask_email_addresses(sentence)
    if is_critical:
        text = _LONG_WORD.sub("…", text)
    marks = sum(character in _MARKS_OF_PAYLOAD for character in text)
    if _LONG_WORD.search(text) or (marks > 2 and not is_critical) or not any(map(str.isalpha, text)):
        return ""
    return excerpt(text, limit=MAX_SENTENCE)


def _worth(sentence: str, role: str) -> float:
    is_question = sentence.endswith("?")
    worth = salience(sentence) + (OF_A_USER if role == "user" else 0.0)
    # What a user asks for is what the work is about.
    return worth + 0.6 if is_question and role == "user" else worth


def _kind(sentence: str, role: str) -> ObservationKind:
    if sentence.endswith("?"):
        return ObservationKind.INFO
    if role in {"user", "system"}:
        is_instruction = guidance_kind(sentence) in {Guidance.INSTRUCTION, Guidance.CONDITIONAL}
        if is_instruction or _CRITICAL.search(sentence):
            return ObservationKind.CRITICAL
    if role == "assistant" and _COMPLETION.search(sentence):
        return ObservationKind.COMPLETION
    return ObservationKind.IMPORTANT if _IMPORTANT.search(sentence) else ObservationKind.INFO


def _speaker(message: ObservedMessage) -> str:
    name = label(strip_secrets(message.name)) if message.role in {"user", "assistant"} else ""
    return name if name and name.casefold() not in {"user", "assistant", "system", "tool"} else f"the {message.role}"


def _retell(sentence: str, speaker: str, said_at: datetime) -> str:
    """Return a sentence in the third person, or behind its speaker where it does not name them."""
    dated = resolve_dates(sentence, said_on=said_at.date())
    retold = retell(dated, speakers=Speakers(speaker))
    if sentence.endswith("?") or speaker not in retold:
        return f"{capitalize(speaker)}: {dated}"
    return capitalize(retold)


def _summarize_tools(results: Sequence[ObservedMessage]) -> DrawnObservation:
    """Return how often which tool was called and what failed, and nothing of what they returned."""
    calls = Counter(_tool_name(each) for each in results)
    failed = [(each, cause) for each in results if (cause := _failure(each.content))]
    named = [f"{name} ×{count}" if count > 1 else name for name, count in calls.most_common(MAX_TOOLS_NAMED)]
    others = f" and {len(calls) - len(named)} others" if len(calls) > len(named) else ""
    text = f"Tools answered: {', '.join(named)}{others}"
    if failed:
        causes = dict.fromkeys(f"{_tool_name(each)} ({cause})" for each, cause in failed)
        text += f"; failed: {', '.join(list(causes)[:MAX_TOOLS_NAMED])}"
    return DrawnObservation(
        ObservationKind.IMPORTANT if failed else ObservationKind.INFO,
        tidy_text(f"{text}.") or "Tools answered.",
        results[-1].created_at,
        tuple(each.id for each in results),
        0.9 if failed else 0.5,
    )


def _tool_name(message: ObservedMessage) -> str:
    return label(strip_secrets(message.name)) or "a tool"


def _failure(content: str) -> str:
    """Return why a call failed, in a code or a few words; "" for one that did not."""
    beginning = content[:READ_OF_A_RESULT]
    if not _FAILED.search(beginning):
        return ""
    cause = _CAUSES.search(beginning)
    if cause is None:
        return "error"
    return cause["code"] or cause["name"] or cause["words"].lower().replace("_", " ")


def _nothing_found(messages: Sequence[ObservedMessage]) -> DrawnObservation:
    count = "1 message" if len(messages) == 1 else f"{len(messages):,} messages"
    text = f"{count} in which nothing stands out."
    ids = tuple(message.id for message in messages)
    return DrawnObservation(ObservationKind.INFO, text, messages[-1].created_at, ids)
