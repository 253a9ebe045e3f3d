"""Why contexts held what they held, and what waits for the judgement of people."""

from __future__ import annotations

from collections.abc import AsyncIterator

from typing_extensions import Unpack

from workspace_memory.aio.transport import AsyncTransport
from workspace_memory.receipt_models import Receipt, ReceiptRow, Reproduction, Rerun
from workspace_memory.request_fields import DecisionFields, ReceiptFilters, RerunFields
from workspace_memory.review_models import ReviewItem, Verdict
from workspace_memory.wire import asked, body_of, given, quoted


class AsyncReceipts:
    """The contexts that agents were given; `memory.receipts`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, *, limit: int | None = None, **filters: Unpack[ReceiptFilters]) -> AsyncIterator[ReceiptRow]:
        """Contexts, newest first: those that held the `memory`, of a `conversation`, or for an `agent`."""
        return self._transport.each(ReceiptRow, "receipts", asked(**filters), limit)

    async def get(self, id: str) -> Receipt:
        """Why a context held what it held; `context(…).receipt_id` names it."""
        return await self._transport.ask(Receipt, "GET", f"receipts/{quoted(id)}")

    async def rerun(self, id: str, **fields: Unpack[RerunFields]) -> Rerun:
        """What the context would be now, with another question, budget, search or time, or without some of it."""
        return await self._transport.ask(Rerun, "POST", f"receipts/{quoted(id)}/rerun", body_of({**fields}))

    async def reproduce(self, id: str) -> Reproduction:
        """The text of a context as it was given, written again from what is kept of that time."""
        return await self._transport.ask(Reproduction, "POST", f"receipts/{quoted(id)}/reproduce")


class AsyncReview:
    """What needs a person, kind by kind; `memory.review`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, *, kind: str | None = None, limit: int | None = None) -> AsyncIterator[ReviewItem]:
        """Items, what waits by policy first; each names the `verdicts` that it takes."""
        return self._transport.each(ReviewItem, "review", asked(**given(kind=kind)), limit)

    async def decide(self, id: str, *, kind: str, verdict: str, **fields: Unpack[DecisionFields]) -> Verdict:
        """Give a verdict about an item; needs the scope `facts`. What waits by policy is decided by people alone."""
        body = body_of({"kind": kind, "verdict": verdict, **fields})
        return await self._transport.ask(Verdict, "POST", f"review/{quoted(id)}/decide", body)

    async def undo(self, verdict_id: str) -> Verdict:
        """Take a verdict back; the item waits again."""
        return await self._transport.ask(Verdict, "POST", f"review/verdicts/{quoted(verdict_id)}/undo")
