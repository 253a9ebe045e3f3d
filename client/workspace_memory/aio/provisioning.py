"""Workspaces that an operator makes by script, and which those are."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from types import TracebackType

import httpx
from typing_extensions import Self

from workspace_memory.admin_models import NewWorkspace
from workspace_memory.aio.transport import AsyncTransport
from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.models import Workspace
from workspace_memory.wire import SECONDS, Address, Retries, body_of, given

OPERATOR_KEY = "WSM_OPERATOR_KEY"


class AsyncOperator:
    """Who runs the server, with a key of `manage.py make_operator_key`: it makes workspaces and opens none of them.

    Address and key are those of WSM_URL and WSM_OPERATOR_KEY, unless they are given. Every method raises ApiError for a
    refusal, NoAnswerError without an answer and UnexpectedAnswerError for an answer of another server.
    """

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        *,
        timeout: float = SECONDS,
        retries: Retries | None = None,
        http: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        key = key or os.environ.get(OPERATOR_KEY) or ""
        if not key.strip():
            raise WorkspaceMemoryError(f"An operator's key is needed; give it, or set {OPERATOR_KEY}.")
        address = Address.given(url=url, key=key, workspace=None)
        self._transport = AsyncTransport(address, seconds=timeout, retries=retries or Retries(), http=http)

    async def create_workspace(self, name: str, *, owner: str | None = None) -> NewWorkspace:
        """Make a workspace. Its `api_key` has every scope, and a `secret` that is in this answer and nowhere else.

        The address `owner` is invited as its owner. A call whose answer was lost is sent again by itself, and makes no
        second workspace.
        """
        body = body_of(given(name=name, owner=owner))
        return await self._transport.ask(NewWorkspace, "POST", "/v1/workspaces", body)

    def workspaces(self, *, limit: int | None = None) -> AsyncIterator[Workspace]:
        """The workspaces that this key has made, by name."""
        return self._transport.each(Workspace, "/v1/workspaces", {}, limit)

    async def aclose(self) -> None:
        """Let the connections go; `async with` does it."""
        await self._transport.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
