"""REST addresses of memories, runs and conversations, under /v1/workspaces/{ws}/."""

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, path

from memory.citations.api import CitationsView, FinishView, RunsView, RunView
from memory.episodes.api import (
    AddView,
    ConsolidateView,
    ConversationView,
    EndView,
    EpisodeRestoreView,
    EpisodesView,
    EpisodeView,
)
from memory.memories.api import (
    HistoryView,
    MemoriesView,
    MemorySearchView,
    MemoryView,
    PinRecommendationsView,
    PurgeView,
    StaleView,
    StandingView,
    SuppressView,
    WeightView,
)
from memory.memories.proposals.api import (
    AcceptView,
    ProposalsView,
    ProposalView,
    ProposeView,
    RejectView,
)
from memory.memories.review.api import DecideView, ReviewView, VerdictUndoView
from memory.memories.sessions.api import (
    SessionMemoriesView,
    SessionMemoryView,
    SessionPromotionView,
    SessionSearchView,
)
from memory.memories.transitions import Verb, needs_facts_right
from memory.models import Kind
from memory.recall.api import ContextView, InjectionView, WindowView
from memory.recall.receipts.api import ReceiptsView, ReceiptView, ReproductionView, RerunView
from memory.working_memory.api import AppendView, SlotSearchView, SlotView, UserMemoryView
from workspaces.access.callers import Right

# What a verb needs of every memory; a fact may need more, which the service asks for.
RIGHTS = {verb: Right.FACTS if needs_facts_right(verb, kind=Kind.MEMORY) else Right.WRITE for verb in Verb}


def _transition(verb: Verb) -> Callable[..., HttpResponseBase]:
    view = SuppressView if verb == Verb.SUPPRESS else StandingView
    return view.as_view(verb=verb, rights={"POST": RIGHTS[verb]})


urlpatterns: list[URLPattern] = [
    path("memories", MemoriesView.as_view(), name="api-memories"),
    path("memories/search", MemorySearchView.as_view(), name="api-memory-search"),
    path("memories/pin-recommendations", PinRecommendationsView.as_view(), name="api-pin-recommendations"),
    path("memories/stale", StaleView.as_view(), name="api-stale"),
    path("memories/stale/purge", PurgeView.as_view(), name="api-stale-purge"),
    path("memories/<str:memory_id>", MemoryView.as_view(), name="api-memory"),
    path("memories/<str:memory_id>/weight", WeightView.as_view(), name="api-memory-weight"),
    path("memories/<str:memory_id>/history", HistoryView.as_view(), name="api-memory-history"),
    path("memories/<str:memory_id>/citations", CitationsView.as_view(), name="api-memory-citations"),
    # Forgetting is the DELETE of a memory; every other verb is a route.
    path("memories/<str:memory_id>/promote", _transition(Verb.PROMOTE), name="api-memory-promote"),
    path("memories/<str:memory_id>/demote", _transition(Verb.DEMOTE), name="api-memory-demote"),
    path("memories/<str:memory_id>/pin", _transition(Verb.PIN), name="api-memory-pin"),
    path("memories/<str:memory_id>/unpin", _transition(Verb.UNPIN), name="api-memory-unpin"),
    path("memories/<str:memory_id>/suppress", _transition(Verb.SUPPRESS), name="api-memory-suppress"),
    path("memories/<str:memory_id>/unsuppress", _transition(Verb.UNSUPPRESS), name="api-memory-unsuppress"),
    path("memories/<str:memory_id>/restore", _transition(Verb.RESTORE), name="api-memory-restore"),
    path("memories/<str:memory_id>/close", _transition(Verb.CLOSE), name="api-memory-close"),
    path("memories/<str:memory_id>/reopen", _transition(Verb.REOPEN), name="api-memory-reopen"),
    path("memories/<str:memory_id>/propose", ProposeView.as_view(), name="api-memory-propose"),
    path("proposals", ProposalsView.as_view(), name="api-proposals"),
    path("proposals/<str:proposal_id>", ProposalView.as_view(), name="api-proposal"),
    path("proposals/<str:proposal_id>/accept", AcceptView.as_view(), name="api-proposal-accept"),
    path("proposals/<str:proposal_id>/reject", RejectView.as_view(), name="api-proposal-reject"),
    path("review", ReviewView.as_view(), name="api-review"),
    path("review/verdicts/<str:verdict_id>/undo", VerdictUndoView.as_view(), name="api-review-undo"),
    path("review/<str:item_id>/decide", DecideView.as_view(), name="api-review-decide"),
    # A name may hold slashes, so that the longer addresses come first.
    path("slots/<str:tier>/<path:name>/append", AppendView.as_view(), name="api-slot-append"),
    path("slots/<str:tier>/<path:name>/search", SlotSearchView.as_view(), name="api-slot-search"),
    path("slots/<str:tier>/<path:name>", SlotView.as_view(), name="api-slot"),
    path("users/<path:user>/memory", UserMemoryView.as_view(), name="api-user-memory"),
    path("add", AddView.as_view(), name="api-add"),
    path("context", ContextView.as_view(), name="api-context"),
    path("receipts", ReceiptsView.as_view(), name="api-receipts"),
    path("receipts/<str:receipt_id>/reproduce", ReproductionView.as_view(), name="api-receipt-reproduce"),
    path("receipts/<str:receipt_id>/rerun", RerunView.as_view(), name="api-receipt-rerun"),
    path("receipts/<str:receipt_id>", ReceiptView.as_view(), name="api-receipt"),
    path("patterns/inject", InjectionView.as_view(), name="api-patterns-inject"),
    path("runs", RunsView.as_view(), name="api-runs"),
    path("runs/<str:run_id>", RunView.as_view(), name="api-run"),
    path("runs/<str:run_id>/finish", FinishView.as_view(), name="api-run-finish"),
    path("episodes/<str:episode_id>", EpisodeView.as_view(), name="api-episode"),
    path("episodes/<str:episode_id>/restore", EpisodeRestoreView.as_view(), name="api-episode-restore"),
    path("conversations/<path:conversation>/end", EndView.as_view(), name="api-conversation-end"),
    path(
        "conversations/<path:conversation>/consolidate",
        ConsolidateView.as_view(),
        name="api-consolidate",
    ),
    path("conversations/<path:conversation>/episodes", EpisodesView.as_view(), name="api-episodes"),
    path("conversations/<path:conversation>/memories/search", SessionSearchView.as_view(), name="api-session-search"),
    path("conversations/<path:conversation>/memories", SessionMemoriesView.as_view(), name="api-session-memories"),
    path("conversations/<path:conversation>/window", WindowView.as_view(), name="api-window"),
    # Behind the others, or a key such as `a/memories` would lose what follows it.
    path(
        "conversations/<path:conversation>/memories/<str:session_memory_id>/promote",
        SessionPromotionView.as_view(),
        name="api-session-memory-promote",
    ),
    path(
        "conversations/<path:conversation>/memories/<str:session_memory_id>",
        SessionMemoryView.as_view(),
        name="api-session-memory",
    ),
    # Last, since a key may hold slashes: what is not an address of something in a conversation is its key.
    path("conversations/<path:conversation>", ConversationView.as_view(), name="api-conversation"),
]
