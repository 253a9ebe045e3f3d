"""Vectors of messages, each made of what was said and of the message before it."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery, TextField, Value
from django.db.models.functions import Coalesce

from conversations.models import Message, MessageEmbedding
from llm.embedding.table_registry import EmbeddedTable
from workspaces.settings.workspace_settings import MemorySettings


def _text(message: Any) -> str:
    return f"{message.name}: {message.content}\n{message.before}".removeprefix(": ").strip()


def _annotate_previous(messages: QuerySet[Any]) -> QuerySet[Any]:
    """Return a short answer means little alone, so each message is read with the one before it."""
    before = (
        Message.objects.filter(conversation=OuterRef("conversation"), session=OuterRef("session"))
        .filter(Q(created_at__lt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), id__lt=OuterRef("id")))
        .newest_first()
        .values("content")[:1]
    )
    annotated: QuerySet[Any] = messages.annotate(before=Coalesce(Subquery(before), Value(""), output_field=TextField()))
    return annotated


def _is_wanted(settings: MemorySettings) -> bool:
    return settings.embed_messages


MESSAGE_VECTORS = EmbeddedTable(
    rows=Message,
    columns=("name", "content"),
    text=_text,
    annotated=_annotate_previous,
    vectors=MessageEmbedding,
    reference="message",
    is_wanted=_is_wanted,
)
