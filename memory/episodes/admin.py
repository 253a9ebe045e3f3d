"""Staff pages of episodes: what remains of old messages; they can be deleted and restored, and nothing else changed."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from core.text import excerpt
from memory.episodes.services.episode_deletion import delete_episode, restore_episode
from memory.models import EpisodeStatement, MemoryEpisode
from workspaces.http.admin_base import TenantAdmin, TenantInline, staff_caller


class StatementInline(TenantInline):
    """The sentences that an episode keeps, in their order."""

    model = EpisodeStatement
    fields = readonly_fields = ("text", "kind", "said_at", "speaker", "confidence", "valid_to")
    ordering = ("position",)


@admin.register(MemoryEpisode)
class EpisodeAdmin(TenantAdmin):
    """Summaries that stand for older messages, deleted ones among them."""

    object_type = "episode"
    actions = ("delete_softly", "restore")
    list_display = ("beginning", "conversation", "turn_count", "period_end", "is_deleted", "created_at")
    list_filter = ("is_deleted",)
    list_select_related = ("conversation",)
    ordering = ("-id",)
    inlines = (StatementInline,)
    fields = readonly_fields = (
        *("summary", "conversation", "turn_count", "period_start", "period_end", "is_deleted", "created_at"),
    )

    @admin.display(description="Summary")
    def beginning(self, episode: MemoryEpisode) -> str:
        return excerpt(episode.summary, limit=100)

    @admin.action(description="Delete the selected episodes; they can be restored")
    def delete_softly(self, request: HttpRequest, episodes: QuerySet[MemoryEpisode]) -> None:
        if _apply_to_each(request, episodes, delete_episode):
            messages.success(request, "Deleted. They are in no context, search or chat from now on.")

    @admin.action(description="Restore the selected episodes")
    def restore(self, request: HttpRequest, episodes: QuerySet[MemoryEpisode]) -> None:
        if _apply_to_each(request, episodes, restore_episode):
            messages.success(request, "Restored.")


@admin.register(EpisodeStatement)
class StatementAdmin(TenantAdmin):
    """Statements of all episodes, the newest first."""

    object_type = "statement"
    actions = None
    list_display = ("beginning", "kind", "speaker", "said_at", "confidence", "valid_to")
    list_filter = ("kind",)
    ordering = ("-id",)
    fields = readonly_fields = ("text", "kind", "speaker", "said_at", "confidence", "valid_to", "episode", "position")

    @admin.display(description="Statement")
    def beginning(self, statement: EpisodeStatement) -> str:
        return excerpt(statement.text, limit=100)


def _apply_to_each(
    request: HttpRequest, episodes: QuerySet[MemoryEpisode], change: Callable[..., MemoryEpisode]
) -> bool:
    caller = staff_caller(request)
    if caller is None:
        return False
    for episode_id, space_id in episodes.values_list("id", "space_id"):
        change(caller=caller.within(space_id), episode_id=episode_id)
    return True
