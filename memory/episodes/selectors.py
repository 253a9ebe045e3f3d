"""Reading conversations for the people who look after them: what was said, and what became episodes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery, Sum
from django.db.models.functions import Left

from conversations.messages.selectors import conversations_by_use, with_counts
from conversations.models import Conversation, Message
from core.errors import NotFoundError
from memory.models import EpisodeStatement, MemoryEpisode, MemoryEpisodeQuerySet
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import TenantQuerySet

CHARACTERS_OF_LAST_WORDS = 300


@dataclass(frozen=True, slots=True)
class Summed:
    """What a conversation's episodes amount to: how many there are, and how many turns they stand for."""

    episodes: int = 0
    turns: int = 0


def conversations_listed(caller: Caller) -> QuerySet[Conversation]:
    """Return the workspace's conversations with `used_at`, `message_count` and the beginning of the last message, for
    an open scope."""
    said = Message.objects.filter(conversation=OuterRef("id")).order_by("-created_at", "-id")
    beginning = said.annotate(beginning=Left("content", CHARACTERS_OF_LAST_WORDS)).values("beginning")[:1]
    return with_counts(conversations_by_use(caller)).annotate(last_words=Subquery(beginning))


def sums_of_episodes(caller: Caller, conversations: Iterable[Conversation]) -> dict[UUID, Summed]:
    """Return what the episodes of each conversation amount to, for an open scope; those without any are not in it."""
    live = (
        MemoryEpisode.objects.of(caller)
        .live()
        .filter(conversation__in=[conversation.id for conversation in conversations])
    )
    summed = live.values("conversation").annotate(count=Count("id"), turns=Sum("turn_count"))
    return {row["conversation"]: Summed(row["count"], row["turns"]) for row in summed}


def conversation_episodes(caller: Caller, conversation: Conversation | UUID) -> MemoryEpisodeQuerySet:
    """Return the summaries of a conversation's older messages, the newest first, for an open scope."""
    mine = MemoryEpisode.objects.of(caller).live().filter(conversation=conversation)
    return mine.newest_first()


def episodes_with_statements(caller: Caller, conversation: Conversation | UUID) -> MemoryEpisodeQuerySet:
    """Return `conversation_episodes`, each with its `statements_in_order`, for an open scope."""
    return conversation_episodes(caller, conversation).prefetch_related(statements_in_order(caller))


def episodes_with_deleted(caller: Caller, conversation: Conversation | UUID) -> MemoryEpisodeQuerySet:
    """Return the same with deleted ones among them, for those who may restore them."""
    mine = MemoryEpisode.objects.of(caller).filter(conversation=conversation)
    return mine.newest_first().prefetch_related(statements_in_order(caller))


def access_episode(caller: Caller, episode_id: UUID) -> MemoryEpisode:
    """Return a live episode with its `statements_in_order`. Raises NotFoundError."""
    with workspace_scope(caller):
        live = MemoryEpisode.objects.of(caller).live().filter(id=episode_id)
        found = live.prefetch_related(statements_in_order(caller)).first()
    if found is None:
        raise NotFoundError()
    return found


def access_statement(caller: Caller, statement_id: UUID) -> EpisodeStatement:
    """Return a statement of a live episode. Raises NotFoundError."""
    with workspace_scope(caller):
        known = EpisodeStatement.objects.of(caller).filter(id=statement_id, episode__is_deleted=False)
        found = known.defer("vector", "words").first()
    if found is None:
        raise NotFoundError()
    return found


def statements_in_order(caller: Caller) -> Prefetch[str, TenantQuerySet[EpisodeStatement], str]:
    """Return what reads the statements of episodes along with them, in the order in which they were said."""
    rows = EpisodeStatement.objects.of(caller).order_by("position").defer("vector", "words")
    return Prefetch("statements", rows, to_attr="statements_in_order")
