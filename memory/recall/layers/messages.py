"""Layer of what was said before and bears on the query, in whatever conversation the call reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from conversations.messages.selectors import newest_message_ids
from conversations.models import Message
from conversations.search.services.message_search import COMPANION, RankedMessage, search_messages
from core.english.standing_instructions import Guidance
from memory.recall.budget import Item
from memory.recall.layers.base import Layer, Recall
from memory.recall.prompt_format import MENTION_CHARACTERS, MESSAGE_CHARACTERS, message_lines, speaker_name
from memory.recall.provenance import Provenance, SourceClass, message_provenance
from memory.recall.selection import comparable

MESSAGES_HEADING = "Said earlier, in passages:"
# Messages of the named conversation that the caller of a context has anyway.
RECENT_MESSAGES = 20
# Messages of a session that are this many places apart, or fewer, belong to one passage.
PASSAGE_GAP = 2
BESIDE = "said next to what was found"


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

        def search() -> Sequence[RankedMessage]:
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
                return [hit for hit in new if until is None or hit.message.created_at <= until]

        characters = MENTION_CHARACTERS if recall.shape.is_of_topic else MESSAGE_CHARACTERS
        return message_items(recall.run(self.name, search), characters=characters)


def message_items(hits: Sequence[RankedMessage], *, characters: int = MESSAGE_CHARACTERS) -> list[Item]:
    """Return the messages in passages, these in the order of time; at most `characters` of each."""
    passages = sorted(_passages(hits), key=lambda passage: (passage[0].message.created_at, passage[0].message.id))
    return [item for passage in passages for item in _items(passage, characters)]


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


def _items(passage: Sequence[RankedMessage], characters: int) -> Iterator[Item]:
    by = [_provenance(hit.message) for hit in passage]
    for hit, provenance in zip(passage, by, strict=True):
        opening, line = message_lines(
            hit.message,
            provenance,
            is_of_one=len(set(map(str, by))) == 1,
            characters=characters,
        )
        yield Item(
            str(hit.message.id),
            line,
            _reason(hit.reasons),
            hit.confidence,
            source=SourceClass.MESSAGE,
            author=speaker_name(hit.message) or hit.message.role,
            confidence=hit.confidence,
            opening=opening,
            passage=str(passage[0].message.id),
            words=comparable(hit.message.content[:MESSAGE_CHARACTERS]),
            provenance=str(provenance),
            place=hit.place,
        )


def _provenance(message: Message) -> Provenance:
    return message_provenance(appended_by=message.appended_by, appended_by_kind=message.appended_by_kind)


def _reason(reasons: Sequence[str]) -> str:
    if list(reasons) == [COMPANION]:
        return BESIDE
    if reasons and reasons[0] in set(Guidance):
        return f"{reasons[0]} that may apply"
    return f"found by {' and '.join(reasons[:2])}"
