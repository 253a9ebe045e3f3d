"""Layer of what was said before and bears on the query, in whatever conversation the call reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from uuid import UUID

from conversations.messages.selectors import newest_message_ids
from conversations.models import Conversation, Message, MessageRole
from conversations.search.services.message_search import COMPANION, RankedMessage, search_messages
from core.english.standing_instructions import Guidance
from memory.recall.budget import Item
from memory.recall.exchanges import Question, pair_exchanges
from memory.recall.layers.base import Layer, Recall
from memory.recall.prompt_format import (
    MENTION_CHARACTERS,
    MESSAGE_CHARACTERS,
    message_lines,
    question_lines,
    speaker_name,
)
from memory.recall.provenance import Provenance, SourceClass, message_provenance
from memory.recall.selection import comparable

MESSAGES_HEADING = "Said earlier, in passages:"
# Messages of the named conversation that the caller of a context has anyway.
RECENT_MESSAGES = 20
# Messages of a session that are this many places apart, or fewer, belong to one passage.
PASSAGE_GAP = 2
BESIDE = "said next to what was found"
ASKED = "asked before what was found"


class MessagesLayer(Layer):
    """Passages of what was said, less the messages that the caller has anyway.

    A message is a record of its day, which its line names: one that says what is no longer true stays.
    """

    name = "messages"
    heading = MESSAGES_HEADING

    def gather(self, recall: Recall) -> Sequence[Item]:
        where, home = recall.settings.recall_messages, recall.conversation
        if where == "off" or (where == "conversation" and home is None):
            return []
        recall.vector()  # made before the transaction begins
        wanted, until = recall.max_texts, recall.request.moments.until

        def search() -> Sequence[Passages]:
            with recall.scope():
                found = search_messages(
                    caller=recall.caller,
                    query=recall.request.query,
                    limit=wanted + (RECENT_MESSAGES if home else 0),
                    conversation=str(home) if where == "conversation" else None,
                    embedding=recall.embedding,
                    for_context=True,
                ).hits
                known = newest_message_ids(recall.caller, home, RECENT_MESSAGES) if home else frozenset()
                new = [hit for hit in found if hit.message.id not in known]
                hits = [hit for hit in new if until is None or hit.message.created_at <= until]
                return [_read_passages(recall, hits, known)]

        characters = MENTION_CHARACTERS if recall.shape.is_of_topic else MESSAGE_CHARACTERS
        return [item for found in recall.run(self.name, search) for item in message_items(found, characters=characters)]


@dataclass(frozen=True, slots=True)
class Passages:
    """Messages that were found, the questions of those that lean on one, and the keys of conversations that have to be
    named, by their ids."""

    hits: Sequence[RankedMessage]
    questions: Mapping[UUID, Question] = field(default_factory=dict)
    keys: Mapping[UUID, str] = field(default_factory=dict)


def _read_passages(recall: Recall, hits: Sequence[RankedMessage], known: Collection[UUID]) -> Passages:
    """Return hits with the neighbours that they are read with, less what the caller has. For the open scope."""
    until, least = recall.request.moments.until, recall.settings.min_confidence

    def read(ids: Collection[UUID]) -> Mapping[UUID, Message]:
        messages = Message.objects.of(recall.caller).in_bulk([each for each in ids if each not in known])
        return {each: said for each, said in messages.items() if until is None or said.created_at <= until}

    every, questions = pair_exchanges(hits, least=least, read=read)
    probable = [hit.message for hit in every if hit.confidence >= least]
    unclear = conversations_of_namesakes(probable)
    named = Conversation.objects.of(recall.caller).filter(id__in=unclear) if unclear else Conversation.objects.none()
    return Passages(every, questions, dict(named.values_list("id", "key")))


def conversations_of_namesakes(messages: Sequence[Message]) -> set[UUID]:
    """Return the conversations of these messages, where two of them may have different speakers of one name.

    A name that speaks among the same other users everywhere is taken to be one person's.
    """
    speakers: defaultdict[UUID, set[str]] = defaultdict(set)
    for message in messages:
        if message.role == MessageRole.USER and (name := speaker_name(message)):
            speakers[message.conversation_id].add(name.casefold())
    company: defaultdict[str, set[frozenset[str]]] = defaultdict(set)
    for names in speakers.values():
        for name in names:
            company[name].add(frozenset(names))
    is_unclear = any(len(groups) > 1 for groups in company.values())
    return {message.conversation_id for message in messages} if is_unclear else set()


def message_items(found: Passages, *, characters: int = MESSAGE_CHARACTERS) -> list[Item]:
    """Return the messages in passages, these in the order of time; at most `characters` of each."""
    passages = sorted(_passages(found.hits), key=lambda passage: (passage[0].message.created_at, passage[0].message.id))
    return [item for passage in passages for item in _items(passage, found, characters)]


def _passages(hits: Sequence[RankedMessage]) -> Iterator[list[RankedMessage]]:
    in_order = sorted({hit.message.id: hit for hit in hits}.values(), key=lambda hit: (hit.session, hit.place))
    for _, session in groupby(in_order, key=lambda hit: hit.session):
        passage: list[RankedMessage] = []
        for hit in session:
            if passage and hit.place - passage[-1].place > PASSAGE_GAP:
                yield passage
                passage = []
            passage.append(hit)
        yield passage


def _items(passage: Sequence[RankedMessage], found: Passages, characters: int) -> Iterator[Item]:
    asked = [found.questions[hit.message.id].message for hit in passage if hit.message.id in found.questions]
    by = {str(_provenance(message)) for message in (*(hit.message for hit in passage), *asked)}
    for hit in passage:
        key = found.keys.get(hit.message.conversation_id, "")
        opening, line = message_lines(
            hit.message,
            _provenance(hit.message),
            is_of_one=len(by) == 1,
            characters=characters,
            conversation=key,
        )
        item = _item(
            hit.message,
            (opening, line),
            reason=_reason(hit.reasons),
            confidence=hit.confidence,
            passage=passage,
            place=hit.place,
        )
        if question := found.questions.get(hit.message.id):
            lines = question_lines(
                question.message,
                question.text,
                _provenance(question.message),
                is_of_one=len(by) == 1,
                conversation=key,
            )
            asked = _item(
                question.message,
                lines,
                reason=ASKED,
                confidence=question.confidence,
                passage=passage,
                place=hit.place - 1,
            )
            item = replace(item, asked=asked)
        yield item


def _item(
    message: Message,
    lines: tuple[str, str],
    *,
    reason: str,
    confidence: float,
    passage: Sequence[RankedMessage],
    place: int,
) -> Item:
    opening, line = lines
    return Item(
        str(message.id),
        line,
        reason,
        confidence,
        source=SourceClass.MESSAGE,
        author=speaker_name(message) or message.role,
        confidence=confidence,
        opening=opening,
        passage=str(passage[0].message.id),
        words=comparable(message.content[:MESSAGE_CHARACTERS]),
        provenance=str(_provenance(message)),
        place=place,
    )


def _provenance(message: Message) -> Provenance:
    return message_provenance(appended_by=message.appended_by, appended_by_kind=message.appended_by_kind)


def _reason(reasons: Sequence[str]) -> str:
    if list(reasons) == [COMPANION]:
        return BESIDE
    if reasons and reasons[0] in set(Guidance):
        return f"{reasons[0]} that may apply"
    return f"found by {' and '.join(reasons[:2])}"
