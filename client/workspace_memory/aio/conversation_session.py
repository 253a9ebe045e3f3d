"""One conversation under a key of the caller's choice; the first message creates it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from typing_extensions import Unpack

from workspace_memory.aio.plans import AsyncIterations, AsyncPlans
from workspace_memory.aio.transport import AsyncTransport, read_each, read_found
from workspace_memory.deprecated_names import takes_most
from workspace_memory.errors import NotFoundError
from workspace_memory.models import EndedConversation, Episode, Found, Hit, Message, Mode, Role, StoredMemory
from workspace_memory.plan_models import TaskSummary
from workspace_memory.request_fields import Filters, MemoryFields, MessageFields
from workspace_memory.window_models import Consolidation, Passage, Window
from workspace_memory.wire import asked, body_of, given, quoted


class AsyncHistory:
    """What was said in a session."""

    def __init__(self, transport: AsyncTransport, path: str) -> None:
        self._transport = transport
        self._path = f"{path}/messages"

    async def append(self, role: Role, content: str, **fields: Unpack[MessageFields]) -> Message:
        """Append one message."""
        body = body_of(given(role=role, content=content, **fields))
        return await self._transport.ask(Message, "POST", self._path, body)

    async def extend(self, messages: Sequence[dict[str, Any]]) -> list[Message]:
        """Append up to 1,000 messages, each with `role`, `content` and what else `append` takes."""
        value = await self._transport.send("POST", self._path, {"messages": [body_of(one) for one in messages]})
        return read_each(Message, value, under="messages")

    async def last(self, n: int = 20) -> list[Message]:
        """The newest `n` messages (1 to 200), oldest first; none of a session in which nothing was said yet."""
        try:
            value = await self._transport.send("GET", self._path, query={"last": str(n)})
        except NotFoundError:
            if not await self._transport.opens_workspace():
                raise
            return []
        return read_each(Message, value)


class AsyncSession:
    """A conversation, by its key or id."""

    def __init__(self, transport: AsyncTransport, key: str) -> None:
        self.key = key
        self._transport = transport
        self._path = f"conversations/{quoted(key)}"
        self._memories = f"{self._path}/memories"
        self.history = AsyncHistory(transport, self._path)
        self.plan = AsyncPlans(transport, self._path)

    def iterations(self, task_key: str) -> AsyncIterations:
        """The attempts at one of its tasks. Nothing is sent until it is used."""
        return AsyncIterations(self._transport, self._path, task_key)

    @takes_most
    def tasks(self, *, limit: int | None = None) -> AsyncIterator[TaskSummary]:
        """Its tasks that have attempts, the one that was tried last first."""
        return self._transport.each(TaskSummary, f"{self._path}/iterations", {}, limit)

    async def write(self, content: str, **fields: Unpack[MemoryFields]) -> StoredMemory:
        """Remember a text for this session alone; the first one of a new key begins it, as a message does.

        `search` and contexts of this conversation find it, and nothing else does; it goes when the session ends or is
        deleted. The same text again answers the memory of this session that is there.
        """
        return await self._transport.ask(StoredMemory, "POST", self._memories, body_of({"content": content, **fields}))

    async def search(
        self, query: str, *, limit: int = 5, mode: Mode = "hybrid", **filters: Unpack[Filters]
    ) -> Found[Hit]:
        """Search what was written for this session; nothing where it has not begun."""
        body = {"query": query, "limit": limit, "mode": mode, "filters": body_of({**filters})}
        try:
            return read_found(Hit, await self._transport.send("POST", f"{self._memories}/search", body))
        except NotFoundError:
            if not await self._transport.opens_workspace():
                raise
            return Found((), "keyword", 0.0)

    @takes_most
    def memories(self, *, limit: int | None = None) -> AsyncIterator[StoredMemory]:
        """What was written for this session, newest first."""
        return self._transport.each(StoredMemory, self._memories, {}, limit)

    async def promote(self, id: str) -> StoredMemory:
        """Lift what was written for this session out of it: a fact that all find says it. Needs the scope `facts`."""
        return await self._transport.ask(StoredMemory, "POST", f"{self._memories}/{quoted(id)}/promote")

    async def forget(self, id: str) -> StoredMemory:
        """Take what was written for this session out of every recall."""
        return await self._transport.ask(StoredMemory, "DELETE", f"{self._memories}/{quoted(id)}")

    @takes_most
    def episodes(self, *, limit: int | None = None) -> AsyncIterator[Episode]:
        """The summaries of older messages, newest first."""
        return self._transport.each(Episode, f"{self._path}/episodes", {}, limit)

    async def window(self, *, last: int | None = None, token_budget: int | None = None) -> Window:
        """What an agent that goes on with this session should be given of it.

        Either `text` (summaries) and `messages`, the `last` ones; or `observations`, what older messages were
        compressed into, and `raw`, the messages that these do not stand for, both within `token_budget`.
        """
        query = asked(last=last, token_budget=token_budget)
        return await self._transport.ask(Window, "GET", f"{self._path}/window", query=query)

    async def recall(self, query: str, *, limit: int | None = None) -> Found[Passage]:
        """The messages of this session that are nearest to a query, each with what was said right before and after it.

        Without `limit` it is the workspace's setting `memory.recall_top_k`.
        """
        body = given(query=query, top_k=limit)
        return read_found(Passage, await self._transport.send("POST", f"{self._path}/recall", body))

    async def consolidate(self, *, retain_last: int | None = None, max_age_days: int | None = None) -> Consolidation:
        """Turn older messages into episodes; with `finished` False the server goes on in the background.

        The newest `retain_last` messages and those younger than `max_age_days` stay; by default as the workspace's
        settings say.
        """
        body = given(retain_last=retain_last, max_age_days=max_age_days)
        return await self._transport.ask(Consolidation, "POST", f"{self._path}/consolidate", body)

    async def end(self, *, extract: bool = False) -> EndedConversation | None:
        """End it: facts and preferences are looked for in the background; the history stays readable. What was written
        for the session alone is gone.

        With `extract` also in what was passed over because it ended while memory was off. The answer's `reason` and
        `detail` say why nothing is looked for. None for a session in which nothing was said yet: there is nothing to
        end.
        """
        body = {"extract": True} if extract else None
        try:
            return await self._transport.ask(EndedConversation, "POST", f"{self._path}/end", body)
        except NotFoundError:
            if not await self._transport.opens_workspace():
                raise
            return None

    async def delete(self) -> None:
        """Delete it with its messages, episodes, plan, iteration logs, working set and what was written for it. This
        cannot be undone.
        """
        await self._transport.remove(self._path)
