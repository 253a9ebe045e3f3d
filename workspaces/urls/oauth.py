"""OAuth addresses, under the names by which django-oauth-toolkit's metadata looks for them."""

from django.urls import URLPattern, path
from oauth2_provider.views import OAuthServerMetadataView

from workspaces.oauth import endpoints

app_name = "oauth2_provider"
WELL_KNOWN = ".well-known"

urlpatterns: list[URLPattern] = [
    path(f"{WELL_KNOWN}/oauth-authorization-server", OAuthServerMetadataView.as_view(), name="oauth-server-metadata"),
    path(
        f"{WELL_KNOWN}/oauth-protected-resource", endpoints.ProtectedResource.as_view(), name="oauth-resource-metadata"
    ),
    path(f"{WELL_KNOWN}/oauth-protected-resource{endpoints.RESOURCE}", endpoints.ProtectedResource.as_view()),
    path("oauth/register", endpoints.register, name="dcr-register"),
    path("oauth/authorize", endpoints.authorize, name="authorize"),
    path("oauth/token", endpoints.token, name="token"),
    path("oauth/revoke", endpoints.revoke, name="revoke-token"),
]
