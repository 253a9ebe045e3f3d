"""The JSON of memories, revisions, runs and hits: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from memory.episodes.services.consolidation import Consolidation
from memory.models import MemoryEpisode


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
