"""REST addresses of conversations, under /v1/workspaces/{ws}/. A conversation is named by its key or its id."""

from django.urls import URLPattern, path

from conversations.messages.api import ConversationsView, MessagesView
from conversations.search.api import MessageSearchView, RecallView

urlpatterns: list[URLPattern] = [
    path("conversations", ConversationsView.as_view(), name="api-conversations"),
    path("messages/search", MessageSearchView.as_view(), name="api-message-search"),
    path("conversations/<path:conversation>/recall", RecallView.as_view(), name="api-recall"),
    path("conversations/<path:conversation>/messages", MessagesView.as_view(), name="api-messages"),
]
