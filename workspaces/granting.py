"""Where django-oauth-toolkit asks whether a token may be given: no connected app, no token."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from oauth2_provider.models import RefreshToken
from oauth2_provider.oauth2_validators import OAuth2Validator
from oauthlib.oauth2 import InvalidGrantError

from workspaces.services.connecting import InvalidTokenError, access_connected_app, bind_tokens


class ConnectedAppValidator(OAuth2Validator):  # type: ignore[misc]  # django-oauth-toolkit ships no types
    """The library's rules, and ours: tokens are renewed for as long as the app is connected that they were made for."""

    def validate_refresh_token(self, refresh_token: str, client: Any, request: Any, *args: Any, **kwargs: Any) -> bool:
        if not super().validate_refresh_token(refresh_token, client, request, *args, **kwargs):
            return False
        found = request.refresh_token_instance
        try:
            access_connected_app(user=found.user, app_id=found.token_family)
        except InvalidTokenError:
            return False
        return True

    def save_bearer_token(self, token: dict[str, Any], request: Any, *args: Any, **kwargs: Any) -> None:
        with transaction.atomic():
            try:
                super().save_bearer_token(token, request, *args, **kwargs)
            except RefreshToken.DoesNotExist as error:  # the app was withdrawn since we looked
                raise InvalidGrantError(request=request) from error
            if request.grant_type == "authorization_code":
                bind_tokens(
                    user=request.user, client_id=request.client.client_id, refresh_secret=token["refresh_token"]
                )
