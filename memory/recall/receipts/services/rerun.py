"""Assembling the context of a receipt again, with something changed, and what that makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.errors import FieldProblem, InvalidError
from core.ids import parse_id
from memory.memories.selectors import Moments
from memory.models import ContextReceipt
from memory.recall.layers.base import ContextRequest
from memory.recall.receipts.selectors import find_question
from memory.recall.services.context import Context, preview_context
from workspaces.access.callers import Caller, Right

QUESTION_NEEDED = "This receipt does not keep its question. Name one."


@dataclass(frozen=True, slots=True)
class RerunRequest:
    """What is asked otherwise than it was; '' and None leave it as it was. `token_budget` is in tokens, `mode` hybrid,
    keyword or semantic, `without` ids of items that stay out."""

    query: str = ""
    token_budget: int | None = None
    mode: str = "hybrid"
    as_of: datetime | None = None
    known_at: datetime | None = None
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rerun:
    """A context as it would be, next to the one of the receipt: ids that came in, that went out, and that stayed."""

    query: str
    context: Context
    added: Sequence[str]
    removed: Sequence[str]
    kept: Sequence[str]


def rerun_context(*, caller: Caller, receipt: ContextReceipt, wanted: RerunRequest) -> Rerun:
    """Return the context of a receipt as it would be now, with what is asked otherwise.

    It reads the spaces that the receipt's call read. It leaves no receipt, gives no warning and counts no citation.
    Raises MissingScopeError without `read`, InvalidError where neither the receipt nor its conversation has the
    question and none is named.
    """
    caller.require(Right.READ)
    query = wanted.query or find_question(caller, receipt)
    if not query:
        raise InvalidError(problems=(FieldProblem("query", "required", QUESTION_NEEDED),))
    reader = caller if caller.reach.every else caller.reading(receipt.read_spaces)
    context = preview_context(caller=reader, wanted=_build_request(receipt, wanted, query))
    before = list(dict.fromkeys(str(item["id"]) for item in receipt.chosen))
    after = list(dict.fromkeys(item.id for block in context.assembled.blocks for item in block.items))
    known, now = set(before), set(after)
    return Rerun(
        query,
        context,
        added=[each for each in after if each not in known],
        removed=[each for each in before if each not in now],
        kept=[each for each in before if each in now],
    )


def _build_request(receipt: ContextReceipt, wanted: RerunRequest, query: str) -> ContextRequest:
    asked: Mapping[str, Any] = receipt.asked if isinstance(receipt.asked, dict) else {}  # an import may bring anything
    named = asked.get("node_ids")
    return ContextRequest(
        query,
        conversation=receipt.conversation,
        node_ids=[identity for each in named if (identity := parse_id(each))] if isinstance(named, list) else [],
        token_budget=wanted.token_budget or receipt.token_budget,
        user=str(asked.get("user") or ""),
        moments=Moments(
            wanted.as_of or _parse_moment(asked.get("as_of")), wanted.known_at or _parse_moment(asked.get("known_at"))
        ),
        mode=wanted.mode,
        without=wanted.without,
    )


def _parse_moment(stored: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(stored)) if stored else None
    except ValueError:
        return None
    return found if found and found.tzinfo else None
