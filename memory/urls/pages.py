"""Console addresses of memories, conversations and receipts, under /w/<slug>/."""

from django.urls import URLPattern, path

from memory.episodes import pages as episodes_pages
from memory.episodes.pages import detail, listing
from memory.episodes.view_models import ConversationAction
from memory.memories import pages
from memory.memories.transitions import Verb
from memory.recall.pages import receipt

MEMORY = "w/<slug:slug>/memory"
ONE = f"{MEMORY}/<uuid:memory_id>"
CONVERSATIONS = "w/<slug:slug>/conversations"
CONVERSATION = f"{CONVERSATIONS}/<uuid:conversation_id>"

urlpatterns: list[URLPattern] = [
    path(MEMORY, pages.listing, name="memory"),
    path(f"{MEMORY}/remember", pages.remember_page, name="memory-remember"),
    path(f"{MEMORY}/stale/purge", pages.purge, name="memory-purge"),
    path(ONE, pages.detail, name="memory-detail"),
    path(f"{ONE}/edit", pages.edit, name="memory-edit"),
    path(f"{ONE}/weigh", pages.weigh, name="memory-weigh"),
    *[path(f"{ONE}/{verb}", pages.change, {"verb": verb}, name=f"memory-{verb}") for verb in Verb],
    path(CONVERSATIONS, listing, name="conversations"),
    path(CONVERSATION, detail, name="conversation-detail"),
    *[
        path(f"{CONVERSATION}/{act}", episodes_pages.act, {"act": act}, name=f"conversation-{act}")
        for act in ConversationAction
    ],
    path("w/<slug:slug>/receipts/<uuid:receipt_id>", receipt, name="receipt"),
]
