"""Layer of what was said earlier in the conversation and bears on the query."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from conversations.models import Message
from conversations.search.services.passages import Passage, recall_messages
from memory.recall.budget import Item
from memory.recall.layers.base import Layer, Recall
from memory.recall.prompt_format import message_line
from memory.recall.provenance import SourceClass

MESSAGES_HEADING = "Said earlier in this conversation:"
# Messages that the caller of a context has anyway.
RECENT_MESSAGES = 20
BESIDE = "said next to what was found"


class MessagesLayer(Layer):
    """Passages of this conversation from before the messages that the caller has anyway."""

    name = "messages"
    heading = MESSAGES_HEADING
    urgency = 2
    share = 0.3

    def gather(self, recall: Recall) -> Sequence[Item]:
        if not (recall.recalls_messages and recall.conversation):
            return []
        recall.vector()  # made before the transaction begins

        def search() -> Sequence[Passage]:
            with recall.scope():
                return recall_messages(
                    caller=recall.caller,
                    conversation=recall.request.conversation,
                    query=recall.request.query,
                    beyond_last=RECENT_MESSAGES,
                    embedding=recall.embedding,
                ).passages

        return message_items(recall.run(self.name, search))


def message_items(passages: Sequence[Passage]) -> list[Item]:
    """Each message once, in the order of time. What was said around a found one counts half as much as it."""
    found = {passage.hit.message.id: passage for passage in passages}
    items: dict[UUID, tuple[Message, Item]] = {}
    for passage in passages:
        for message in (*passage.before, passage.hit.message, *passage.after):
            itself = found.get(message.id)
            score = itself.hit.score if itself else passage.hit.score / 2
            reason = f"found by {' and '.join(itself.hit.reasons[:2])}" if itself else BESIDE
            line = message_line(message)
            item = Item(
                str(message.id), line, reason, score, source=SourceClass.MESSAGE, author=message.name or message.role
            )
            items.setdefault(message.id, (message, item))
    in_order = sorted(items.values(), key=lambda pair: (pair[0].created_at, pair[0].id))
    return [item for _, item in in_order]
