"""REST addresses of conversations, under /v1/workspaces/{ws}/. A conversation is named by its key or its id."""

from django.urls import URLPattern, path

from conversations.messages.api import ConversationsView, MessagesView
from conversations.plans.api import BriefingView, IterationsView, PlanView, TasksView
from conversations.search.api import MessageSearchView, RecallView

urlpatterns: list[URLPattern] = [
    path("conversations", ConversationsView.as_view(), name="api-conversations"),
    path("messages/search", MessageSearchView.as_view(), name="api-message-search"),
    path("conversations/<path:conversation>/recall", RecallView.as_view(), name="api-recall"),
    path("conversations/<path:conversation>/messages", MessagesView.as_view(), name="api-messages"),
    path("conversations/<path:conversation>/plan", PlanView.as_view(), name="api-plan"),
    path("conversations/<path:conversation>/iterations", TasksView.as_view(), name="api-tasks"),
    path(
        "conversations/<path:conversation>/iterations/<path:task_key>/briefing",
        BriefingView.as_view(),
        name="api-briefing",
    ),
    path(
        "conversations/<path:conversation>/iterations/<path:task_key>",
        IterationsView.as_view(),
        name="api-iterations",
    ),
]
