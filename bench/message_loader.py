"""Filling a workspace with messages that have their vectors and are in the word index."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice

from bench.corpus import Text, World
from bench.memory_loader import without_vector_index
from conversations.indexing.services.index_writer import index_messages, index_pending
from conversations.models import Conversation, Message, MessageEmbedding, MessageWords, WordBlock, WordBucket
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

OF_A_CONVERSATION, OF_A_SESSION = 500, 20
BEGAN = datetime(2024, 1, 1, tzinfo=UTC)
NAMES = ("Ann", "Ben", "Cleo")


def fill_messages(world: World, caller: Caller, *, count: int, model: str) -> None:
    """Store the messages that are missing to `count`; a workspace that has them stays as it is."""
    with workspace_scope(caller):
        mine = Message.objects.filter(workspace_id=caller.workspace_id)
        there = mine.filter(conversation__key__startswith="c-").count()
    if there < count:
        with without_vector_index(MessageEmbedding, beside=(Message, MessageWords, WordBlock, WordBucket)):
            _load(world, caller, there=there, count=count, model=model)


def _load(world: World, caller: Caller, *, there: int, count: int, model: str) -> None:
    """Store messages until there are `count`, in conversations `c-0`, `c-1`, …, and make the blocks of their index."""
    texts = islice(enumerate(world.texts(seed=count, count=count)), there, None)
    while batch := list(islice(texts, OF_A_CONVERSATION)):
        with workspace_scope(caller):
            _insert(caller, batch, model)
        print(f"\rloaded {batch[-1][0] + 1:,} of {count:,} messages", end="", flush=True)
    print(f"\n{index_pending(workspace_id=caller.workspace_id)} blocks made")


def _insert(caller: Caller, batch: Sequence[tuple[int, Text]], model: str) -> None:
    number = batch[0][0] // OF_A_CONVERSATION
    conversation = Conversation.objects.create(workspace_id=caller.workspace_id, key=f"c-{number}")
    messages = [
        Message(
            workspace_id=caller.workspace_id,
            conversation=conversation,
            role="user",
            name=NAMES[place % len(NAMES)],
            content=" ".join(text.words),
            session=f"s-{place // OF_A_SESSION}",
            created_at=BEGAN + timedelta(hours=place // OF_A_SESSION, seconds=place),
            needs_embedding=False,
        )
        for place, text in batch
    ]
    Message.objects.bulk_create(messages)
    index_messages(messages)
    MessageEmbedding.objects.bulk_create(
        MessageEmbedding(
            workspace_id=caller.workspace_id,
            message=message,
            model=model,
            dimensions=len(text.vector),
            vector=text.vector,
        )
        for message, (_, text) in zip(messages, batch, strict=True)
    )
