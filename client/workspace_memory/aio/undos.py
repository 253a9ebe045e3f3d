"""Undoing what was written, with a preview, and undoing that again."""

from __future__ import annotations

import asyncio
from datetime import datetime, timezone

from workspace_memory.aio.transport import AsyncTransport, read_page
from workspace_memory.models import Page
from workspace_memory.undo_models import Undo, UndoLine
from workspace_memory.wire import quoted

PAUSE = 0.5


class AsyncUndos:
    """Undos; of an import or an agent with the scope `admin`, of a run of the same key with `write`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def start(
        self,
        *,
        run: str = "",
        import_id: str = "",
        agent: str = "",
        since: datetime | None = None,
        until: datetime | None = None,
        every_space: bool = False,
        dry_run: bool = False,
    ) -> Undo:
        """Take back what a run, an import, or an agent since a time has written; with `dry_run` only say what would go.

        What others have touched since stays, and the answer's `rows` say why. A large undo is still `applying`: `wait`
        for it. A time without a zone is taken for UTC.
        """
        given = {"run": run, "import": import_id, "agent": agent}
        body: dict[str, object] = {name: value for name, value in given.items() if value}
        times = {"since": since, "until": until}
        body |= {name: _stated(at) for name, at in times.items() if at is not None}
        if every_space:
            body["every_space"] = True
        query = {"dry_run": "true"} if dry_run else {}
        return await self._transport.ask(Undo, "POST", "undo", body, query)

    async def get(self, id: str) -> Undo:
        """How far an undo is, and what became of its things."""
        return await self._transport.ask(Undo, "GET", f"undo/{quoted(id)}")

    async def list(self) -> Page[UndoLine]:
        """The latest undos."""
        return read_page(UndoLine, await self._transport.send("GET", "undo"))

    async def revert(self, id: str) -> Undo:
        """Undo an undo: return what it took back, but for what was changed since."""
        return await self._transport.ask(Undo, "POST", f"undo/{quoted(id)}/revert")

    async def wait(self, id: str) -> Undo:
        """The undo once it, or its reversal, is over."""
        while (found := await self.get(id)).status in {"applying", "reverting"}:
            await asyncio.sleep(PAUSE)
        return found


def _stated(at: datetime) -> str:
    return (at if at.tzinfo else at.replace(tzinfo=timezone.utc)).isoformat()
