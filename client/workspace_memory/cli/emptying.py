"""Emptying a space from a terminal: its sessions deleted, its memories forgotten, one by one, and what was kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from workspace_memory.cli.output import counted
from workspace_memory.errors import (
    ApiError,
    NoAnswerError,
    NotFoundError,
    RateLimitedError,
    ServerError,
    UnexpectedAnswerError,
    WorkspaceMemoryError,
)
from workspace_memory.sync.client import Memory

SESSION = "session"
# What is wrong with all that follows as well.
STOPPING = (NoAnswerError, RateLimitedError, ServerError, UnexpectedAnswerError)


@dataclass(slots=True)
class Contents:
    """What is in a space: ids by what they are, `session`, `memory` or `fact`."""

    ids: dict[str, list[str]] = field(default_factory=lambda: {SESSION: [], "memory": [], "fact": []})

    @property
    def is_empty(self) -> bool:
        return not any(self.ids.values())

    def __str__(self) -> str:
        said = [counted(len(ids), kind) for kind, ids in self.ids.items() if ids]
        said = [words.replace("memorys", "memories") for words in said]
        return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]])) or "nothing"


@dataclass(frozen=True, slots=True)
class Kept:
    """A thing that is still there, and why."""

    kind: str
    id: str
    code: str
    detail: str


@dataclass(slots=True)
class Emptied:
    """What was removed, what was kept, and the error that ended it before its end, if one did."""

    removed: Contents = field(default_factory=Contents)
    kept: list[Kept] = field(default_factory=list)
    stopped_by: WorkspaceMemoryError | None = None

    def reasons(self) -> Iterator[tuple[str, Contents]]:
        """Each reason with what was kept for it."""
        grouped: dict[str, Contents] = {}
        for one in self.kept:
            grouped.setdefault(one.detail, Contents()).ids[one.kind].append(one.id)
        yield from grouped.items()

    def as_json(self) -> dict[str, Any]:
        removed = {kind: len(ids) for kind, ids in self.removed.ids.items()}
        kept = [{"kind": one.kind, "id": one.id, "code": one.code, "detail": one.detail} for one in self.kept]
        names = {SESSION: "sessions", "memory": "memories", "fact": "facts"}
        return {"removed": {names[kind]: number for kind, number in removed.items()}, "kept": kept}


def contents_of(client: Memory) -> Contents:
    """List what is in the space of a client, page by page."""
    found = Contents()
    found.ids[SESSION] = [one.id for one in client.conversations.list()]
    for memory in client.memories.list():
        found.ids[memory.kind].append(memory.id)
    return found


def empty(
    client: Memory, contents: Contents, *, force: bool, tell: Callable[[int, int], None] = lambda done, of: None
) -> Emptied:
    """Delete sessions and forget memories, one call for each. What is refused is kept, and the rest goes on.

    What was written since the contents were listed stays. An error that the rest would meet too ends it.
    `tell` is given what is done, and how much there is.
    """
    steps: dict[str, Callable[[str], object]] = {
        SESSION: lambda id: client.session(id).delete(),
        "memory": lambda id: client.memories.forget(id, force=force),
        "fact": lambda id: client.memories.forget(id, force=force),
    }
    emptied = Emptied()
    each = [(kind, id) for kind, ids in contents.ids.items() for id in ids]
    for done, (kind, id) in enumerate(each):
        tell(done, len(each))
        if emptied.stopped_by:
            emptied.kept.append(Kept(kind, id, "not_reached", "it was not reached."))
            continue
        try:
            steps[kind](id)
        except NotFoundError:
            continue  # another hand was first
        except STOPPING as error:
            emptied.stopped_by = error
            emptied.kept.append(Kept(kind, id, "not_reached", "it was not reached."))
        except ApiError as error:
            emptied.kept.append(Kept(kind, id, error.code, error.detail))
        else:
            emptied.removed.ids[kind].append(id)
    return emptied
