"""Slots of an agent: the port that every backend fills, a slot with its spec, and the backend in memory."""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime, timezone
from threading import Lock
from typing import Any

from workspace_memory.memory_spec import MemorySpec, SpecError
from workspace_memory.models import Found
from workspace_memory.slot_keyword_ranking import ranked
from workspace_memory.slot_limits import Limits, check_search, check_written, json_text, not_a_list, size_of, within
from workspace_memory.slot_values import SlotAddress, SlotHit, StoredSlot, checked, checked_item, revived


class Backend(ABC):
    """Where slots live. All backends pass one contract suite."""

    @abstractmethod
    def tenant(self) -> str:
        """Whose slots these are: the first dimension of every scope."""

    @abstractmethod
    def read(self, address: SlotAddress) -> StoredSlot | None:
        """What a slot holds; None for an absent or expired one. In the working tier, reading keeps it alive."""

    @abstractmethod
    def write(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        """Put a JSON value into a slot. Raises TooLargeError."""

    @abstractmethod
    def append(self, address: SlotAddress, item: Any, limits: Limits) -> None:
        """Add an item to a list, which may be absent, in one step: calls at once lose nothing of each other.

        Raises TooLargeError, ConflictError for a slot without items.
        """

    @abstractmethod
    def search(self, address: SlotAddress, query: str, limit: int) -> Found[SlotHit]:
        """The items of a slot that fit a query, best first."""

    @abstractmethod
    def delete(self, address: SlotAddress) -> bool:
        """Delete a slot; return whether there was one."""

    def now(self) -> float:
        """Seconds by the clock that values expire by."""
        return time.time()

    def slot(self, name: str, spec: MemorySpec, /, **scope: str) -> Slot:
        """A slot by its name, for these values of its scope. Raises SpecError for a missing one."""
        where = SlotAddress(spec.tier, name, spec.scope_of(tenant=self.tenant(), values=scope))
        return Slot(self, where, spec)


class Slot:
    """One slot: what goes in fits its spec, and so does what comes out."""

    def __init__(self, backend: Backend, address: SlotAddress, spec: MemorySpec) -> None:
        self.address = address
        self.spec = spec
        self._backend = backend
        self._limits = Limits.of(spec)

    def get(self) -> Any:
        """What it holds; None when it is absent or expired, an empty list for a list.

        Of a list with a schema, what fits, with the rest in `unfit`. Raises SchemaMismatchError where nothing fits.
        """
        return revived(self.spec, self._backend.read(self.address))

    def set(self, value: Any) -> None:
        """Replace what it holds. Raises ValueError for what does not fit, TooLargeError."""
        self._backend.write(self.address, checked(self.spec, value), self._limits)

    def append(self, item: Any) -> None:
        """Add an item to a list, which keeps its newest `max_items`. Raises ValueError, TooLargeError."""
        if self.spec.type != "list":
            raise SpecError("Only a slot of type list takes items.")
        self._backend.append(self.address, checked_item(self.spec, item), self._limits)

    def search(self, query: str, *, limit: int = 5) -> Found[SlotHit]:
        """Its items that fit a query, best first, 1 to 200. Raises SpecError unless it is searchable, InvalidError."""
        if not self.spec.searchable:
            raise SpecError("The spec does not say searchable.")
        return self._backend.search(self.address, query, limit)

    def clear(self) -> bool:
        """Delete it; return whether there was anything."""
        return self._backend.delete(self.address)


class InMemory(Backend):
    """Slots in this process, for tests and for trying things out, under the limits of a server; `now` tells seconds."""

    def __init__(self, *, tenant: str = "local", now: Callable[[], float] = time.time) -> None:
        self._tenant = tenant
        self._now = now
        self._kept: dict[SlotAddress, tuple[StoredSlot, Limits]] = {}
        self._changing = Lock()  # an append is one step, also among threads

    def tenant(self) -> str:
        return self._tenant

    def now(self) -> float:
        return self._now()

    def read(self, address: SlotAddress) -> StoredSlot | None:
        with self._changing:
            stored = self._live(address)
            if stored is not None and address.tier == "working":
                limits = self._kept[address][1]
                stored = self._keep(address, stored, limits)
            return stored.model_copy(update={"value": json.loads(json_text(stored.value))}) if stored else None

    def write(self, address: SlotAddress, value: Any, limits: Limits) -> StoredSlot:
        check_written(value)
        with self._changing:
            return self._put(address, value, (), limits.after(Limits(), address.tier), size_of(value))

    def append(self, address: SlotAddress, item: Any, limits: Limits) -> None:
        check_written(item)
        with self._changing:
            stored = self._live(address)
            if stored is not None and not isinstance(stored.value, list):
                raise not_a_list()
            before = self._kept[address][1] if stored else Limits()
            items = [*(stored.value if stored else ()), item]
            known = (stored.versions if stored else None) or ()
            # Two brackets or what is there, a comma where there is anything; nothing of it is written out again.
            size = (stored.size_bytes if stored else 2) + size_of(item) + (len(items) > 1)
            self._put(address, items, known, limits.after(before, address.tier), size)

    def search(self, address: SlotAddress, query: str, limit: int) -> Found[SlotHit]:
        check_search(address.tier, query, limit)
        began = time.perf_counter()
        stored = self._live(address)
        hits = ranked(stored, query)[:limit] if stored else []
        return Found(tuple(hits), "keyword", (time.perf_counter() - began) * 1000)

    def delete(self, address: SlotAddress) -> bool:
        with self._changing:
            was_there = self._live(address) is not None
            self._kept.pop(address, None)
            return was_there

    def _live(self, address: SlotAddress) -> StoredSlot | None:
        stored, _ = self._kept.get(address, (None, None))
        is_over = stored is not None and stored.expires_at is not None and stored.expires_at.timestamp() <= self._now()
        return None if is_over else stored

    def _put(self, address: SlotAddress, value: Any, known: tuple[int, ...], limits: Limits, size: int) -> StoredSlot:
        """Keep what is within the limits; items behind those of known versions are of this one."""
        kept, size = within(limits, value, tier=address.tier, size=size)
        versions = None
        if isinstance(kept, list):
            everything = (*known, *[limits.schema_version] * (len(value) - len(known)))
            versions = everything[len(value) - len(kept) :]
        version = limits.schema_version
        stored = StoredSlot(value=kept, schema_version=version, size_bytes=size, versions=versions)
        return self._keep(address, stored, limits)

    def _keep(self, address: SlotAddress, stored: StoredSlot, limits: Limits) -> StoredSlot:
        """Keep a slot for its time from now on."""
        lives = limits.ttl_seconds
        until = None if lives is None else datetime.fromtimestamp(self._now() + lives, timezone.utc)
        kept = stored.model_copy(update={"expires_at": until})
        self._kept[address] = (kept, limits)
        return kept
