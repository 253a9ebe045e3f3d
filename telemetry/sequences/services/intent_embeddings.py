"""Vectors of intents, made of their summaries; sequences of one intent share one."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from llm.embedding.table_registry import EmbeddedTable, is_flagged
from telemetry.models import Intent, Sequence


def _text(intent: Intent) -> str:
    return intent.summary


def _is_in_use() -> Q:
    """Return which intents have vectors: none that growing sequences have left behind, which are deleted later."""
    return Q(Exists(Sequence.objects.filter(intent_id=OuterRef("id"))))


def _pending(model: str) -> Q:
    return is_flagged(model) & _is_in_use()


INTENT_VECTORS = EmbeddedTable(rows=Intent, columns=("summary",), text=_text, pending=_pending, eligible=_is_in_use)
