"""How recalled things read in a prompt: one line each, under the headings that agents know."""

from __future__ import annotations

from uuid import UUID

from core.text import excerpt
from memory.models import MemoryEpisode
from ontology.models import Node

EPISODES_HEADING = "Earlier conversation summaries (most recent last):"
NODE_CHARACTERS = 300


def episode_line(episode: MemoryEpisode) -> str:
    return f"- ({episode.turn_count} turns) {episode.summary}"


def memory_line(identity: UUID, content: str) -> str:
    """The content on one line, behind the citation that an answer repeats when it uses it."""
    return f"- [mem:{identity}] {' '.join(content.split())}"


def node_line(node: Node) -> str:
    return f"- [node:{node.id}] {node.type}: {excerpt(f'{node.name} {node.body}', limit=NODE_CHARACTERS)}"
