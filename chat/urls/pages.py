"""Console addresses of the chat, under /w/<slug>/chat."""

from django.urls import URLPattern, path

from chat import pages

CHAT = "w/<slug:slug>/chat"

urlpatterns: list[URLPattern] = [
    path(CHAT, pages.chat, name="chat"),
    path(f"{CHAT}/<uuid:conversation_id>", pages.conversation, name="chat-conversation"),
]
