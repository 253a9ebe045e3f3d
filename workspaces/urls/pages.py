"""Console addresses: signing in, `/`, and a workspace's settings under /w/<slug>/."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, path

from workspaces.accounts.pages import (
    SignIn,
    begin,
    grant_withdraw,
    home,
    invitation_accept,
    invitation_decline,
    my_workspaces,
    spaces,
)
from workspaces.keys.pages import api_key_new, api_key_revoke, api_keys
from workspaces.oauth.pages import app_withdraw, connected_apps
from workspaces.settings.pages import memory_settings_page, memory_switch, review_policy_change

urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("sign-in", SignIn.as_view(), name="sign-in"),
    path("sign-out", LogoutView.as_view(), name="sign-out"),
    path("workspaces", my_workspaces, name="my-workspaces"),
    path("invitations/<uuid:invitation_id>/accept", invitation_accept, name="invitation-accept"),
    path("invitations/<uuid:invitation_id>/decline", invitation_decline, name="invitation-decline"),
    path("w/<slug:slug>", begin, name="workspace"),
    path("w/<slug:slug>/settings/memory", memory_settings_page, name="settings-memory"),
    path("w/<slug:slug>/settings/memory/switch", memory_switch, name="settings-memory-switch"),
    path("w/<slug:slug>/settings/memory/review", review_policy_change, name="settings-memory-review"),
    path("w/<slug:slug>/settings/api-keys", api_keys, name="settings-api-keys"),
    path("w/<slug:slug>/settings/api-keys/new", api_key_new, name="settings-api-key-new"),
    path("w/<slug:slug>/settings/spaces", spaces, name="settings-spaces"),
    path("w/<slug:slug>/settings/spaces/<uuid:grant_id>/withdraw", grant_withdraw, name="settings-grant-withdraw"),
    path("w/<slug:slug>/settings/apps", connected_apps, name="settings-apps"),
    path("w/<slug:slug>/settings/apps/<uuid:app_id>/withdraw", app_withdraw, name="settings-app-withdraw"),
    path("w/<slug:slug>/settings/api-keys/<uuid:key_id>/revoke", api_key_revoke, name="settings-api-key-revoke"),
]
