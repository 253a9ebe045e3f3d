"""The JSON of memories and hits, for doors that do not declare their answers yet."""

from __future__ import annotations

from typing import Any

from memory.memories.schemas import MemoryResponse, MemorySearchResponse
from memory.memories.services.memory_search import SearchResult
from memory.models import Memory


def memory_json(memory: Memory) -> dict[str, Any]:
    return MemoryResponse.of(memory).as_json()


def search_json(result: SearchResult) -> dict[str, Any]:
    return MemorySearchResponse.of(result).as_json()
