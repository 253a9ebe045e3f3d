"""Console addresses of memories, conversations and receipts, under /w/<slug>/."""

from django.urls import URLPattern, path

from memory import pages, pages_conversations
from memory.console_conversations import Act
from memory.lifecycle import Verb

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
    path(CONVERSATIONS, pages_conversations.listing, name="conversations"),
    path(CONVERSATION, pages_conversations.detail, name="conversation-detail"),
    *[path(f"{CONVERSATION}/{act}", pages_conversations.act, {"act": act}, name=f"conversation-{act}") for act in Act],
    path("w/<slug:slug>/receipts/<uuid:receipt_id>", pages_conversations.receipt, name="receipt"),
]
