"""Where the records of a crew are kept: memories of a workspace, whose tags say scope, categories and source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote, unquote

from crewai.memory.types import MemoryRecord, ScopeInfo
from crewai.memory.utils import normalize_scope_path

from workspace_memory.errors import ForbiddenError, NotFoundError
from workspace_memory.integrations.store_items import short_tag
from workspace_memory.models import StoredMemory
from workspace_memory.sync.client import Memory

# The tag of all that crews have written, and how the others begin.
OWN, UNDER, CATEGORY, SOURCE = "crewai", "crew:", "category:", "from:"


class WorkspaceRecords:
    """The storage of a crew's memory, with what its `Memory` asks for: all but what works on vectors.

    It lists and deletes what crews have written, and leaves alone what people and other agents have.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add(self, record: MemoryRecord, *, importance: float | None = None) -> MemoryRecord:
        """Keep a new record. A statement that is there already is found in this scope as well from now on; one that
        people made a fact or pinned stays as it is."""
        refuse_metadata(record.metadata)
        tags, fields = tags_of(record), {} if importance is None else {"importance": importance}
        stored = self._memory.write(record.content, tags=[OWN, *tags], **fields)  # type: ignore[arg-type]  # one known field
        missing = [tag for tag in tags if tag not in stored.tags]
        if missing:
            try:
                stored = self._memory.memories.edit(stored.id, tags=[*stored.tags, *missing])
            except ForbiddenError:
                return record_of(stored)
        return record_of(stored)

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Forget records, and return how many. People can restore them in the console."""
        refuse_metadata(metadata_filter)
        before = None if older_than is None else _aware(older_than)
        chosen = self._stored(scope_prefix) if record_ids is None else self._named(record_ids, scope_prefix)
        ids = [
            one.id for one in chosen if has_category(one, categories) and (before is None or one.created_at < before)
        ]
        for id in ids:
            self._memory.memories.forget(id)
        return len(ids)

    def update(self, record: MemoryRecord) -> None:
        """Put a record in place of the one of its id."""
        refuse_metadata(record.metadata)
        stored = self._memory.memories.get(record.id)
        others = [tag for tag in stored.tags if not tag.startswith((UNDER, CATEGORY, SOURCE))]
        tags = [*others, *tags_of(record)]
        self._memory.memories.edit(record.id, content=record.content, tags=tags, importance=record.importance)

    def get_record(self, record_id: str) -> MemoryRecord | None:
        """Return a record, or None."""
        return next((record_of(one) for one in self._named([record_id], None)), None)

    def list_records(self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0) -> list[MemoryRecord]:
        """Return records, newest first."""
        return self._records(scope_prefix)[offset : offset + limit]

    def get_scope_info(self, scope: str) -> ScopeInfo:
        """Return what is in a scope."""
        records = self._records(scope)
        dates = [record.created_at for record in records]
        return ScopeInfo(
            path=normalize_scope_path(scope),
            record_count=len(records),
            categories=sorted({name for record in records for name in record.categories}),
            oldest_record=min(dates, default=None),
            newest_record=max(dates, default=None),
            child_scopes=children_of(scope, records),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """Return the scopes directly under one."""
        return children_of(parent, self._records(parent))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """Return how many records each category has."""
        return dict(Counter(name for record in self._records(scope_prefix) for name in record.categories))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Forget all records of a scope."""
        self.delete(scope_prefix)

    def _records(self, scope: str | None) -> list[MemoryRecord]:
        now = datetime.now(timezone.utc)
        return [record_of(one) for one in self._stored(scope) if _is_current(one, now)]

    def _stored(self, scope: str | None) -> Iterator[StoredMemory]:
        yield from self._memory.memories.list(tags=[OWN, *scope_tags(scope)[-1:]])

    def _named(self, ids: Sequence[str], scope: str | None) -> Iterator[StoredMemory]:
        wanted = set(scope_tags(scope)[-1:])
        for id in ids:
            try:
                stored = self._memory.memories.get(id)
            except NotFoundError:
                continue
            if not stored.is_deleted and wanted <= set(stored.tags):
                yield stored


def scope_tags(scope: str | None) -> list[str]:
    """Return a tag for a scope and each one above it, the widest first; none for the root."""
    labels = [quote(label, safe="") for label in normalize_scope_path(scope or "/").split("/") if label]
    return [short_tag(UNDER, "/".join(labels[:depth])) for depth in range(1, len(labels) + 1)]


def tags_of(record: MemoryRecord) -> list[str]:
    """Return the tags that say where a record belongs."""
    named = [CATEGORY + quote(name, safe=" ") for name in record.categories]
    return [*scope_tags(record.scope), *named, *([SOURCE + quote(record.source)] if record.source else [])]


def record_of(memory: StoredMemory) -> MemoryRecord:
    """Return a memory as a record; a model can cite it by what its metadata say. Times are UTC and tell no zone, as
    CrewAI counts with them."""
    paths = [tag for tag in _after(UNDER, memory) if not tag.startswith("~")]
    return MemoryRecord(
        id=memory.id,
        content=memory.content,
        scope="/" + "/".join(map(unquote, max(paths, key=len, default="").split("/"))),
        categories=[unquote(name) for name in _after(CATEGORY, memory)],
        metadata={"citation": memory.citation},
        importance=memory.importance,
        created_at=_naive(memory.created_at),
        last_accessed=_naive(memory.last_referenced_at or memory.created_at),
        source=next(map(unquote, _after(SOURCE, memory)), None),
    )


def children_of(parent: str, records: Sequence[MemoryRecord]) -> list[str]:
    """Return the scopes of records directly under one."""
    root = normalize_scope_path(parent).rstrip("/") + "/"
    inside = (record.scope.removeprefix(root) for record in records if record.scope.startswith(root))
    return sorted({root + path.partition("/")[0] for path in inside if path})


def has_category(memory: StoredMemory, wanted: Sequence[str] | None) -> bool:
    """Return whether a memory is of one of these categories; any is, where none are named."""
    return not wanted or not {unquote(name) for name in _after(CATEGORY, memory)}.isdisjoint(wanted)


def refuse_metadata(metadata: Mapping[str, Any] | None) -> None:
    """Raise ValueError for metadata, which a memory has no place for; its own citation is none."""
    if set(metadata or ()) - {"citation"}:
        raise ValueError("A memory of a workspace has no metadata: say it in the content, or as a category.")


def _after(beginning: str, memory: StoredMemory) -> list[str]:
    return [tag.removeprefix(beginning) for tag in memory.tags if tag.startswith(beginning)]


def _is_current(memory: StoredMemory, now: datetime) -> bool:
    is_over = memory.expires_at is not None and memory.expires_at <= now
    return not (memory.suppressed or memory.superseded_at is not None or is_over)


def _naive(time: datetime) -> datetime:
    return time.astimezone(timezone.utc).replace(tzinfo=None)


def _aware(time: datetime) -> datetime:
    return time.replace(tzinfo=timezone.utc) if time.tzinfo is None else time
