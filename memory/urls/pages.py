"""Console addresses of memories, conversations, contexts and runs, under /w/<slug>/."""

from django.urls import URLPattern, path

from core.http.slow_page_marker import waits
from memory.episodes.conversations.pages import act, change_episode, change_statement, detail, listing
from memory.episodes.conversations.view_models import ConversationAction
from memory.memories import pages
from memory.memories.bulk import pages as bulk
from memory.memories.history.pages import revert
from memory.memories.onboarding.pages import connect, key_progress
from memory.memories.proposals.pages import propose
from memory.memories.review import pages as review
from memory.memories.transitions import Verb
from memory.recall.cards.pages import card
from memory.recall.overview.pages import agent_page, home_page
from memory.recall.palette.pages import palette
from memory.recall.receipts import pages as explain
from memory.working_memory.pages import about_you, clear_about_you

MEMORY = "w/<slug:slug>/memory"
SELECTED = f"{MEMORY}/selected"
ONE = f"{MEMORY}/<uuid:memory_id>"
REVIEW = "w/<slug:slug>/review"
ABOUT_YOU = "w/<slug:slug>/about-you"
EXPLAIN = "w/<slug:slug>/explain"
CONVERSATIONS = "w/<slug:slug>/conversations"
STATEMENT = "w/<slug:slug>/statements/<uuid:statement_id>"
CONVERSATION = f"{CONVERSATIONS}/<uuid:conversation_id>"

urlpatterns: list[URLPattern] = [
    path(MEMORY, pages.listing, name="memory"),
    path(f"{MEMORY}/remember", pages.remember_page, name="memory-remember"),
    path(f"{MEMORY}/stale/purge", pages.purge, name="memory-stale-purge"),
    path(f"{SELECTED}/promote", bulk.change_selected, {"verb": Verb.PROMOTE}, name="memory-selected-promote"),
    path(f"{SELECTED}/demote", bulk.change_selected, {"verb": Verb.DEMOTE}, name="memory-selected-demote"),
    path(f"{SELECTED}/pin", bulk.change_selected, {"verb": Verb.PIN}, name="memory-selected-pin"),
    path(f"{SELECTED}/unpin", bulk.change_selected, {"verb": Verb.UNPIN}, name="memory-selected-unpin"),
    path(f"{SELECTED}/suppress", bulk.change_selected, {"verb": Verb.SUPPRESS}, name="memory-selected-suppress"),
    path(f"{SELECTED}/unsuppress", bulk.change_selected, {"verb": Verb.UNSUPPRESS}, name="memory-selected-unsuppress"),
    path(f"{SELECTED}/forget", bulk.change_selected, {"verb": Verb.FORGET}, name="memory-selected-forget"),
    path(f"{SELECTED}/restore", bulk.change_selected, {"verb": Verb.RESTORE}, name="memory-selected-restore"),
    path(f"{SELECTED}/tag", bulk.tag_selected, name="memory-selected-tag"),
    path(f"{SELECTED}/untag", bulk.untag_selected, name="memory-selected-untag"),
    path(f"{SELECTED}/export", bulk.export_selected, name="memory-selected-export"),
    path(ONE, pages.detail, name="memory-detail"),
    path(f"{ONE}/edit", pages.edit, name="memory-edit"),
    path(f"{ONE}/weigh", pages.weigh, name="memory-weigh"),
    path(f"{ONE}/revert", revert, name="memory-revert"),
    path(f"{ONE}/promote", pages.change, {"verb": Verb.PROMOTE}, name="memory-promote"),
    path(f"{ONE}/demote", pages.change, {"verb": Verb.DEMOTE}, name="memory-demote"),
    path(f"{ONE}/pin", pages.change, {"verb": Verb.PIN}, name="memory-pin"),
    path(f"{ONE}/unpin", pages.change, {"verb": Verb.UNPIN}, name="memory-unpin"),
    path(f"{ONE}/suppress", pages.change, {"verb": Verb.SUPPRESS}, name="memory-suppress"),
    path(f"{ONE}/unsuppress", pages.change, {"verb": Verb.UNSUPPRESS}, name="memory-unsuppress"),
    path(f"{ONE}/forget", pages.change, {"verb": Verb.FORGET}, name="memory-forget"),
    path(f"{ONE}/restore", pages.change, {"verb": Verb.RESTORE}, name="memory-restore"),
    path(f"{ONE}/close", pages.change, {"verb": Verb.CLOSE}, name="memory-close"),
    path(f"{ONE}/reopen", pages.change, {"verb": Verb.REOPEN}, name="memory-reopen"),
    path(f"{ONE}/propose", propose, name="memory-propose"),
    path(REVIEW, review.listing, name="review"),
    path(f"{REVIEW}/decide", review.decide, name="review-decide"),
    path(f"{REVIEW}/undo", review.undo, name="review-undo"),
    path(f"{REVIEW}/<uuid:proposal_id>/accept", review.accept, name="review-accept"),
    path(f"{REVIEW}/<uuid:proposal_id>/reject", review.reject, name="review-reject"),
    path(f"{REVIEW}/<uuid:proposal_id>/withdraw", review.withdraw, name="review-withdraw"),
    path("w/<slug:slug>/connect", connect, name="connect"),
    path("w/<slug:slug>/connect/keys/<uuid:key_id>", key_progress, name="connect-key"),
    path("w/<slug:slug>/spaces", pages.spaces, name="spaces"),
    path(ABOUT_YOU, about_you, name="about-you"),
    path(f"{ABOUT_YOU}/clear", clear_about_you, name="about-you-clear"),
    path(CONVERSATIONS, listing, name="conversations"),
    path(CONVERSATION, detail, name="conversation-detail"),
    path(
        f"{CONVERSATION}/consolidate",
        waits(act),
        {"act": ConversationAction.CONSOLIDATE},
        name="conversation-consolidate",
    ),
    path(f"{CONVERSATION}/end", act, {"act": ConversationAction.END}, name="conversation-end"),
    path(f"{CONVERSATION}/delete", act, {"act": ConversationAction.DELETE}, name="conversation-delete"),
    path("w/<slug:slug>/episodes/<uuid:episode_id>/delete", change_episode, {"deletes": True}, name="episode-delete"),
    path(
        "w/<slug:slug>/episodes/<uuid:episode_id>/restore", change_episode, {"deletes": False}, name="episode-restore"
    ),
    path(f"{STATEMENT}/close", change_statement, {"closes": True}, name="statement-close"),
    path(f"{STATEMENT}/reopen", change_statement, {"closes": False}, name="statement-reopen"),
    path(EXPLAIN, explain.contexts, name="explain"),
    path(f"{EXPLAIN}/runs", explain.runs, name="explain-runs"),
    path(f"{EXPLAIN}/runs/<uuid:run_id>", explain.run, name="explain-run"),
    path(f"{EXPLAIN}/search", explain.search_lab, name="explain-search"),
    path("w/<slug:slug>/receipts/<uuid:receipt_id>", explain.receipt, name="receipt"),
    path("w/<slug:slug>/receipts/<uuid:receipt_id>/rerun", explain.rerun, name="receipt-rerun"),
    path("w/<slug:slug>/receipts/<uuid:receipt_id>/reproduce", explain.reproduce, name="receipt-reproduce"),
    path("w/<slug:slug>/home", home_page, name="overview"),
    path("w/<slug:slug>/card", card, name="card"),
    path("w/<slug:slug>/search", palette, name="search"),
    path("w/<slug:slug>/agents/agent", agent_page, name="agent"),
]
