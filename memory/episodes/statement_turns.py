"""The messages of a conversation as rules read them: who says what to whom, after which question. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from core.english.extractive_summary import salience
from core.english.relative_dates import resolve_dates
from core.english.reported_speech import Speakers, retell
from core.text import excerpt
from memory.episodes.message_markup import MessageBlocks, parse_blocks
from memory.episodes.sentence_analysis import is_talk, nicknames, points_back, points_early, strip_leads
from memory.extraction.transcripts import TranscriptTurn

SPOKEN_ROLES = frozenset({"user", "assistant"})
REQUEST = re.compile(
    r"(?i)(?P<before>^|[,.;:!–-] ?|\b)(?:(?:and|so|but|also) )?(?:can|could|would|will) you (?:please |"
    r"also |maybe |possibly )*(?P<help>help me(?: to)? )?"
)
MAX_QUESTION = 110
MAX_TOPIC = 80
_QUESTION_PART = re.compile(
    r"[,;–-] (?:(?:so|and|but) )?(?=(?:how|what|which|where|when|why|should|is|are|do|"
    r"does|can|could|will)\b)"
)
# Questions that keep a talk going and ask for nothing.
_STOCK_QUESTION = re.compile(
    r"(?i)^(?:how'?(?:ve|s)? ?(?:are|have|has|'s|is)? \S+(?: \S+)?(?: been| doing| going)?(?: lately| today)?\?|what's "
    r"(?:up|new|going on)|any(?:thing)? (?:new|else)|"
    r"(?:do|does|would|are|is) .{0,40}\b(?:any (?:more|other|further)|need|like|want|ready|sound|work "
    r"for)\b|how (?:does|do) (?:this|that|it) sound|"
    r"what (?:do|does) .{1,30} think|(?:do|does) .{1,20} think (?:that|this|it)\b|what can (?:you|i|we) do\b|"
    r".*(?:\bright|\byou know|\bdon't they|\bisn't it)\?$|.*\byou (?:said|mentioned)\b|can you believe|"
    r"is(?:n't)? (?:that|it)\b|right\?)"
)
_DRAFT = re.compile(r"\n[^\S\n]*(?:Hi|Hey|Hello|Dear) [A-Z]\w+[,!]")  # a letter that the user has written
ASKS = re.compile(
    r"(?i)^(?:what|how|when|where|who|why|which|is|are|do|does|did|can|could|should|would|will|have|has|any)\b"
)


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """A message with what is known of it: who says it to whom, and what was asked before."""

    place: int
    role: str
    said_at: datetime
    speakers: Speakers
    names: Sequence[str]
    blocks: MessageBlocks
    question: str
    topic: str
    is_for_assistant: bool


def speaker_label(message: TranscriptTurn) -> str:
    """Return how statements call the speaker of a message: by name, or "the user" and "the assistant"."""
    name = " ".join(message.name.split())
    return name if name and name.lower() != message.role else f"the {message.role}"


def read_messages(messages: Sequence[TranscriptTurn]) -> Iterator[SpokenMessage]:
    labels = list(dict.fromkeys(speaker_label(each) for each in messages if each.role in SPOKEN_ROLES))
    roles = {each.role for each in messages}
    question, asker, topic = "", "", ""
    for place, message in enumerate(messages):
        if message.role not in SPOKEN_ROLES:
            continue
        speaker = speaker_label(message)
        others = [label for label in labels if label != speaker]
        speakers = Speakers(speaker, others[0] if len(others) == 1 else "")
        is_for_assistant = message.role == "user" and "assistant" in roles
        blocks = parse_blocks(_DRAFT.split(message.content, maxsplit=1)[0] if is_for_assistant else message.content)
        yield SpokenMessage(
            place, message.role, message.created_at, speakers,
            [form for label in labels for form in nicknames(label)],
            blocks, *((question, topic) if asker != speaker else ("", "")),
            is_for_assistant,
        )  # fmt: skip
        question, asker = _last_question(blocks, speakers, message), speaker
        topic = _topic(blocks, speakers, message.created_at)


def _last_question(blocks: MessageBlocks, speakers: Speakers, message: TranscriptTurn) -> str:
    """Return what a message asks at its end, as what follows "asked"; '' for nothing.

    A question stands in quotes, a request ("can you help me plan it?") begins with "to".
    """
    names = nicknames(speakers.listener)
    is_request = message.role == "user" and speakers.listener == "the assistant"
    for sentence in reversed(blocks.sentences if is_request else blocks.sentences[-3:]):
        wish = REQUEST.search(sentence) if is_request else None
        asked = strip_leads(sentence[wish.end() :] if wish else _without_preamble(sentence), names=names)
        if not (wish or asked.rstrip("\"')").endswith("?")) or len(asked.split()) < 3 or _STOCK_QUESTION.match(asked):
            continue
        retold = absolute(retell(asked, speakers=speakers), message.created_at)
        if not wish and len(retold) > MAX_QUESTION and not ASKS.match(asked):
            return ""
        if not wish:
            return f'"{excerpt(retold, limit=MAX_QUESTION)}"'
        wanted = excerpt(retold[:1].lower() + retold[1:], limit=MAX_QUESTION).rstrip(" ?.!")
        return f"to help {wanted}" if wish["help"] else f"to {wanted}"
    return ""


def _topic(blocks: MessageBlocks, speakers: Speakers, said_at: datetime) -> str:
    """Return the sentence that tells most of what a message is about; '' for nothing."""
    told = [each for each in map(partial(strip_leads, names=()), blocks.sentences[:8]) if not is_talk(each)]
    best = max(told, key=lambda each: salience(each) - points_early(each) - points_back(each), default="")
    return excerpt(absolute(retell(best, speakers=speakers), said_at), limit=MAX_TOPIC).rstrip(" ?.!")


def _without_preamble(sentence: str) -> str:
    """Return the question at the end of a long sentence."""
    if len(sentence) <= MAX_QUESTION or not (parts := list(_QUESTION_PART.finditer(sentence))):
        return sentence
    return sentence[parts[-1].end() :]


def absolute(text: str, said_at: datetime) -> str:
    return resolve_dates(text, said_on=said_at.date())
