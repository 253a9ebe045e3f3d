"""What both classes of mem0 do, in spaces of this server."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import Any
from uuid import UUID

from typing_extensions import Self

from workspace_memory.compat.mem0_shapes import (
    UNCHANGED,
    MemoryOffError,
    NoCounterpartError,
    Scope,
    decoded_id,
    expiry_of,
    history_shape,
    memory_shape,
    messages_of,
    metadata_of,
    missing,
    require_known,
    tags_of,
)
from workspace_memory.errors import NotFoundError
from workspace_memory.models import StoredMemory
from workspace_memory.request_fields import MemoryChanges
from workspace_memory.sync.client import Memory

# Seconds between two looks at whether the messages of an `add` were searched for what is worth keeping.
PAUSE = 0.5
MEMORY_IS_OFF = (
    "Memory is off for this workspace, so nothing would be kept of these messages. Turn it on, under Settings → Memory "
    "or with `workspace_memory.Memory.from_env().settings.enable_memory()`, or add texts as they are with infer=False."
)


class Mem0Base:
    """What both of mem0's classes do."""

    def __init__(self, client: Memory, *, wait: float, shared: bool) -> None:
        self._client = client
        self._wait = wait
        self._shared = shared
        self._is_memory_on = False

    def history(self, memory_id: str) -> list[dict[str, Any]]:
        """What happened to a memory, oldest first: ADD, UPDATE and DELETE."""
        id, space = decoded_id(memory_id)
        try:
            memory = self._in(space).memories.get(id)
        except NotFoundError:
            return []
        revisions = [one for one in self._in(space).memories.history(id)]
        return history_shape(memory, revisions, memory_id)

    def delete(self, memory_id: str, **options: Any) -> dict[str, Any]:
        """Forget a memory. It can be restored in the console; a pinned one is refused. Raises MemoryMissingError."""
        require_known(options)
        id, space = decoded_id(memory_id)
        try:
            self._in(space).memories.forget(id)
        except NotFoundError as error:
            raise missing(memory_id) from error
        return {"message": "Memory deleted successfully!"}

    def _add(self, messages: Any, scope: Scope, *, infer: bool, expires_at: datetime | None) -> dict[str, Any]:
        said = messages_of(messages)
        add = self._extract if infer else self._write
        found = add(said, scope, expires_at)
        shapes = [memory_shape(memory, scope.space) for memory in found]
        return {"results": [{"id": one["id"], "memory": one["memory"], "event": "ADD"} for one in shapes]}

    def _write(self, said: Sequence[dict[str, Any]], scope: Scope, expires_at: datetime | None) -> list[StoredMemory]:
        """Remember the texts as they are, but for those of the system."""
        here = self._in(scope.space)
        texts = [one["content"] for one in said if one["role"] != "system"]
        return [here.write(text, tags=scope.tags, expires_at=expires_at) for text in texts]

    def _extract(self, said: Sequence[dict[str, Any]], scope: Scope, expires_at: datetime | None) -> list[StoredMemory]:
        """Add the messages to the conversation of the run, or of the day, and wait for what is found in them."""
        self._require_memory()
        here = self._in(scope.space)
        key = f"mem0/{scope.run or datetime.now(timezone.utc).date()}"
        metadata = metadata_of(scope.tags)
        added = here.add([{**one, "metadata": metadata} if metadata else one for one in said], conversation=key)
        is_over = self._wait_for(here, key)
        found = [
            memory
            for memory in here.memories.list(extracted_from=key, limit=200)
            # Ids begin with their time: these are of after the messages.
            if UUID(memory.id) > UUID(added.message_ids[0])
        ]
        if scope.tags or expires_at:
            if not is_over:
                warnings.warn("What is found later in these messages will not have their metadata.", stacklevel=4)
            found = [self._label(here, memory, scope, expires_at) for memory in found]
        return found[::-1]

    def _label(self, here: Memory, memory: StoredMemory, scope: Scope, expires_at: datetime | None) -> StoredMemory:
        """Give what was found in messages the metadata and the last day of these."""
        changes: MemoryChanges = {"tags": [*dict.fromkeys([*memory.tags, *scope.tags])]}
        if expires_at is not None:
            changes["expires_at"] = expires_at
        return here.memories.edit(memory.id, **changes)

    def _wait_for(self, here: Memory, key: str) -> bool:
        """Have the conversation searched at once, and wait until it was; return whether it was in time."""
        for looks in range(round(self._wait / PAUSE) + 1):
            if looks:
                time.sleep(PAUSE)
            ended = here.session(key).end()
            if ended is None or ended.reason is not None:
                return True
        return False

    def _list(self, scope: Scope, *, limit: int, show_expired: bool = False) -> list[dict[str, Any]]:
        """The memories of a scope, newest first, without those that are not recalled."""
        now = datetime.now(timezone.utc)
        found: list[dict[str, Any]] = []
        for memory in self._in(scope.space).memories.list(**scope.filters):
            if len(found) >= limit:
                break
            if memory.suppressed or (memory.valid_to is not None and memory.valid_to <= now):
                continue
            if show_expired or memory.expires_at is None or memory.expires_at > now:
                found.append(memory_shape(memory, scope.space))
        return found

    def _search(self, query: str, scope: Scope, *, limit: int, threshold: float) -> list[dict[str, Any]]:
        """The memories of a scope that bear on a query, best first, with the server's score of each among them."""
        if not isinstance(query, str) or not query.strip():
            raise ValueError("Invalid query: cannot be empty or whitespace-only.")
        found = self._in(scope.space).search(query, limit=min(max(limit, 1), 200), tags=scope.tags)
        likely = [hit for hit in found[:limit] if hit.score >= threshold]
        return [{**memory_shape(hit.memory, scope.space), "score": hit.score} for hit in likely]

    def _update(
        self, memory_id: str, text: str | None, metadata: Mapping[str, Any] | None, expiration_date: Any
    ) -> dict[str, Any]:
        if text is None and metadata is None and expiration_date is UNCHANGED:
            raise ValueError("At least one of text, metadata, or expiration_date must be provided.")
        id, space = decoded_id(memory_id)
        memories = self._in(space).memories
        changes: dict[str, Any] = {} if text is None else {"content": text}
        if expiration_date is not UNCHANGED:
            changes["expires_at"] = expiry_of(expiration_date)
        try:
            if metadata is not None:
                kept = (memories.get(id)).tags
                changes["tags"] = [tag for tag in kept if tag.partition(":")[0] not in metadata] + tags_of(metadata)
            return memory_shape(memories.edit(id, **changes), space)
        except NotFoundError as error:
            raise missing(memory_id) from error

    def _get(self, memory_id: str) -> dict[str, Any] | None:
        id, space = decoded_id(memory_id)
        try:
            memory = self._in(space).memories.get(id)
        except NotFoundError:
            return None
        return None if memory.is_deleted else memory_shape(memory, space)

    def _delete_all(self, scope: Scope) -> dict[str, Any]:
        here = self._in(scope.space, shared=False)
        ids = [memory.id for memory in here.memories.list(**scope.filters)]
        for id in ids:
            here.memories.forget(id)
        return {"message": "Memories deleted successfully!"}

    def _require_memory(self) -> None:
        """Raise MemoryOffError while messages are not searched for what is worth keeping."""
        if not self._is_memory_on:
            self._is_memory_on = bool((self._client.settings.get())["memory"]["enabled"])
        if not self._is_memory_on:
            raise MemoryOffError(MEMORY_IS_OFF)

    def _in(self, space: str, *, shared: bool | None = None) -> Memory:
        """Return the client of a space; what all may read is read as well where `shared` says so, or the class."""
        kind, _, key = space.partition(":")
        reads_shared = self._shared if shared is None else shared
        if kind == "user":
            return self._client.for_user(key, shared=reads_shared)
        return self._client.in_space(space, shared=reads_shared or space == "shared")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NoCounterpartError(f"{name}: this server has no counterpart of it.")

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
