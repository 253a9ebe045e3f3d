"""Memory for CrewAI: what a crew remembers is kept in a workspace, and what others have told it is recalled."""

from __future__ import annotations

from typing import Any, Literal

from crewai.memory.types import MemoryMatch, MemoryRecord
from crewai.memory.unified_memory import Memory as CrewMemory
from crewai.memory.utils import join_scope_paths
from pydantic import PrivateAttr
from typing_extensions import override

from workspace_memory.integrations.crew_records import WorkspaceRecords, has_category, record_of, scope_tags
from workspace_memory.integrations.recalled_context import MAX_QUERY_CHARACTERS
from workspace_memory.sync.client import Memory

MAX_FOUND = 200


class WorkspaceMemory(CrewMemory):
    """A `Memory` for `Crew(memory=…)` and `Agent(memory=…)`, and for its scopes and slices.

    Each record is a memory that people see, correct and hide. The server ranks, finds repetitions and replaces what is
    out of date; no embedder is called, and the `llm` only to find in a task's result what is worth keeping.

    Raises ApiError for what the server refuses, and ValueError for metadata and private records.
    """

    _memory: Memory = PrivateAttr()
    _records: WorkspaceRecords = PrivateAttr()

    def __init__(self, memory: Memory | None = None, **fields: Any) -> None:
        client = memory or Memory()
        records = WorkspaceRecords(client)
        super().__init__(storage=records, **fields)
        self._memory, self._records = client, records

    @override
    def remember(
        self,
        content: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
        source: str | None = None,
        private: bool = False,
        agent_role: str | None = None,
        root_scope: str | None = None,
    ) -> MemoryRecord | None:
        """Remember a statement; None where this memory is only read."""
        if self.read_only:
            return None
        if private:
            raise ValueError("Keep what is private in the memory of a user: WorkspaceMemory(memory.for_user(…)).")
        record = MemoryRecord(
            content=content,
            scope=join_scope_paths(self.root_scope if root_scope is None else root_scope, scope),
            categories=categories or [],
            metadata=metadata or {},
            source=source,
        )
        return self._records.add(record, importance=importance)

    @override
    def remember_many(self, contents: list[str], *places: Any, **fields: Any) -> list[MemoryRecord]:
        """Remember statements, each with the same fields, and return their records once all are there."""
        records = [self.remember(content, *places, **fields) for content in contents]
        return [record for record in records if record is not None]

    @override
    def recall(
        self,
        query: str,
        scope: str | None = None,
        categories: list[str] | None = None,
        limit: int = 10,
        depth: Literal["shallow", "deep"] = "deep",
        source: str | None = None,
        include_private: bool = False,
    ) -> list[MemoryMatch]:
        """Find what bears on a query, best first: in the root of all scopes also what people and other agents told.

        `depth`, `source` and `include_private` change nothing: there is one search, and no private record.
        """
        asked = query.strip()[:MAX_QUERY_CHARACTERS]
        if not asked or limit < 1:
            return []
        tags = scope_tags(join_scope_paths(self.root_scope, scope))[-1:]
        hits = self._memory.search(asked, limit=MAX_FOUND if categories else min(limit, MAX_FOUND), tags=tags)
        found = [hit for hit in hits if has_category(hit.memory, categories)][:limit]
        # A slice puts what several searches found in one order, for which scores among the hits of one will not do.
        return [
            MemoryMatch(
                record=record_of(hit.memory),
                score=hit.score if hit.confidence is None else hit.confidence,
                match_reasons=sorted(hit.arms),
            )
            for hit in found
        ]

    @override
    def update(
        self,
        record_id: str,
        content: str | None = None,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: dict[str, Any] | None = None,
        importance: float | None = None,
    ) -> MemoryRecord:
        """Change what is named of a record, and return it. Raises ValueError where there is none of this id."""
        existing = self._records.get_record(record_id)
        if existing is None:
            raise ValueError(f"Record not found: {record_id}")
        if self.read_only:
            return existing
        named = {
            "content": content,
            "scope": scope,
            "categories": categories,
            "metadata": metadata,
            "importance": importance,
        }
        changed = existing.model_copy(update={name: value for name, value in named.items() if value is not None})
        self._records.update(changed)
        return changed
