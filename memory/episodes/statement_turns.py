"""The messages of a conversation as rules read them: who says what to whom, after which question. Pure; English."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from core.english.message_markup import MessageBlocks, parse_blocks
from core.english.own_words import own_words
from core.english.relative_dates import resolve_dates
from core.english.reported_speech import Speakers, retell
from core.english.salience import salience
from core.english.sentences import capitalize
from core.english.short_forms import spell_out
from core.english.withheld import without_withheld
from core.text import excerpt
from core.text.transcripts import TranscriptTurn
from memory.episodes.question_pairs import AskedQuestion
from memory.episodes.sentence_analysis import is_talk, nicknames, points_back, strip_leads
from memory.episodes.unresolved_references import leans_back

SPOKEN_ROLES = frozenset({"user", "assistant"})
REQUEST = re.compile(
    r"(?i)(?P<before>^|[,.;:!–-] ?|\b)(?:(?:and|so|but|also) )?(?:can|could|would|will) you (?:please |"
    r"also |maybe |possibly )*(?P<help>help me(?: to)? )?"
)
MAX_QUESTION = 110
MAX_TOPIC = 110
LAST_SENTENCES = 5  # of a message, in which its questions are looked for
SENTENCES_BEFORE = 12  # in which a noun is looked for that "that" stands before
# Behind a comma, "which have …" and "when I …" are clauses and no questions.
_QUESTION_PART = re.compile(
    r"[,;–-] (?:(?:so|and|but) )?(?=(?:how|what|which(?! (?:have|has|had|is|are|was|were|will|would|can|could|"
    r"I|we|he|she|they|it|the|my|our)\b)|(?:where|when)(?! (?:I|we|he|she|they|it|the|my|our)\b)|why|should|is|are|"
    r"do|does|can|could|will)\b)"
)
# Where a clause ends, so that what follows may be left out.
_CLAUSE = re.compile(
    r"[,;:](?! (?:19|20)\d\d\b)(?= )| [–-] |(?<=[a-z])- | (?:but|so|because|which|since|while|although|"
    r"and (?=(?:they|he|she|we|the user|[A-Z]\w+) [a-z])) ?\b"
)
# Where a phrase begins that may be left out, but not what a verb needs: "wants to go".
_PHRASE = re.compile(
    r"(?i)(?<!\bwants)(?<!\bneeds)(?<!\bneed)(?<!\btrying)(?<!\bgoing)(?<!\bable)(?<!\bhow)(?<!\bwhat)(?<!\bhas)"
    r"(?<!\bhave)(?<!\bplans)(?<!\bplanning)(?<!\blooking)(?<!\bused)(?<!\bwaiting)(?<!\bit)(?<!\bhoping)"
    r"(?<!\basked)(?<!\blikes) "
    r"(?=(?:to|by|using|with|for|from|during|between|without|considering|including|like|such as) )"
)
# What a cut must not leave at the end.
_OPEN_WORDS_LIST = """
    especially particularly including such like with and but or so because since that which the a an to of for in on at
    by from if when maybe considering given as about after before
