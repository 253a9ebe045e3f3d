"""Console addresses: signing in, `/`, and a workspace's settings under /w/<slug>/."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, path

from workspaces import pages

urlpatterns: list[URLPattern] = [
    path("", pages.home, name="home"),
    path("sign-in", pages.SignIn.as_view(), name="sign-in"),
    path("sign-out", LogoutView.as_view(), name="sign-out"),
    path("w/<slug:slug>", pages.begin, name="workspace"),
    path("w/<slug:slug>/settings/memory", pages.memory_settings_page, name="settings-memory"),
    path("w/<slug:slug>/settings/memory/switch", pages.memory_switch, name="settings-memory-switch"),
    path("w/<slug:slug>/settings/api-keys", pages.api_keys, name="settings-api-keys"),
    path("w/<slug:slug>/settings/api-keys/new", pages.api_key_new, name="settings-api-key-new"),
    path("w/<slug:slug>/settings/apps", pages.connected_apps, name="settings-apps"),
    path("w/<slug:slug>/settings/apps/<uuid:app_id>/withdraw", pages.app_withdraw, name="settings-app-withdraw"),
    path("w/<slug:slug>/settings/api-keys/<uuid:key_id>/revoke", pages.api_key_revoke, name="settings-api-key-revoke"),
]
