"""REST addresses of conversations, under /v1/workspaces/{ws}/. A conversation is named by its key or its id."""

from django.urls import URLPattern, path

from conversations import api

urlpatterns: list[URLPattern] = [
    path("conversations", api.ConversationsView.as_view(), name="api-conversations"),
    path("messages/search", api.SearchView.as_view(), name="api-message-search"),
    path("conversations/<path:conversation>/recall", api.RecallView.as_view(), name="api-recall"),
    path("conversations/<path:conversation>/messages", api.MessagesView.as_view(), name="api-messages"),
]
