"""Slots on the server. The tenant is the workspace of the key; nothing in a request could name another."""

from __future__ import annotations

from typing import Any

from workspace_memory.aio.slots import AsyncBackend
from workspace_memory.aio.transport import AsyncTransport, read_found
from workspace_memory.errors import NotFoundError
from workspace_memory.models import Found
from workspace_memory.slot_limits import Limits
from workspace_memory.slot_values import SlotAddress, SlotHit, StoredSlot
from workspace_memory.wire import given, quoted


class AsyncHttpSlots(AsyncBackend):
    """`memory.slots`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def tenant(self) -> str:
        return await self._transport.workspace()

    async def read(self, address: SlotAddress) -> StoredSlot | None:
        try:
            path, query = _where(address)
            return await self._transport.ask(StoredSlot, "GET", path, query=query)
        except NotFoundError:
            return None

    async def write(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        path, query = _where(address)
        return await self._transport.ask(StoredSlot, "PUT", path, {"value": value, **_said(limits)}, query)

    async def append(self, address: SlotAddress, item: Any, limits: Limits) -> None:
        path, query = _where(address)
        await self._transport.send("POST", f"{path}/append", {"item": item, **_said(limits)}, query)

    async def search(self, address: SlotAddress, query: str, limit: int) -> Found[SlotHit]:
        path, scope = _where(address)
        value = await self._transport.send("POST", f"{path}/search", {"query": query, "limit": limit}, scope)
        return read_found(SlotHit, value)

    async def delete(self, address: SlotAddress) -> bool:
        try:
            path, query = _where(address)
            await self._transport.remove(path, query)
        except NotFoundError:
            return False
        return True


def _where(address: SlotAddress) -> tuple[str, dict[str, str]]:
    _tenant, *scope = address.scope  # the key says it
    return f"slots/{address.tier}/{quoted(address.name)}", {f"scope.{name}": value for name, value in scope}


def _said(limits: Limits) -> dict[str, Any]:
    return given(
        ttl_seconds=limits.ttl_seconds,
        max_items=limits.max_items,
        max_size_mb=limits.max_size_mb,
        schema_version=limits.schema_version,
    )
