"""Console addresses of asking, under /w/<slug>/explain/ask, and those that it had before."""

from django.urls import URLPattern, path

from chat import pages

ASK = "w/<slug:slug>/explain/ask"
OLD = "w/<slug:slug>/chat"

urlpatterns: list[URLPattern] = [
    path(ASK, pages.ask, name="ask"),
    path(f"{ASK}/<uuid:conversation_id>", pages.conversation, name="ask-conversation"),
    path(f"{ASK}/<uuid:conversation_id>/<uuid:message_id>", pages.recompute, name="ask-recompute"),
    path(OLD, pages.redirect_old_address, name="chat"),
    path(f"{OLD}/<uuid:conversation_id>", pages.redirect_old_address, name="chat-conversation"),
    path("w/<slug:slug>/ontology/ask", pages.redirect_old_address, name="ontology-ask"),
]