"""
_OPEN_WORDS = frozenset(_OPEN_WORDS_LIST.split())
# Questions that keep a talk going and ask for nothing.
_STOCK_QUESTION = re.compile(
    r"(?i)^(?:(?:(?:and|how about|what about) )?(?:you|u|yourself)\?|"
    r"how'?(?:ve|s)? ?(?:are|have|has|'s|is)? (?:you|u|it|that|this|things?|"
    r"life|everything|everyone|y'all|work|your (?:day|week|weekend|life))(?: \S+)?(?: been| doing| going)?"
    r"(?: lately| today)?\?|"
    r"what's (?:up|new|going on)|any(?:thing)? (?:(?:\w+ly )?(?:new|else|fun|cool|exciting|special|interesting|good|"
    r"happening))|(?:need|want) (?:any|some)\b|(?:do|does|would|are|is) .{0,40}\b(?:any (?:more|other|further)|need|"
    r"like|want|ready|sound|work for)\b|how (?:does|do) (?:this|that|it) sound|what (?:do|does) .{1,30} think|(?:do|"
    r"does) .{1,20} think (?:that|this|it)\b|remember (?:that|the|when|how|my|our)\b|what can (?:you|i|we) do\b|"
    r".*(?:\bright|\byou know|\bdon't they|\bisn't it)\?$|.*\byou (?:said|mentioned)\b|can you believe|"
    r"is(?:n't)? (?:that|it)\b[^?]{0,25}\?|right\?|(?:what|really|seriously|huh)\?|wanna\b|want to\b|(?:mind|care to) )"
)
_QUOTED = re.compile(r"\"[^\"]{2,200}\"")
_PLACE_OF_QUOTE = "\ue000"
_DRAFT = re.compile(r"\n[^\S\n]*(?:Hi|Hey|Hello|Dear) [A-Z]\w+[,!]")  # a letter that the user has written
ASKS = re.compile(
    r"(?i)^(?:what|how|when|where|who|why|which|is|are|do|does|did|can|could|should|shall|would|will|have|has|any)\b"
)


@dataclass(slots=True)
class HeardSentence:
    """A sentence of an earlier message, as it was said, and on demand retold."""

    text: str
    speakers: Speakers
    said_at: datetime
    _retold: str | None = None

    @property
    def retold(self) -> str:
        """The sentence in the third person, in short; made once, since many later messages look at it."""
        if self._retold is None:
            self._retold = topic_sentence(self.text, self.speakers, self.said_at)
        return self._retold


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
    heard: Sequence[HeardSentence] = ()  # what was said before, the latest last
    questions: Sequence[AskedQuestion] = ()  # that the message before asks of this speaker, in order
    told: Sequence[HeardSentence] = ()  # what this speaker said before, the latest last

    @property
    def earlier(self) -> list[str]:
        """What was said before, retold; the latest last."""
        return [each.retold for each in self.heard]

    @property
    def is_of_people(self) -> bool:
        """Whether one person says it to others, and not to an assistant."""
        return self.role != "assistant" and not self.is_for_assistant


def speaker_label(message: TranscriptTurn) -> str:
    """Return how statements call the speaker of a message: by name, or "the user" and "the assistant"."""
    name = " ".join(message.name.split())
    return name if name and name.lower() != message.role else f"the {message.role}"


def read_messages(messages: Sequence[TranscriptTurn]) -> Iterator[SpokenMessage]:
    """Yield what people and assistants say, with what the messages before tell about it."""
    labels = list(dict.fromkeys(speaker_label(each) for each in messages if each.role in SPOKEN_ROLES))
    roles = {each.role for each in messages}
    last = _Before()
    heard: deque[HeardSentence] = deque(maxlen=SENTENCES_BEFORE)
    told: dict[str, deque[HeardSentence]] = {label: deque(maxlen=SENTENCES_BEFORE) for label in labels}
    for place, message in enumerate(messages):
        if message.role not in SPOKEN_ROLES:
            continue
        speaker = speaker_label(message)
        others = [label for label in labels if label != speaker]
        speakers = Speakers(speaker, others[0] if len(others) == 1 else "")
        is_for_assistant = message.role == "user" and "assistant" in roles
        is_of_user = message.role == "user"
        content = spell_out(without_withheld(own_words(message.content))) if is_of_user else message.content
        blocks = parse_blocks(_DRAFT.split(content, maxsplit=1)[0] if is_for_assistant else content)
        asked = last if last.speaker != speaker else _Before()
        yield SpokenMessage(
            place, message.role, message.created_at, speakers,
            [form for label in labels for form in nicknames(label)],
            blocks, asked.question, asked.topic, is_for_assistant, tuple(heard), asked.questions, tuple(told[speaker]),
        )  # fmt: skip
        last = _remember(last, blocks, speakers, message, is_with_assistant="assistant" in roles)
        said = [HeardSentence(each, speakers, message.created_at) for each in blocks.sentences[:8]]
        heard.extend(said)
        told[speaker].extend(said)


@dataclass(frozen=True, slots=True)
class _Before:
    """What the message before said: its question and topic for an assistant, and of a talk of people the rest."""

    speaker: str = ""
    question: str = ""
    topic: str = ""
    questions: Sequence[AskedQuestion] = ()


def _remember(
    last: _Before, blocks: MessageBlocks, speakers: Speakers, message: TranscriptTurn, *, is_with_assistant: bool
) -> _Before:
    """Return what a message leaves for the next one."""
    if is_with_assistant:
        question = _last_question(blocks, speakers, message)
        topic = _topic(blocks.sentences[:8], speakers, message.created_at)
        asks = message.role == "assistant"
        return _Before(
            speakers.speaker, question, topic, questions=_questions(blocks, speakers, message) if asks else ()
        )
    return _Before(speakers.speaker, questions=_questions(blocks, speakers, message))


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
        wanted = cut_to_clauses(retold, limit=MAX_QUESTION).rstrip(" ?.!")
        wanted = _close(wanted[:-1]) if wanted.endswith("…") else wanted
        if not wish:
            return f'"{wanted}?"'
        wanted = wanted[:1].lower() + wanted[1:]
        return f"to help {wanted}" if wish["help"] else f"to {wanted}"
    return ""


def _questions(blocks: MessageBlocks, speakers: Speakers, message: TranscriptTurn) -> list[AskedQuestion]:
    """Return the questions at the end of a message, each with the sentence that leads to it."""
    names = nicknames(speakers.listener)
    found = []
    last = blocks.sentences[-LAST_SENTENCES:]
    for before, sentence in zip(["", *last], last, strict=False):
        asked = strip_leads(_without_preamble(sentence), names=names)
        if not asked.rstrip("\"')").endswith("?") or _STOCK_QUESTION.match(asked) or len(asked) > MAX_QUESTION:
            continue
        retold = capitalize(absolute(retell(asked, speakers=speakers), message.created_at))
        lead = strip_leads(before, names=names)
        is_lead = not is_talk(lead) and not points_back(lead) and not lead.endswith("?")
        told = absolute(retell(lead, speakers=speakers), message.created_at) if is_lead else ""
        found.append(AskedQuestion(retold, cut_to_clauses(told, limit=MAX_TOPIC)))
    return found


def _topic(sentences: Sequence[str], speakers: Speakers, said_at: datetime) -> str:
    """Return the sentence that tells most of what a message is about; '' for nothing."""
    told = [each for each in map(partial(strip_leads, names=()), sentences) if not is_talk(each)]
    best = max(told, key=lambda each: salience(each) - 2 * leans_back(each), default="")
    return topic_sentence(best, speakers, said_at)


def topic_sentence(sentence: str, speakers: Speakers, said_at: datetime) -> str:
    """Return a sentence in the few words that a topic may have."""
    said = strip_leads(sentence, names=nicknames(speakers.listener))
    return cut_to_clauses(absolute(retell(said, speakers=speakers), said_at), limit=MAX_TOPIC).rstrip(" ?.!")


def cut_to_clauses(text: str, *, limit: int) -> str:
    """Return the clauses of a text that fit, or the first one if it is little longer; else it ends before a phrase."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    ends = [found.start() for found in _CLAUSE.finditer(line, limit // 3, limit * 3 // 2)]
    fitting = [end for end in ends if end <= limit] or ends[:1]
    fitting = fitting or [found.start() for found in _PHRASE.finditer(line[: limit * 2], limit // 2)]
    fitting = [end for end in fitting if end <= limit] or fitting[:1]
    return _close(line[: fitting[-1]]) if fitting else excerpt(line, limit=limit)


def _close(cut: str) -> str:
    """Return what was cut off without the words and marks at its end that lead to more."""
    text = cut.rstrip(" ,;:–-")
    while (head := text.rpartition(" "))[2].lower() in _OPEN_WORDS and head[0]:
        text = head[0].rstrip(" ,;:–-")
    return text


def _without_preamble(sentence: str) -> str:
    """Return the question at the end of a long sentence."""
    if len(sentence) <= MAX_QUESTION or not (parts := list(_QUESTION_PART.finditer(sentence))):
        return sentence
    return sentence[parts[-1].end() :]


def absolute(text: str, said_at: datetime) -> str:
    """Return a text with its dates resolved, but for titles and what another has said, which stand in quotes."""
    quoted = _QUOTED.findall(text)
    resolved = resolve_dates(_QUOTED.sub(_PLACE_OF_QUOTE, text), said_on=said_at.date())
    for each in quoted:
        resolved = resolved.replace(_PLACE_OF_QUOTE, each, 1)
    return resolved
