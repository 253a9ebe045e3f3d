"""REST addresses of a workspace itself, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from workspaces.accounts.api import MembersView
from workspaces.http.spaces_api import SpacesView
from workspaces.keys.api import KeysView, KeyView
from workspaces.settings.api import SettingsView, ToggleView

urlpatterns: list[URLPattern] = [
    path("settings", SettingsView.as_view(), name="api-settings"),
    path("memory/enable", ToggleView.as_view(enabled=True), name="api-memory-enable"),
    path("memory/disable", ToggleView.as_view(enabled=False), name="api-memory-disable"),
    path("api-keys", KeysView.as_view(), name="api-keys"),
    path("api-keys/<str:key_id>", KeyView.as_view(), name="api-key"),
    path("members", MembersView.as_view(), name="api-members"),
    path("spaces", SpacesView.as_view(), name="api-spaces"),
]
