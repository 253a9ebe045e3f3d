"""Questions and answers among messages that were found: an answer brings what it answers, a question its answer."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from conversations.models import Message, MessageRole
from conversations.search.services.message_search import COMPANION, RankedMessage, UnreadMessage
from core.clock import microseconds
from core.english.replies import closing_question, last_question, leans_on_question
from core.text.transcripts import strip_secrets

# What is read of a text's beginning and end to see whether it answers or asks.
READ = 600
# Of what is shown so much is looked through for secrets, of which the longest, a private key, has some 3,300.
READ_OF_SECRETS = 6_000
QUESTION_CHARACTERS = 100
# Why a question in short is in a context.
ASKED = "asked before what was found"
# What the answer to a question that was found is worth next to it: of a person, and of an assistant, which is long.
WORTH_OF_AN_ANSWER, WORTH_OF_ADVICE = 0.8, 0.5


@dataclass(frozen=True, slots=True)
class EarlierQuestion:
    """What a message before asks, in at most `QUESTION_CHARACTERS`; `confidence` is that of the message, where it was
    found itself."""

    message: Message
    text: str
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Said:
    """A message that was found, what it answers where it is not read without that, and the key of its conversation
    where that has to be named."""

    hit: RankedMessage
    question: EarlierQuestion | None = None
    conversation: str = ""

    @property
    def id(self) -> UUID:
        return self.hit.message.id

    @property
    def said(self) -> int:
        """When it was said, in microseconds since 1970."""
        return microseconds(self.hit.message.created_at)

    @property
    def session(self) -> int:
        return self.hit.session

    @property
    def place(self) -> int:
        return self.hit.place


Hit = RankedMessage | UnreadMessage
Read = Callable[[Collection[UUID]], Mapping[UUID, Message]]


def pair_exchanges(
    hits: Sequence[RankedMessage], unread: Sequence[UnreadMessage] = (), *, least: float, read: Read
) -> list[Said]:
    """Return the hits with the answers to those that ask, and with the questions that others cannot be read without.

    `read` reads neighbours by their ids; hits below `least` confidence have none. What was `unread` may be an answer.
    """
    probable = [hit for hit in hits if hit.confidence >= least]
    leaning = [hit for hit in probable if hit.before and leans_on_question(hit.message.content[:READ])]
    asking = [hit for hit in probable if hit.after and closing_question(_end(hit.message.content))]
    beside = {hit.before for hit in leaning if hit.before} | {hit.after for hit in asking if hit.after}
    if not beside:
        return [*map(Said, hits)]
    found: dict[UUID, Hit] = {each.id: each for each in unread if each.id in beside}
    found |= {hit.message.id: hit for hit in hits}
    messages = {hit.message.id: hit.message for hit in probable if hit.message.id in beside}
    missing = beside - messages.keys()
    messages |= read(missing) if missing else {}
    answers = {hit.after: _answer(hit, messages[hit.after], found) for hit in asking if hit.after in messages}
    every = [answers.pop(hit.message.id, hit) for hit in hits]
    questions = {
        hit.message.id: _question(messages[hit.before], hit.message, found) for hit in leaning if hit.before in messages
    }
    return [Said(hit, questions.get(hit.message.id)) for hit in (*every, *answers.values())]


def _answer(asking: RankedMessage, message: Message, found: Mapping[UUID, Hit]) -> RankedMessage:
    worth = WORTH_OF_AN_ANSWER if message.role == MessageRole.USER else WORTH_OF_ADVICE
    confidence = round(asking.confidence * worth, 4)
    hit = found.get(message.id)
    if isinstance(hit, RankedMessage):
        return replace(hit, message=message, confidence=max(hit.confidence, confidence))
    if hit:
        best = max(hit.confidence, confidence)
        return RankedMessage(message, hit.score, hit.reasons, best, hit.session, hit.place)
    return RankedMessage(
        message, asking.score, [COMPANION], confidence, asking.session, asking.place + 1, before=asking.message.id
    )


def _question(message: Message, reply: Message, found: Mapping[UUID, Hit]) -> EarlierQuestion | None:
    if (message.role, message.name) == (reply.role, reply.name):
        return None
    text = short_question(message)
    if not text:
        return None
    hit = found.get(message.id)
    return EarlierQuestion(message, text, hit.confidence if hit else 0.0)


def short_question(message: Message) -> str:
    """Return the last question of a message, without secrets and in at most `QUESTION_CHARACTERS`; '' for none."""
    return _cut_front(last_question(_end(strip_secrets(message.content[-READ_OF_SECRETS:]))) or "")


def _end(text: str) -> str:
    """Return the last lines of a text: half a line may hide what it holds."""
    if len(text) <= READ:
        return text
    cut = text[-READ:]
    return cut[cut.find("\n") + 1 :]


def _cut_front(text: str) -> str:
    """Return the end of a question, which names what is asked for."""
    if len(text) <= QUESTION_CHARACTERS:
        return text
    return text[-QUESTION_CHARACTERS:].partition(" ")[2] or text[-QUESTION_CHARACTERS:]
