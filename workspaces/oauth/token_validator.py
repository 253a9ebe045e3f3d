"""Where django-oauth-toolkit asks whether a token may be given: no connected app, no token."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.hashers import check_password
from django.db import IntegrityError, transaction
from oauth2_provider.models import Application, Grant, RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2 import InvalidGrantError

from core.clock import utc_now
from workspaces.access.login_throttle import count_slow_check, hashing_place
from workspaces.keys.secrets import CLIENT_SECRET_HASH_PREFIX, client_secret_hash, is_client_secret
from workspaces.oauth.services.connected_apps import (
    InvalidTokenError,
    access_connected_app,
    bind_tokens,
    narrow_binding,
    withdraw_replayed,
)

# In place of the PKCE method, which is S256 of every code that was not exchanged.
EXCHANGED = "exchanged"
# Checks of secrets that were hashed like passwords count as those of one client.
SLOW_CHECKS = "client secrets"
# In place of the nonce, which only OpenID Connect has: the code came back while it was being exchanged.
REPLAYED = "replayed"


class ConnectedAppValidator(OAuth2Validator):  # type: ignore[misc]  # django-oauth-toolkit ships no types
    """The library's rules, and ours: tokens are renewed for as long as the app is connected that they were made for."""

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> bool:
        if not super().validate_refresh_token(refresh_token, client, request, *args, **kwargs):
            return False
        found = request.refresh_token_instance
        try:
            app, person = access_connected_app(user=found.user, app_id=found.token_family)
            narrow_binding(app, person)
        except InvalidTokenError:
            return False
        return True

    def validate_code(self, client_id: str, code: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> bool:
        """Let the first exchange of a code go on, whatever comes of it (RFC 6749, 4.1.2).

        A wrong verifier ends the code. A code that gave tokens and comes back ends the connection: two parties have it.
        """
        grants = Grant.objects.filter(code=code, application=client)
        if super().validate_code(client_id, code, client, request, *args, **kwargs):
            now = utc_now()
            return bool(grants.filter(expires__gt=now).update(expires=now))
        # An exchange under way sees the mark before it keeps its tokens, or this update waits until it has kept them.
        grants.update(nonce=REPLAYED)
        if replayed := grants.filter(code_challenge_method=EXCHANGED).select_related("user").first():
            withdraw_replayed(user=replayed.user, client_id=client.client_id)
        return False

    def invalidate_authorization_code(self, client_id: str, code: str, request: Any, *args: Any, **kwargs: Any) -> None:
        # The row stays until the daily cleaning of expired ones, so that a second use is recognised.
        Grant.objects.filter(code=code, application=request.client).update(code_challenge_method=EXCHANGED)

    def _check_secret(self, provided_secret: str, stored_secret: str) -> bool:
        """Compare hashes that cost nothing to compute. Raises TooManyExchangesError for former, slow ones."""
        if not provided_secret or not stored_secret:
            return False
        if stored_secret.startswith(CLIENT_SECRET_HASH_PREFIX):
            return is_client_secret(provided_secret, stored_secret)
        former = Application.objects.filter(client_secret=stored_secret)
        count_slow_check()
        with hashing_place(SLOW_CHECKS):
            if not check_password(provided_secret, stored_secret):
                return False
        former.update(client_secret=client_secret_hash(provided_secret), hash_client_secret=False)
        return True

    def save_bearer_token(self, token: dict[str, Any], request: Any, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            try:
                with transaction.atomic():
                    super().save_bearer_token(token, request, *args, **kwargs)
            except (RefreshToken.DoesNotExist, IntegrityError) as error:  # withdrawn, or renewed, since we looked
                raise InvalidGrantError(request=request) from error
            if request.grant_type == "authorization_code":
                self._end_code(request)
                bind_tokens(
                    user=request.user, client_id=request.client.client_id, refresh_secret=token["refresh_token"]
                )

    def _end_code(self, request: Any) -> None:
        """Mark a code as exchanged, together with its tokens. Raises InvalidGrantError for one that has come back."""
        grant = Grant.objects.select_for_update().get(code=request.code, application=request.client)
        if grant.nonce == REPLAYED:
            raise InvalidGrantError(request=request)
        Grant.objects.filter(pk=grant.pk).update(code_challenge_method=EXCHANGED)
