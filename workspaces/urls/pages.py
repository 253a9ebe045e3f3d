"""Console addresses: signing in, `/`, and a workspace's settings under /w/<slug>/."""

from django.contrib.auth.views import LogoutView
from django.urls import URLPattern, path

from core.http.slow_page_marker import waits
from workspaces.access.activity.pages import activity, activity_export
from workspaces.accounts.members.pages import invitation_withdraw, join, member_remove, member_role, members
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
from workspaces.accounts.password_reset.pages import NewPassword, reset_request, reset_request_receipt
from workspaces.accounts.security.pages import account, password, second_factor_add, second_factor_remove
from workspaces.accounts.single_sign_on.pages import provider_answer, provider_start, sign_in_code
from workspaces.keys.pages import api_key_new, api_key_revoke, api_keys
from workspaces.oauth.pages import app_withdraw, connected_apps
from workspaces.settings.pages import (
    memory_settings_page,
    memory_switch,
    retention_settings_page,
    review_policy_change,
)

urlpatterns: list[URLPattern] = [
    path("", home, name="home"),
    path("sign-in", SignIn.as_view(), name="sign-in"),
    path("sign-in/forgotten", reset_request, name="password-forgotten"),
    path("sign-in/forgotten/asked", reset_request_receipt, name="password-forgotten-asked"),
    path("sign-in/provider", waits(provider_start), name="sign-in-provider"),
    path("sign-in/provider/answer", waits(provider_answer), name="sign-in-provider-answer"),
    path("sign-in/code", sign_in_code, name="sign-in-code"),
    path("sign-in/password/<str:uidb64>/<str:token>", NewPassword.as_view(), name="password-reset"),
    path("sign-out", LogoutView.as_view(), name="sign-out"),
    path("account", account, name="account"),
    path("account/password", password, name="account-password"),
    path("account/second-factor", second_factor_add, name="account-factor-add"),
    path("account/second-factor/remove", second_factor_remove, name="account-factor-remove"),
    path("workspaces", my_workspaces, name="my-workspaces"),
    path("invitations/<uuid:invitation_id>/accept", invitation_accept, name="invitation-accept"),
    path("invitations/<uuid:invitation_id>/decline", invitation_decline, name="invitation-decline"),
    path("join/<str:token>", join, name="join"),
    path("w/<slug:slug>", begin, name="workspace"),
    path("w/<slug:slug>/settings/memory", memory_settings_page, name="settings-memory"),
    path("w/<slug:slug>/settings/memory/switch", memory_switch, name="settings-memory-switch"),
    path("w/<slug:slug>/settings/memory/review", review_policy_change, name="settings-memory-review"),
    path("w/<slug:slug>/settings/retention", retention_settings_page, name="settings-retention"),
    path("w/<slug:slug>/settings/api-keys", api_keys, name="settings-api-keys"),
    path("w/<slug:slug>/settings/api-keys/new", api_key_new, name="settings-api-key-new"),
    path("w/<slug:slug>/settings/spaces", spaces, name="settings-spaces"),
    path("w/<slug:slug>/settings/spaces/<uuid:grant_id>/withdraw", grant_withdraw, name="settings-grant-withdraw"),
    path("w/<slug:slug>/settings/members", members, name="settings-members"),
    path("w/<slug:slug>/settings/members/withdraw", invitation_withdraw, name="settings-invitation-withdraw"),
    path("w/<slug:slug>/settings/members/<uuid:user_id>/role", member_role, name="settings-member-role"),
    path("w/<slug:slug>/settings/members/<uuid:user_id>/remove", member_remove, name="settings-member-remove"),
    path("w/<slug:slug>/settings/activity", activity, name="settings-activity"),
    path("w/<slug:slug>/settings/activity/csv", waits(activity_export), {"kind": "csv"}, name="settings-activity-csv"),
    path(
        "w/<slug:slug>/settings/activity/jsonl",
        waits(activity_export),
        {"kind": "jsonl"},
        name="settings-activity-jsonl",
    ),
    path("w/<slug:slug>/settings/apps", connected_apps, name="settings-apps"),
    path("w/<slug:slug>/settings/apps/<uuid:app_id>/withdraw", app_withdraw, name="settings-app-withdraw"),
    path("w/<slug:slug>/settings/api-keys/<uuid:key_id>/revoke", api_key_revoke, name="settings-api-key-revoke"),
]
