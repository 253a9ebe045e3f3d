"""REST addresses of a workspace itself, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from workspaces import api

urlpatterns: list[URLPattern] = [
    path("settings", api.SettingsView.as_view(), name="api-settings"),
    path("memory/enable", api.ToggleView.as_view(enabled=True), name="api-memory-enable"),
    path("memory/disable", api.ToggleView.as_view(enabled=False), name="api-memory-disable"),
    path("api-keys", api.KeysView.as_view(), name="api-keys"),
    path("api-keys/<str:key_id>", api.KeyView.as_view(), name="api-key"),
    path("members", api.MembersView.as_view(), name="api-members"),
]
