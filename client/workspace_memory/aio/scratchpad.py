"""The scratchpad: results of tool calls by name, so that a prompt holds a line for each and not the results."""

from __future__ import annotations

import inspect
from asyncio import Lock
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from workspace_memory.aio.slots import AsyncBackend
from workspace_memory.errors import InvalidValueError, TooLargeError, WorkspaceMemoryError
from workspace_memory.kept_results import kept, stub
from workspace_memory.memory_spec import MemorySpec, SpecError
from workspace_memory.prompt_block import list_names, render_block
from workspace_memory.scratchpad_index import ScratchpadIndex
from workspace_memory.scratchpad_references import (
    GoneReferenceError,
    UnknownReferenceError,
    called,
    entry_of,
    line_of_unkept,
    references_in,
    resolved,
)
from workspace_memory.slot_limits import Limits, size_of, within
from workspace_memory.slot_values import SlotAddress

# Longer than the values, so that a run that pauses gives no name a second time.
INDEX_SECONDS = 86_400
# No name is longer than this where its tool was accepted.
HIGHEST_TURN = 9_999_999


class AsyncScratchpad:
    """What one run has at hand. Open it with `open(backend, spec, run_id=…)`.

    Next to the values it keeps an index under its own name, to which the backend appends in one step: processes on one
    run share it, and no name is given twice. Over the spec's `max_items` or `max_size_mb` the oldest values go.
    """

    def __init__(self, backend: AsyncBackend, spec: MemorySpec, address: SlotAddress) -> None:
        self.spec = spec
        self.turn = 1
        self._backend = backend
        self._address = address
        self._index = ScratchpadIndex(spec)
        self._unkept: list[str] = []
        self._capturing = Lock()  # one at a time: tools of one turn may answer together
        self._limits = Limits(ttl_seconds=spec.ttl_seconds, schema_version=spec.schema_version)
        self._index_limits = replace(self._limits, ttl_seconds=max(spec.ttl_seconds or 0, INDEX_SECONDS))

    @classmethod
    async def open(
        cls, backend: AsyncBackend, spec: MemorySpec, /, *, name: str = "scratchpad", **scope: str
    ) -> AsyncScratchpad:
        """The scratchpad for these values of its scope, with what is in it already. Raises SpecError."""
        if spec.tier != "working":
            raise SpecError("A scratchpad belongs to the tier working.")
        address = SlotAddress("working", name, spec.scope_of(tenant=await backend.tenant(), values=scope))
        pad = cls(backend, spec, address)
        await pad.refresh()
        return pad

    @property
    def lines(self) -> str:
        """The block for the prompt: `- $ref:<name> — what (size)` for each value that is there; empty without any.

        Nothing that was evicted or is past its time, and what other processes captured up to the last `refresh`. At
        most 2,000 tokens: where they are more, older results share a line for each tool, and are referred to as before.
        """
        entries = self._index.entries(self._backend.now())
        return render_block(entries, prefix=self.spec.reference_syntax, unkept=self._unkept)

    @property
    def names(self) -> list[str]:
        """The names of all values that are there, oldest first, also of those that share a line of the prompt."""
        return [entry.name for entry in self._index.entries(self._backend.now())]

    def next_turn(self) -> None:
        """The model has been asked again: later captures carry the next number."""
        self.turn += 1

    async def refresh(self) -> None:
        """Read what other processes on the run have captured; every capture does so as well."""
        async with self._capturing:
            await self._read_index()

    async def seed(self, **inputs: Any) -> None:
        """Keep the run's inputs as `input_<name>.1`; one that is too large becomes a stub.

        Raises SpecError, ApiError, NoAnswerError.
        """
        for name, value in inputs.items():
            self._check_name(f"input_{name}")
            await self._keep_or_stub(f"input_{name}", value, what=None, turn=1)

    async def call(
        self, tool: str, function: Callable[..., Any], arguments: Mapping[str, Any], *, what: str | None = None
    ) -> Any:
        """Call a tool with real values in place of references, keep what it returns, and return it.

        `what` is what the prompt will say about the result; without it, the call itself. What the tool raises is not
        kept. Once it has run nothing else is raised: what is too large becomes a stub, and what cannot be kept at all,
        because the backend refuses it or does not answer, is a line of the prompt that says so.

        Raises before the tool is called: UnknownReferenceError, InvalidValueError for arguments without names or that
        hold themselves, SpecError for a tool whose name no slot can have.
        """
        self._check_name(tool)
        if not isinstance(arguments, Mapping) or not all(isinstance(name, str) for name in arguments):
            raise InvalidValueError("The arguments of a call are values by their names.")
        given = await self.resolve(dict(arguments))
        said = what or called(tool, arguments)
        result = function(**given)
        if inspect.isawaitable(result):
            result = await result
        if self.spec.auto_capture:
            try:
                await self._keep_or_stub(tool, result, what=said)
            except Exception as error:  # noqa: BLE001  # whatever a backend raises, the tool has run
                self._unkept.append(line_of_unkept(said, error))
        return result

    async def capture(self, tool: str, value: Any, *, what: str | None = None, turn: int | None = None) -> str:
        """Keep a value as `<tool>.<turn>`, or the next free number, and answer the reference to it.

        What is not JSON is kept in a stated form. Raises TooLargeError, SpecError, ApiError, NoAnswerError.
        """
        self._check_name(tool)
        return await self._keep(tool, self._fitting(value), what=what, turn=turn)

    async def resolve(self, value: Any) -> Any:
        """The structure with values in place of references, at any depth.

        Raises UnknownReferenceError, its child GoneReferenceError for what was evicted or is past its time, and
        InvalidValueError for a structure that holds itself.
        """
        prefix = self.spec.reference_syntax
        try:
            names = list(dict.fromkeys(references_in(value, prefix=prefix)))
            if not all(map(self._index.is_known, names)):
                await self.refresh()
            values: Mapping[str, Any] = {name: await self._value(name) for name in names}
            return resolved(value, values, prefix=prefix)
        except RecursionError:
            raise InvalidValueError("The arguments hold themselves, or are nested too deeply.") from None

    async def clear(self) -> None:
        """The run is over: delete everything in it."""
        async with self._capturing:
            await self._read_index()
            for name in self._index.deletable():
                await self._backend.delete(self._at(name))
            await self._backend.delete(self._address)
            self._index.forget("the scratchpad was cleared")
            self._unkept.clear()

    async def _keep_or_stub(self, tool: str, value: Any, *, what: str | None, turn: int | None = None) -> None:
        try:
            await self._keep(tool, self._fitting(value), what=what, turn=turn)
        except TooLargeError as error:
            said = f"not kept, too large: {what}" if what else "not kept, too large"
            await self._keep(tool, stub(error.detail), what=said, turn=turn)

    async def _keep(self, tool: str, value: Any, *, what: str | None, turn: int | None = None) -> str:
        turn = self.turn if turn is None else turn
        async with self._capturing:
            entry = entry_of(tool, value, what)
            record = self._index.record(tool, turn=turn, entry=entry, now=self._backend.now())
            await self._append(record)
            name = self._index.name_of(record)
            if name is None:
                raise GoneReferenceError("The scratchpad was cleared while this was captured.")
            try:
                await self._backend.write(self._at(name), value, self._limits)
            except WorkspaceMemoryError:
                await self._append(self._index.lost(name))
                raise
        return f"{self.spec.reference_syntax}{name}"

    async def _append(self, record: dict[str, Any]) -> None:
        """Append a record, and read where it came to stand: only that says which name it has."""
        await self._backend.append(self._address, record, self._index_limits)
        await self._read_index()

    async def _read_index(self) -> None:
        """Take over what is new in the index; one at a time, so that no older reading comes after a newer one."""
        stored = await self._backend.read(self._address)
        for name in self._index.take(stored.value if stored else []):
            await self._backend.delete(self._at(name))

    async def _value(self, name: str) -> Any:
        reference = f"{self.spec.reference_syntax}{name}"
        held = list_names(self._index.entries(self._backend.now()), like=name)
        if not self._index.is_known(name):
            raise UnknownReferenceError(f"There is no {reference}; the scratchpad holds {held}.")
        reason = self._index.why_gone(name)
        stored = None if reason else await self._backend.read(self._at(name))
        if stored is None:
            reason = reason or "its time is over"
            raise GoneReferenceError(f"{reference} is gone: {reason}. The scratchpad holds {held}.")
        if stored.expires_at is not None:
            self._index.keep_until(name, stored.expires_at.timestamp())
        return stored.value

    def _fitting(self, value: Any) -> Any:
        form = kept(value)
        limits = replace(self._limits, max_size_mb=self.spec.max_size_mb)
        return within(limits, form, tier="working", size=size_of(form))[0]

    def _check_name(self, tool: str) -> None:
        """Raise SpecError for a tool whose name no slot can have: before there is a result to lose."""
        if not isinstance(tool, str) or not tool:
            raise SpecError(f"tool is {tool!r}: a name is expected.")
        self._at(f"{tool}.{HIGHEST_TURN}")

    def _at(self, name: str) -> SlotAddress:
        return replace(self._address, name=f"{self._address.name}.{name}")
