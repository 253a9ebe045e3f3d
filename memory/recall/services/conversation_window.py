"""The window of a conversation: what an agent that goes on with it is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conversations.messages.selectors import conversation_messages
from conversations.models import Conversation, Message
from conversations.observations.selectors import ObservedConversation, conversation_blocks
from core.text.tokens import count_tokens
from memory.episodes.selectors import episodes_with_statements
from memory.models import MemoryEpisode
from memory.recall.recent_episodes import RECALLED, episodes_block
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.settings.workspace_settings import memory_settings


@dataclass(frozen=True, slots=True)
class Window:
    """Summaries of what went before and the last messages, both oldest first; `text` is the summaries as a block.

    `tokens_used` counts the block and the contents of the messages. `observed` is another way to go on with it: what
    older messages were compressed into, and the messages that are not yet.
    """

    conversation: Conversation
    text: str
    episodes: Sequence[MemoryEpisode]
    messages: Sequence[Message]
    tokens_used: int
    observed: ObservedConversation


def conversation_window(
    *, caller: Caller, conversation: Conversation, last: int | None = None, token_budget: int | None = None
) -> Window:
    """Return the five newest episodes and the `last` messages that no episode stands for, as many as the workspace's
    `recent_messages` without it; and its observations with the newer messages, within `token_budget` where given.

    Raises MissingScopeError.
    """
    caller.require(Right.READ)
    with workspace_scope(caller):
        last = last or memory_settings(current_workspace(caller)).recent_messages
        episodes = list(episodes_with_statements(caller, conversation)[:RECALLED])[::-1]
        messages = list(conversation_messages(caller, conversation).active().newest_first()[:last])[::-1]
    text = episodes_block(episodes)
    tokens = count_tokens("\n".join([text, *(message.content for message in messages)]))
    observed = conversation_blocks(caller, conversation, token_budget=token_budget)
    return Window(conversation, text, episodes, messages, tokens, observed)
