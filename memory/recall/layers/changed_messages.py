"""Messages of the same user that change what was found, among those that a search gave next to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from conversations.models import Message, MessageRole
from conversations.search.services.index_reader import read_later
from conversations.search.services.message_search import RankedMessage, UnreadMessage
from core.clock import microseconds
from memory.recall.later_changes import NEAR, READ, LaterText, choose_answers, choose_changes
from memory.recall.layers.base import Recall
from workspaces.access.callers import Caller

# What speaks for such a message.
CHANGE = "change"
# Of a question that more messages bear on the changes are mostly among them, and there is no room.
MAX_FOUND = 12


def add_changes(
    recall: Recall, hits: list[RankedMessage], unread: list[UnreadMessage]
) -> tuple[list[RankedMessage], list[UnreadMessage]]:
    """Return what was found, with what changed since of that which answers the question. For the open scope."""
    vector = recall.vector()
    said = {hit.message.id: hit for hit in hits if hit.message.role == MessageRole.USER}
    answers = choose_answers((identity, hit.confidence) for identity, hit in said.items())
    found = sum(hit.confidence >= recall.settings.min_confidence for hit in hits)
    if vector is None or not answers or found > MAX_FOUND or recall.shape.is_of_topic:
        return hits, unread
    first = min(said[each].message.created_at for each in answers)
    later = [identity for identity, hit in said.items() if hit.message.created_at > first]
    later += [each.id for each in unread if each.said > microseconds(first)]
    if not later:
        return hits, unread
    rows = read_later(caller=recall.caller, answers=answers, later=later, vector=vector, near=NEAR, characters=READ)
    texts = {each: (said[each].message.content[:READ], said[each].confidence) for each in answers}
    changes = choose_changes(recall.query, texts, [LaterText(*row) for row in rows])
    changes = {each: worth for each, worth in changes.items() if each not in said or said[each].confidence < worth}
    return _raise_changes(recall.caller, changes, hits, unread)


def _raise_changes(
    caller: Caller, changes: Mapping[UUID, float], hits: list[RankedMessage], unread: list[UnreadMessage]
) -> tuple[list[RankedMessage], list[UnreadMessage]]:
    if not changes:
        return hits, unread
    raised = [
        replace(hit, confidence=changes[hit.message.id], reasons=[CHANGE]) if hit.message.id in changes else hit
        for hit in hits
    ]
    found = [each for each in unread if each.id in changes]
    messages = Message.objects.of(caller).in_bulk([each.id for each in found]) if found else {}
    read = [
        RankedMessage(messages[each.id], each.score, [CHANGE], changes[each.id], each.session, each.place)
        for each in found
        if each.id in messages
    ]
    return [*raised, *read], [each for each in unread if each.id not in messages]
