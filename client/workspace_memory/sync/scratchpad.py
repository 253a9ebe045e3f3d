"""The scratchpad: results of tool calls by name, so that a prompt holds a line for each and not the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from threading import Lock
from typing import Any

from workspace_memory.memory_spec import MemorySpec, SpecError
from workspace_memory.scratchpad_references import (
    Entry,
    UnknownReferenceError,
    called,
    entry_of,
    lines_of,
    name_for,
    references_in,
    resolved,
)
from workspace_memory.slot_values import BYTES_OF_A_MB, Limits, SlotAddress, as_json, readable, within
from workspace_memory.sync.slots import Backend


class Scratchpad:
    """What one run has at hand. Open it with `open(backend, spec, run_id=…)`.

    Next to each value it keeps an index under its own name, so that another process can go on with the run. Over the
    spec's `max_items` or `max_size_mb` the oldest values go.
    """

    def __init__(self, backend: Backend, spec: MemorySpec, address: SlotAddress, entries: list[Entry]) -> None:
        self.spec = spec
        self.turn = 1
        self._backend = backend
        self._address = address
        self._entries = entries
        self._capturing = Lock()  # one at a time: tools of one turn may answer together
        self._limits = Limits(ttl_seconds=spec.ttl_seconds, schema_version=spec.schema_version)

    @classmethod
    def open(cls, backend: Backend, spec: MemorySpec, /, *, name: str = "scratchpad", **scope: str) -> Scratchpad:
        """The scratchpad for these values of its scope, with what is in it already. Raises SpecError."""
        if spec.tier != "working":
            raise SpecError("A scratchpad belongs to the tier working.")
        address = SlotAddress("working", name, spec.scope_of(tenant=backend.tenant(), values=scope))
        index = backend.read(address)
        return cls(backend, spec, address, [Entry(**entry) for entry in index.value] if index else [])

    @property
    def lines(self) -> str:
        """The block for the prompt: `- $ref:<name> — what (size)` for each value; empty without any."""
        return lines_of(self._entries, prefix=self.spec.reference_syntax)

    def next_turn(self) -> None:
        """The model has been asked again: later captures carry the next number."""
        self.turn += 1

    def seed(self, **inputs: Any) -> None:
        """Keep the run's inputs as `input_<name>.1`."""
        for name, value in inputs.items():
            self.capture(f"input_{name}", value, turn=1)

    def call(
        self, tool: str, function: Callable[..., Any], arguments: Mapping[str, Any], *, what: str | None = None
    ) -> Any:
        """Call a tool with real values in place of references, and keep what it returns; what it raises is not kept.

        `what` is what the prompt will say about the result; without it, the call itself. Raises UnknownReferenceError
        before the tool is called, SpecError for a tool whose name no slot can have, and ValueError for a result that is
        no JSON.
        """
        self._at(f"{tool}.{self.turn}")  # such a name is refused here, and not once there is a result to lose
        result = function(**self.resolve(dict(arguments)))
        if self.spec.auto_capture:
            self.capture(tool, result, what=what or called(tool, arguments))
        return result

    def capture(self, tool: str, value: Any, *, what: str | None = None, turn: int | None = None) -> str:
        """Keep a value as `<tool>.<turn>` and answer the reference to it. Raises TooLargeError, ValueError.

        Colours of a terminal and control characters in its texts are left out.
        """
        value = within(replace(self._limits, max_size_mb=self.spec.max_size_mb), readable(as_json(value)))
        with self._capturing:
            taken = frozenset(entry.name for entry in self._entries)
            entry = entry_of(name_for(tool, turn=turn or self.turn, taken=taken), value, what)
            self._backend.write(self._at(entry.name), value, self._limits)
            self._entries.append(entry)
            while self._is_over():
                self._backend.delete(self._at(self._entries.pop(0).name))
            self._backend.write(self._address, [asdict(kept) for kept in self._entries], self._limits)
        return f"{self.spec.reference_syntax}{entry.name}"

    def resolve(self, value: Any) -> Any:
        """The structure with values in place of references, at any depth. Raises UnknownReferenceError."""
        prefix = self.spec.reference_syntax
        names = dict.fromkeys(references_in(value, prefix=prefix))
        values: Mapping[str, Any] = {name: self._value(name) for name in names}
        return resolved(value, values, prefix=prefix)

    def clear(self) -> None:
        """The run is over: delete everything in it."""
        while self._entries:
            self._backend.delete(self._at(self._entries.pop().name))
        self._backend.delete(self._address)

    def _value(self, name: str) -> Any:
        stored = self._backend.read(self._at(name)) if any(one.name == name for one in self._entries) else None
        if stored is None:
            held = ", ".join(one.name for one in self._entries) or "nothing"
            raise UnknownReferenceError(f"There is no {self.spec.reference_syntax}{name}; the scratchpad holds {held}.")
        return stored.value

    def _at(self, name: str) -> SlotAddress:
        return replace(self._address, name=f"{self._address.name}.{name}")

    def _is_over(self) -> bool:
        most, megabytes = self.spec.max_items, self.spec.max_size_mb
        total = sum(entry.size for entry in self._entries)
        return len(self._entries) > 1 and (
            (most is not None and len(self._entries) > most)
            or (megabytes is not None and total > megabytes * BYTES_OF_A_MB)
        )
