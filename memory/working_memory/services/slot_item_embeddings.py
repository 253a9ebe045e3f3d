"""Vectors of slot items in the semantic tier, made of their texts."""

from __future__ import annotations

from django.db.models import Q

from llm.embedding.table_registry import EmbeddedTable
from memory.models import SlotItem, SlotTier


def _text(item: SlotItem) -> str:
    return item.text


def _is_semantic() -> Q:
    return Q(slot__tier=SlotTier.SEMANTIC)


def _pending(model: str) -> Q:
    return _is_semantic() & ~Q(model=model)


SLOT_VECTORS = EmbeddedTable(rows=SlotItem, columns=("text",), text=_text, pending=_pending, eligible=_is_semantic)
