"""REST addresses of memories, runs and conversations, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from memory import api, api_context, api_conversations, api_injection, api_slots, api_users
from memory.lifecycle import Verb

# Forgetting is the DELETE of a memory; every other verb is a route.
STANDING = [
    path(f"memories/<str:memory_id>/{verb}", api.StandingView.as_view(verb=verb), name=f"api-memory-{verb}")
    for verb in Verb
    if verb != Verb.FORGET
]

urlpatterns: list[URLPattern] = [
    path("memories", api.MemoriesView.as_view(), name="api-memories"),
    path("memories/search", api.SearchView.as_view(), name="api-memory-search"),
    path("memories/pin-recommendations", api.PinRecommendationsView.as_view(), name="api-pin-recommendations"),
    path("memories/stale", api.StaleView.as_view(), name="api-stale"),
    path("memories/stale/purge", api.PurgeView.as_view(), name="api-stale-purge"),
    path("memories/<str:memory_id>", api.MemoryView.as_view(), name="api-memory"),
    path("memories/<str:memory_id>/weight", api.WeightView.as_view(), name="api-memory-weight"),
    path("memories/<str:memory_id>/history", api.HistoryView.as_view(), name="api-memory-history"),
    path("memories/<str:memory_id>/citations", api.CitationsView.as_view(), name="api-memory-citations"),
    *STANDING,
    # A name may hold slashes, so that the longer addresses come first.
    path("slots/<str:tier>/<path:name>/append", api_slots.AppendView.as_view(), name="api-slot-append"),
    path("slots/<str:tier>/<path:name>/search", api_slots.SlotSearchView.as_view(), name="api-slot-search"),
    path("slots/<str:tier>/<path:name>", api_slots.SlotView.as_view(), name="api-slot"),
    path("users/<path:user>/memory", api_users.UserMemoryView.as_view(), name="api-user-memory"),
    path("context", api_context.ContextView.as_view(), name="api-context"),
    path("receipts/<str:receipt_id>", api_context.ReceiptView.as_view(), name="api-receipt"),
    path("patterns/inject", api_injection.InjectionView.as_view(), name="api-patterns-inject"),
    path("runs", api.RunsView.as_view(), name="api-runs"),
    path("runs/<str:run_id>", api.RunView.as_view(), name="api-run"),
    path("runs/<str:run_id>/finish", api.FinishView.as_view(), name="api-run-finish"),
    path("conversations/<path:conversation>/end", api_conversations.EndView.as_view(), name="api-conversation-end"),
    path(
        "conversations/<path:conversation>/consolidate",
        api_conversations.ConsolidateView.as_view(),
        name="api-consolidate",
    ),
    path("conversations/<path:conversation>/episodes", api_conversations.EpisodesView.as_view(), name="api-episodes"),
    path("conversations/<path:conversation>/window", api_conversations.WindowView.as_view(), name="api-window"),
    # Last, since a key may hold slashes: what is no address of something in a conversation is its key.
    path("conversations/<path:conversation>", api_conversations.ConversationView.as_view(), name="api-conversation"),
]
