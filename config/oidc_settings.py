"""Settings of signing in with an OpenID Connect provider, read from the environment."""

from __future__ import annotations

from core.env import Environment
from core.http.oidc import OidcSettings


def read_oidc_settings(env: Environment) -> OidcSettings:
    """Return what `OIDC_…` says; without an issuer people sign in with passwords only."""
    return OidcSettings(
        issuer=env.text("OIDC_ISSUER").rstrip("/"),
        client_id=env.text("OIDC_CLIENT_ID"),
        client_secret=env.text("OIDC_CLIENT_SECRET"),
        name=env.text("OIDC_NAME", "single sign-on"),
        allowed_domains=tuple(name.lower().lstrip("@") for name in env.names("OIDC_ALLOWED_DOMAINS")),
        hosts=tuple(env.names("OIDC_HOSTS")),
        is_only=env.flag("OIDC_ONLY"),
        asks_code=env.flag("OIDC_ASKS_CODE", default=True),
    )
