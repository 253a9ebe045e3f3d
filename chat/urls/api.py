"""REST addresses of the chat, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from chat import api

urlpatterns: list[URLPattern] = [path("chat", api.ChatView.as_view(), name="api-chat")]
