"""The newest episodes of a conversation, as a block of text for the prompt that goes on with it."""

from __future__ import annotations

from collections.abc import Sequence

from conversations.models import Conversation
from memory.episodes.selectors import conversation_episodes
from memory.models import MemoryEpisode
from memory.recall.guard import run_layer
from memory.recall.prompt_format import EPISODES_HEADING, episode_line
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

RECALLED = 5


def recall_recent_episodes(*, caller: Caller, conversation: Conversation) -> str:
    """Return the five newest episodes as a block for the system prompt, most recent last; '' when there are none.

    Best effort: whatever goes wrong is logged and answered with ''.
    """

    def work() -> str:
        with workspace_scope(caller):
            newest = list(conversation_episodes(caller, conversation)[:RECALLED])
        return episodes_block(newest[::-1])

    return run_layer("episodes", work, conversation=conversation.pk) or ""


def episodes_block(episodes: Sequence[MemoryEpisode]) -> str:
    """Return the episodes, oldest first, in the form that clients rely on to the byte; '' for none."""
    return "\n".join([EPISODES_HEADING, *map(episode_line, episodes)]) if episodes else ""
