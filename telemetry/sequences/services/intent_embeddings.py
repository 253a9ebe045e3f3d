"""Vectors of intents, made of their summaries; sequences of one intent share one."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from llm.embedding.table_registry import EmbeddedTable, is_flagged
from telemetry.models import Intent, Sequence


def _text(intent: Intent) -> str:
    return intent.summary


def _pending(model: str) -> Q:
    """Return which intents wait: none that growing sequences have left behind, which are deleted later."""
    return is_flagged(model) & Q(Exists(Sequence.objects.filter(intent_id=OuterRef("id"))))


INTENT_VECTORS = EmbeddedTable(rows=Intent, columns=("summary",), text=_text, pending=_pending)
