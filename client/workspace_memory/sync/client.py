"""The entry: one workspace's memory."""

from __future__ import annotations

from types import TracebackType
from typing import Self, Unpack

import httpx

from workspace_memory.errors import WorkspaceNotNamedError
from workspace_memory.models import Context, Found, Hit, Mode, Readiness, Ready, StoredMemory, Workspace
from workspace_memory.shapes import ContextFields, Filters, MemoryFields
from workspace_memory.sync.resources import (
    Actions,
    Conversations,
    Memories,
    Runs,
    Settings,
    User,
)
from workspace_memory.sync.server_slots import ServerSlots
from workspace_memory.sync.session import Session
from workspace_memory.sync.transfers import Transfers
from workspace_memory.sync.transport import Transport, read_page
from workspace_memory.wire import SECONDS, Address, Retries, body_of, given


class Memory:
    """The memory of one workspace. What is not given is read from WSM_URL, WSM_KEY and WSM_WORKSPACE.

    The workspace is that of the key, unless it is named. `timeout` is in seconds, for each attempt. Every method raises
    ApiError for a refusal, NoAnswerError without an answer and UnexpectedAnswerError for an answer of another server.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        workspace: str | None = None,
        *,
        timeout: float = SECONDS,
        retries: Retries | None = None,
        http: httpx.BaseTransport | None = None,
    ) -> None:
        address = Address.given(url=url, key=key, workspace=workspace)
        self._transport = Transport(address, seconds=timeout, retries=retries or Retries(), http=http)
        self.memories = Memories(self._transport)
        self.runs = Runs(self._transport)
        self.actions = Actions(self._transport)
        self.conversations = Conversations(self._transport)
        self.settings = Settings(self._transport)
        self.slots = ServerSlots(self._transport)
        self.transfers = Transfers(self._transport)

    def session(self, key: str) -> Session:
        """A conversation under a key of your choice. Nothing is sent until it is used."""
        return Session(self._transport, key)

    def user(self, name: str) -> User:
        """What is kept about a user, under your own name for them. Nothing is sent until it is used."""
        return User(self._transport, name)

    def write(self, content: str, **fields: Unpack[MemoryFields]) -> StoredMemory:
        """Remember a text; the same as `memories.remember`."""
        return self.memories.remember(content, **fields)

    def search(self, query: str, *, limit: int = 10, mode: Mode = "hybrid", **filters: Unpack[Filters]) -> Found[Hit]:
        """Search by words and by meaning; the same as `memories.search`."""
        return self.memories.search(query, limit=limit, mode=mode, **filters)

    def context(self, query: str, **fields: Unpack[ContextFields]) -> Context:
        """What an agent should know before it acts, never over the token budget, facts excepted."""
        body = body_of(given(query=query, **fields))
        return self._transport.ask(Context, "POST", "context", body)

    def workspace(self) -> Workspace:
        """The workspace that this is the memory of. Raises WorkspaceNotNamedError where the key does not open it."""
        here = self._transport.workspace()
        found = read_page(Workspace, self._transport.send("GET", "/v1/workspaces")).results
        for workspace in found:
            if workspace.id == here:
                return workspace
        raise WorkspaceNotNamedError(f"The key does not open the workspace {here}.")

    def readiness(self) -> dict[str, Readiness]:
        """What the server leans on, by name. Raises ServerError when it cannot serve at all."""
        return (self._transport.ask(Ready, "GET", "/readyz")).checks

    def close(self) -> None:
        """Let the connections go; `with` does it."""
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
