"""Slots of an agent: the port that every backend fills, a slot with its spec, and the backend in memory."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from workspace_memory.memory_spec import MemorySpec, SpecError
from workspace_memory.models import Found
from workspace_memory.slot_keyword_ranking import ranked
from workspace_memory.slot_values import (
    Limits,
    SlotAddress,
    SlotHit,
    StoredSlot,
    checked,
    checked_item,
    not_a_list,
    revived,
    size_of,
    within,
)


class AsyncBackend(ABC):
    """Where slots live. All backends pass one contract suite."""

    @abstractmethod
    async def tenant(self) -> str:
        """Whose slots these are: the first dimension of every scope."""

    @abstractmethod
    async def read(self, address: SlotAddress) -> StoredSlot | None:
        """What a slot holds; None for an absent or expired one. In the working tier, reading keeps it alive."""

    @abstractmethod
    async def write(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        """Put a JSON value into a slot. Raises TooLargeError."""

    @abstractmethod
    async def append(self, address: SlotAddress, item: Any, limits: Limits) -> None:
        """Add an item to a list, which may be absent. Raises TooLargeError, ConflictError for a slot without items."""

    @abstractmethod
    async def search(self, address: SlotAddress, query: str, limit: int) -> Found[SlotHit]:
        """The items of a slot that fit a query, best first."""

    @abstractmethod
    async def delete(self, address: SlotAddress) -> bool:
        """Delete a slot; return whether there was one."""

    async def slot(self, name: str, spec: MemorySpec, /, **scope: str) -> AsyncSlot:
        """A slot by its name, for these values of its scope. Raises SpecError for a missing one."""
        where = SlotAddress(spec.tier, name, spec.scope_of(tenant=await self.tenant(), values=scope))
        return AsyncSlot(self, where, spec)


class AsyncSlot:
    """One slot: what goes in fits its spec, and so does what comes out."""

    def __init__(self, backend: AsyncBackend, address: SlotAddress, spec: MemorySpec) -> None:
        self.address = address
        self.spec = spec
        self._backend = backend
        self._limits = Limits.of(spec)

    async def get(self) -> Any:
        """What it holds; None when it is absent or expired, an empty list for a list. Raises SchemaMismatchError."""
        return revived(self.spec, await self._backend.read(self.address))

    async def set(self, value: Any) -> None:
        """Replace what it holds. Raises ValueError for what does not fit, TooLargeError."""
        await self._backend.write(self.address, checked(self.spec, value), self._limits)

    async def append(self, item: Any) -> None:
        """Add an item to a list, which keeps its newest `max_items`. Raises ValueError, TooLargeError."""
        if self.spec.type != "list":
            raise SpecError("Only a slot of type list takes items.")
        await self._backend.append(self.address, checked_item(self.spec, item), self._limits)

    async def search(self, query: str, *, limit: int = 5) -> Found[SlotHit]:
        """Its items that fit a query, best first. Raises SpecError unless it is searchable."""
        if not self.spec.searchable:
            raise SpecError("The spec does not say searchable.")
        return await self._backend.search(self.address, query, limit)

    async def clear(self) -> bool:
        """Delete it; return whether there was anything."""
        return await self._backend.delete(self.address)


class AsyncInMemory(AsyncBackend):
    """Slots in this process, for tests and for trying things out; `now` tells seconds."""

    def __init__(self, *, tenant: str = "local", now: Callable[[], float] = time.time) -> None:
        self._tenant = tenant
        self._now = now
        self._kept: dict[SlotAddress, tuple[StoredSlot, Limits]] = {}

    async def tenant(self) -> str:
        return self._tenant

    async def read(self, address: SlotAddress) -> StoredSlot | None:
        stored = self._live(address)
        if stored is not None and address.tier == "working":
            stored = self._keep(address, stored.value, self._kept[address][1])
        return stored.model_copy(deep=True) if stored else None

    async def write(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        return self._keep(address, within(limits, value), limits)

    async def append(self, address: SlotAddress, item: Any, limits: Limits) -> None:
        stored = self._live(address)
        if stored is not None and not isinstance(stored.value, list):
            raise not_a_list()
        items = [*(stored.value if stored else ()), item]
        self._keep(address, within(limits, items), limits)

    async def search(self, address: SlotAddress, query: str, limit: int) -> Found[SlotHit]:
        began = time.perf_counter()
        stored = self._live(address)
        value = stored.value if stored else []
        hits = ranked(value if isinstance(value, list) else [value], query)[:limit]
        return Found(tuple(hits), "keyword", (time.perf_counter() - began) * 1000)

    async def delete(self, address: SlotAddress) -> bool:
        was_there = self._live(address) is not None
        self._kept.pop(address, None)
        return was_there

    def _live(self, address: SlotAddress) -> StoredSlot | None:
        stored, _ = self._kept.get(address, (None, None))
        is_over = stored is not None and stored.expires_at is not None and stored.expires_at.timestamp() <= self._now()
        return None if is_over else stored

    def _keep(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        lives = limits.ttl_seconds
        stored = StoredSlot(
            value=value,
            schema_version=limits.schema_version,
            size_bytes=size_of(value),
            expires_at=None if lives is None else datetime.fromtimestamp(self._now() + lives, UTC),
        )
        self._kept[address] = (stored, limits)
        return stored
