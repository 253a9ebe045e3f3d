"""The JSON of memories, revisions, runs and hits: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from conversations.presenting import message_json
from core.clock import moment
from memory.budget import OVER_BUDGET
from memory.models import ContextReceipt, Memory, MemoryEpisode, MemoryRevision, Run, RunCitation
from memory.services.citing import FinishedRun
from memory.services.episodes import Consolidation
from memory.services.recall import Context
from memory.services.searching import Hit, SearchResult
from memory.services.window import Window


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


def citation_json(citation: RunCitation) -> dict[str, Any]:
    return {"run": run_json(citation.run), "counted": citation.is_counted, "at": moment(citation.created_at)}


def run_json(run: Run) -> dict[str, Any]:
    return {
        "id": str(run.id),
        "agent": run.agent,
        "conversation": run.conversation or None,
        "status": run.status,
        "started_at": moment(run.started_at),
        "finished_at": moment(run.finished_at),
    }


def finished_json(finished: FinishedRun) -> dict[str, Any]:
    return {
        "run": run_json(finished.run),
        "citations": [
            {"memory_id": str(citation.memory_id), "counted": citation.is_counted} for citation in finished.citations
        ],
        "nodes": [{"node_id": str(identity), "counted": finished.is_counted} for identity in finished.node_ids],
        "unresolved": [str(identity) for identity in finished.unresolved],
    }


def search_json(result: SearchResult) -> dict[str, Any]:
    return {
        "results": [hit_json(hit) for hit in result.hits],
        "method": result.method,
        "latency_ms": result.latency_ms,
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    return {
        "memory": memory_json(hit.memory),
        "score": round(hit.found.score, 6),
        "arms": {arm: {"rank": place.rank, "score": round(place.score, 6)} for arm, place in hit.found.places.items()},
    }


def episode_json(episode: MemoryEpisode) -> dict[str, Any]:
    return {
        "id": str(episode.id),
        "conversation_id": str(episode.conversation_id),
        "summary": episode.summary,
        "turn_count": episode.turn_count,
        "source_message_ids": [str(identity) for identity in episode.source_message_ids],
        "period_start": moment(episode.period_start),
        "period_end": moment(episode.period_end),
        "created_at": moment(episode.created_at),
    }


def consolidation_json(done: Consolidation) -> dict[str, Any]:
    return {
        "episodes": [episode_json(episode) for episode in done.episodes],
        "turns": sum(episode.turn_count for episode in done.episodes),
        "finished": done.is_finished,
    }


def window_json(window: Window) -> dict[str, Any]:
    return {
        "conversation_id": str(window.conversation.id),
        "text": window.text,
        "episodes": [episode_json(episode) for episode in window.episodes],
        "messages": [message_json(message) for message in window.messages],
        "tokens_used": window.tokens_used,
    }


def context_json(context: Context) -> dict[str, Any]:
    assembled = context.assembled
    return {
        "text": assembled.text,
        "blocks": [
            {
                "name": block.name,
                "text": block.text,
                "tokens": block.tokens,
                "items": [
                    {"id": item.id, "reason": item.reason, "score": round(item.score, 6)} for item in block.items
                ],
            }
            for block in assembled.blocks
        ],
        "tokens_used": assembled.tokens_used,
        "token_budget": context.token_budget,
        "dropped": [{"id": item.id, "reason": OVER_BUDGET} for item in assembled.dropped],
        "left_out": list(context.left_out),
        "facts_over_budget": assembled.is_over_budget,
        "receipt_id": str(context.receipt_id),
    }


def receipt_json(receipt: ContextReceipt) -> dict[str, Any]:
    return {
        "id": str(receipt.id),
        "conversation": receipt.conversation or None,
        "query_sha256": receipt.query_sha256,
        "method": receipt.method or None,
        "token_budget": receipt.token_budget,
        "tokens_used": receipt.tokens_used,
        "facts_over_budget": receipt.is_over_budget,
        "chosen": receipt.chosen,
        "dropped": receipt.dropped,
        "left_out": receipt.left_out,
        "latency_ms": receipt.latency_ms,
        "created_at": moment(receipt.created_at),
    }
