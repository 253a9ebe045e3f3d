"""Every address of the product: REST under /v1, pages everywhere else."""

from __future__ import annotations

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from chat.proxy.api import ProxyChatView, ProxyModelsView
from config import health
from config.docs_files import docs_file
from config.openapi.views import openapi_json, openapi_page
from memory.episodes.api import ConversationByIdView
from transfer.erasure.api import ErasureView, WholeWorkspaceView
from workspaces.accounts.api import WorkspacesView

handler400 = "config.error_handlers.bad_request"
handler403 = "config.error_handlers.forbidden"
handler404 = "config.error_handlers.respond_not_found"
handler500 = "config.error_handlers.server_error"

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("v1/openapi.json", openapi_json, name="openapi"),
    path("v1/docs", openapi_page, name="openapi-page"),
    path("v1/conversations/<str:conversation_id>", ConversationByIdView.as_view(), name="api-conversation-by-id"),
    path("v1/workspaces", WorkspacesView.as_view(), name="api-workspaces"),
    path("v1/workspaces/<str:ws>", WholeWorkspaceView.as_view(), name="api-workspace"),
    path("v1/erasures/<str:erasure_id>", ErasureView.as_view(), name="api-erasure"),
    path("v1/proxy/chat/completions", ProxyChatView.as_view(), name="api-proxy-chat"),
    path("v1/proxy/models", ProxyModelsView.as_view(), name="api-proxy-models"),
    path("v1/workspaces/<str:ws>/", include("workspaces.urls.api")),
    path("v1/workspaces/<str:ws>/", include("llm.urls.api")),
    path("v1/workspaces/<str:ws>/", include("conversations.urls.api")),
    path("v1/workspaces/<str:ws>/", include("ontology.urls.api")),
    path("v1/workspaces/<str:ws>/", include("memory.urls.api")),
    path("v1/workspaces/<str:ws>/", include("chat.urls.api")),
    path("v1/workspaces/<str:ws>/", include("transfer.urls.api")),
    # After memory, which knows the types of nodes: `patterns/inject` is its address, not that of a pattern.
    path("v1/workspaces/<str:ws>/", include("telemetry.urls.api")),
    path("docs/<path:page>", docs_file, name="docs"),
    # The admin's own page neither limits guessing the old password nor leaves an event.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account"), name="staff-password"),
    path("admin/", admin.site.urls),
    path("", include("workspaces.urls.pages")),
    path("", include("workspaces.urls.oauth")),
    path("", include("llm.urls.pages")),
    path("", include("ontology.urls.pages")),
    path("", include("memory.urls.pages")),
    path("", include("chat.urls.pages")),
    path("", include("transfer.urls.pages")),
    path("", include("telemetry.urls.pages")),
]
