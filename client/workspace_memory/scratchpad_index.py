"""What a run has captured: records in the order in which the backend took them, from which the names follow. Pure.

A backend appends in one step, so that processes on one run read the same records in the same order, and give the same
names, whatever was evicted meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from workspace_memory.memory_spec import MemorySpec
from workspace_memory.scratchpad_references import Entry, name_for, one_line
from workspace_memory.slot_limits import BYTES_OF_A_MB

_FIELDS = {"id": str, "tool": str, "turn": int, "what": str, "size": int, "until": int | float}
# No tool has a longer name in a slot's, and no run counts higher.
MAX_TOOL_CHARACTERS, MAX_TURN = 200, 10**9


@dataclass(slots=True)
class _Captured:
    """An entry, until when its value stays, and why it is gone before that."""

    entry: Entry
    until: float
    gone: str = ""


class ScratchpadIndex:
    """The names of a run, each given once. Over the spec's `max_items` or `max_size_mb` the oldest values go."""

    def __init__(self, spec: MemorySpec) -> None:
        self._spec = spec
        self._captured: dict[str, _Captured] = {}
        self._names: dict[str, str] = {}  # by the ids of the records
        self._beyond: dict[tuple[str, int], int] = {}
        self._earlier: dict[str, str] = {}  # names of an index that is gone, and why it is
        self._read = 0
        self._last_id = ""
        self._oldest = 0

    def record(self, tool: str, *, turn: int, entry: Entry, now: float) -> dict[str, Any]:
        """What is to be appended for a capture; the name in `entry` is a wish."""
        taken = self._captured.keys() | self._earlier.keys()
        number = int(name_for(tool, turn=turn, taken=taken, beyond={}).rpartition(".")[2])
        until = now + (self._spec.ttl_seconds or 0)
        said = {"tool": tool, "turn": number, "what": entry.what, "size": entry.size, "until": until}
        return {"id": uuid4().hex[:12], **said}

    def lost(self, name: str) -> dict[str, Any]:
        """What is to be appended where the value of a name could not be written."""
        return {"id": uuid4().hex[:12], "lost": name}

    def take(self, records: Any) -> list[str]:
        """Read what is new among all records of the backend; return the names whose values have to go."""
        records = records if isinstance(records, list) else []
        readable = [one for one in records if _is_record(one)]
        is_longer = len(readable) >= self._read and (not self._read or readable[self._read - 1]["id"] == self._last_id)
        if not is_longer:
            self.forget("the backend lost it")
        for record in readable[self._read :]:
            self._take(record)
        self._read = len(readable)
        self._last_id = readable[-1]["id"] if readable else ""
        return self._evict()

    def forget(self, reason: str) -> None:
        """Begin from nothing; the names that were given are not given again."""
        self._earlier |= dict.fromkeys(self._captured, reason)
        self._captured, self._names, self._beyond = {}, {}, {}
        self._read, self._last_id, self._oldest = 0, "", 0

    def name_of(self, record: dict[str, Any]) -> str | None:
        """The name that a record was given; None where the backend does not have it any more."""
        return self._names.get(record["id"])

    def entries(self, now: float) -> list[Entry]:
        """What a prompt may name: what was neither evicted nor is past its time."""
        return [one.entry for one in self._captured.values() if not one.gone and one.until > now]

    def deletable(self) -> list[str]:
        """The names whose values may still be there."""
        return [name for name, one in self._captured.items() if not one.gone]

    def is_known(self, name: str) -> bool:
        return name in self._captured or name in self._earlier

    def why_gone(self, name: str) -> str | None:
        """Why a name that was given has no value any more; None while it may have one."""
        if (one := self._captured.get(name)) is not None:
            return one.gone or None
        return self._earlier.get(name)

    def keep_until(self, name: str, until: float) -> None:
        """A reading has kept a value alive."""
        if (one := self._captured.get(name)) is not None:
            one.until = until

    def _take(self, record: dict[str, Any]) -> None:
        if "lost" in record:
            if (one := self._captured.get(record["lost"])) is not None:
                one.gone = "it could not be written"
            return
        name = name_for(record["tool"], turn=record["turn"], taken=self._captured.keys(), beyond=self._beyond)
        entry = Entry(name, one_line(record["what"]), record["size"])
        self._captured[name] = _Captured(entry, record["until"])
        self._names[record["id"]] = name

    def _evict(self) -> list[str]:
        """Let the oldest go while they are too many or too large; what is past its time is the oldest as well."""
        held = [one for one in list(self._captured.values())[self._oldest :] if not one.gone]
        total = sum(one.entry.size for one in held)
        evicted = []
        for place, one in enumerate(held):
            if not (excess := self._excess(len(held) - place, total)):
                break
            one.gone = f"it made room for newer ones ({excess})"
            total -= one.entry.size
            evicted.append(one.entry.name)
        self._oldest += len(evicted)
        return evicted

    def _excess(self, count: int, size: int) -> str:
        """Which limit of the spec is passed; the newest value stays in any case."""
        most, megabytes = self._spec.max_items, self._spec.max_size_mb
        if count > 1 and most is not None and count > most:
            return f"max_items is {most}"
        if count > 1 and megabytes is not None and size > megabytes * BYTES_OF_A_MB:
            return f"max_size_mb is {megabytes:g}"
        return ""


def _is_record(one: Any) -> bool:
    """Whether an item is one of ours; the slot may have been written by another hand, which forges no line."""
    if not isinstance(one, dict):
        return False
    fields = {"id": str, "lost": str} if "lost" in one else _FIELDS
    if any(isinstance(one.get(name), bool) or not isinstance(one.get(name), kind) for name, kind in fields.items()):
        return False
    return "lost" in one or (
        one["tool"].isprintable()
        and 0 < len(one["tool"]) <= MAX_TOOL_CHARACTERS
        and 0 <= one["turn"] <= MAX_TURN
        and one["size"] >= 0
    )
