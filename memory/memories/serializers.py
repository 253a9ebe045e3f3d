"""The JSON of memories, revisions, runs and hits: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from memory.memories.services.memory_search import RankedMemory, SearchResult
from memory.models import Memory, MemoryRevision


def memory_json(memory: Memory) -> dict[str, Any]:
    node = memory.node
    return {
        "id": str(memory.pk),
        "kind": memory.kind,
        "content": memory.content,
        "tags": memory.tags,
        "source": memory.source,
        "author": memory.author,
        "confidence": memory.confidence,
        "importance": node.importance_score,
        "weight": round(memory.weight, 4),
        "manual_weight": round(memory.manual_weight, 4),
        "pinned": memory.is_pinned,
        "pinned_by": memory.pinned_by or None,
        "pinned_at": moment(memory.pinned_at),
        "suppressed": memory.is_suppressed,
        "suppressed_by": memory.suppressed_by or None,
        "suppressed_at": moment(node.suppressed_at),
        "suppressed_reason": memory.suppressed_reason or None,
        "times_referenced": memory.times_referenced,
        "independent_references": memory.independent_references,
        "last_referenced_at": moment(node.last_referenced_at),
        "valid_from": moment(node.valid_from),
        "valid_to": moment(node.valid_to),
        "expires_at": moment(node.expires_at),
        "created_at": moment(node.created_at),
        "updated_at": moment(node.updated_at),
        "is_deleted": node.is_deleted,
        "pending_embedding": node.needs_embedding,
    }


def revision_json(revision: MemoryRevision) -> dict[str, Any]:
    return {
        "id": str(revision.id),
        "action": revision.action,
        "by": revision.actor_label,
        "by_kind": revision.actor_kind,
        "at": moment(revision.created_at),
        "before": revision.before,
    }


def search_json(result: SearchResult) -> dict[str, Any]:
    return {
        "results": [hit_json(hit) for hit in result.hits],
        "method": result.method,
        "latency_ms": result.latency_ms,
    }


def hit_json(hit: RankedMemory) -> dict[str, Any]:
    return {
        "memory": memory_json(hit.memory),
        "score": round(hit.found.score, 6),
        "arms": {arm: {"rank": place.rank, "score": round(place.score, 6)} for arm, place in hit.found.places.items()},
    }
