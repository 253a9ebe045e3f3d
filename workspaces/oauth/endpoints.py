"""OAuth 2.1 for programs that connect by a person's signing in: registration, consent, tokens, metadata.

The protocol is django-oauth-toolkit's; what is ours is who may register, the page on which a person chooses, and that
there are two protected resources: the MCP door, which tokens open, and REST, for which a program on the person's own
machine is given an API key.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, cast
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

from django.conf import settings
from django.db import DataError, transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from oauth2_provider.exceptions import OAuthToolkitError
from oauth2_provider.models import AccessToken
from oauth2_provider.oauth2_validators import validate_resource_as_url_prefix
from oauth2_provider.settings import oauth2_settings
from oauth2_provider.views import (
    AuthorizationView,
    OAuthProtectedResourceMetadataView,
    RevokeTokenView,
    TokenView,
)
from oauthlib.oauth2 import InvalidClientIdError, InvalidRequestError
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, OAuth2Error

from core.clock import utc_now
from core.errors import ProductError
from core.http.problems import problem_headers
from core.text import has_forbidden_characters
from workspaces.access.callers import RIGHTS_OF_ROLE, Right
from workspaces.access.client_address import client_address
from workspaces.access.login_throttle import count_exchange, note_exchange
from workspaces.access.selectors import live_memberships
from workspaces.keys.forms import find_expiry
from workspaces.models import User
from workspaces.oauth.forms import ConsentForm, KeyConsentForm
from workspaces.oauth.services.client_registration import is_loopback, register_app
from workspaces.oauth.services.connected_apps import connect_app
from workspaces.oauth.services.key_exchange import (
    AgreedKey,
    InvalidCodeError,
    PresentedCode,
    exchange_code,
    find_key_code,
)

RESOURCE, REST = "/mcp", "/v1"
MAX_BYTES = 32_768
View = Callable[..., HttpResponseBase]


def oauth_error(error: str, description: str, *, status: int = 400) -> JsonResponse:
    """Return an error in the shape of RFC 6749, which every OAuth client reads."""
    response = JsonResponse({"error": error, "error_description": description}, status=status)
    add_never_cache_headers(response)
    return response


def text_only(view: View) -> View:
    """Refuse control characters before they reach a database that has none."""

    @wraps(view)
    def handle(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        given = [*request.GET.items(), *request.POST.items()]
        if any(has_forbidden_characters(f"{name}{value}") for name, value in given):
            return oauth_error("invalid_request", "Contains characters that are not text.")
        try:
            return view(request, *args, **kwargs)
        except DataError:  # in the Authorization header, which only the library decodes
            return oauth_error("invalid_client", "Contains characters that are not text.", status=401)

    return handle


def limit_failures(view: View) -> View:
    """Refuse clients, and addresses, of which too many requests have failed; count before anything is looked at."""

    @wraps(view)
    def handle(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if "client_secret" in request.POST and request.headers.get("Authorization"):  # RFC 6749, section 2.3
            return oauth_error("invalid_request", "Authenticate the client in one way: by header or by body.")
        caller = {"client_id": _client_id(request), "address": client_address(request)}
        try:
            count_exchange(**caller)
            response = view(request, *args, **kwargs)
        except ProductError as error:
            return _problem_in_oauth(error)
        if response.status_code == 200:
            note_exchange(**caller)
        return response

    return handle


@csrf_exempt
@require_POST
def register(request: HttpRequest) -> HttpResponse:
    """Dynamic client registration (RFC 7591): open, since a registration by itself opens nothing."""
    if len(request.body) > MAX_BYTES:
        return oauth_error("invalid_client_metadata", f"The body is larger than {MAX_BYTES:,} bytes.", status=413)
    try:
        made = register_app(given=json.loads(request.body), address=client_address(request))
    except (ValueError, RecursionError):
        return oauth_error("invalid_client_metadata", "The body is not valid JSON.")
    except ProductError as error:
        return _problem_in_oauth(error)
    application = made.application
    registration: dict[str, Any] = {
        "client_id": application.client_id,
        "client_id_issued_at": int(application.created.timestamp()),
        "redirect_uris": made.metadata.redirect_uris,
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": made.metadata.token_endpoint_auth_method,
    }
    if application.name:
        registration["client_name"] = application.name
    if made.secret:
        registration |= {"client_secret": made.secret, "client_secret_expires_at": 0}
    answer = JsonResponse(registration, status=201)
    add_never_cache_headers(answer)
    return answer


class Authorize(AuthorizationView):  # type: ignore[misc]  # django-oauth-toolkit ships no types
    """The page on which a person lets a program into one of their workspaces, or does not."""

    template_name = "workspaces/authorize.html"
    form_class = ConsentForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if "approval_prompt" in request.GET:  # only the person decides that they are not asked
            request.GET = request.GET.copy()  # type: ignore[assignment]  # Django's own way to change one
            del cast(Any, request.GET)["approval_prompt"]
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        add_never_cache_headers(response)
        return response

    def validate_authorization_request(self, request: HttpRequest) -> tuple[list[str], dict[str, Any]]:
        scopes, credentials = super().validate_authorization_request(request)
        state, back = credentials.get("state"), credentials["redirect_uri"]
        if credentials.get("code_challenge_method") != "S256":
            raise _refusal(InvalidRequestError(description="PKCE is served with S256 only.", state=state), back)
        if self._is_for_key:
            if not is_loopback(back):
                description = "A key is handed to a program on the person's own machine only (http://127.0.0.1)."
                raise _refusal(InvalidRequestError(description=description, state=state), back)
            return scopes, credentials
        for resource in request.GET.getlist("resource"):
            _refuse_other_resource(request, resource, state, back)
        return scopes, credentials

    def get_form_class(self) -> type[ConsentForm]:
        return KeyConsentForm if self._is_for_key else ConsentForm

    def get_initial(self) -> dict[str, Any]:
        return {**super().get_initial(), "resource": self._resource}

    def get_form_kwargs(self) -> dict[str, Any]:
        seats = live_memberships(self._person)
        if self._is_for_key:
            seats = [seat for seat in seats if Right.ADMIN in RIGHTS_OF_ROLE[seat.role]]
        return {**super().get_form_kwargs(), "seats": seats}

    def create_authorization_response(
        self, request: HttpRequest, scopes: str, credentials: dict[str, Any], allow: bool
    ) -> tuple[str, dict[str, str], str, int]:
        credentials.pop("claims", None)  # OpenID Connect's; here they say which key was agreed to
        with transaction.atomic():
            if allow and self._is_for_key:
                credentials["claims"] = self._describe_key(scopes).as_claims()
            elif allow:
                connect_app(
                    user=self._person,
                    workspace_id=self._consent["workspace"],
                    client_id=credentials["client_id"],
                    name=str(self._consent["application"]),
                    scopes=[Right(scope) for scope in scopes.split()],
                    spaces=self._consent["spaces"],
                    address=client_address(request),
                )
            answer: tuple[str, dict[str, str], str, int] = super().create_authorization_response(
                request, scopes, credentials, allow
            )
            return answer

    def form_valid(self, form: ConsentForm) -> HttpResponse:
        # The form may have been sent with several, of which the library would take another one than this page did.
        form.cleaned_data["resource"] = self._resource
        self._consent = form.cleaned_data
        answer: HttpResponse = super().form_valid(form)
        return answer

    def render_to_response(self, context: dict[str, Any], **options: Any) -> HttpResponse:
        if isinstance(context.get("error"), InvalidClientIdError):
            del context["error"]  # the page has a cure for apps that are not known
        if form := context.get("form"):
            application, back = form.application, form["redirect_uri"].value() or ""
            is_registered = bool(application and application.redirect_uri_allowed(back))
            context |= {"application": application, "leads_to": _redirect_origin(back) if is_registered else ""}
            context["is_for_key"] = self._is_for_key
            options.setdefault("status", 422 if form.is_bound else 200)
        response: HttpResponse = super().render_to_response(context, **options)
        if form:
            vars(response)["form_leads_to"] = context["leads_to"]
        return response

    def redirect(self, redirect_to: str, application: Any) -> HttpResponse:
        # RFC 9207 wants the issuer in refusals as well, where the library leaves it out.
        if "iss" not in parse_qs(urlsplit(redirect_to).query):
            issuer = oauth2_settings.oauth2_authorization_server_issuer(self.request)
            redirect_to += "&" + urlencode({"iss": issuer})
        response: HttpResponse = super().redirect(redirect_to, application)
        return response

    def _describe_key(self, scopes: str) -> AgreedKey:
        given, expires_at = self._consent, find_expiry(self._consent["lifetime"])
        return AgreedKey(
            workspace=str(given["workspace"]),
            scopes=tuple(scopes.split()),
            spaces=tuple(given["spaces"]),
            expires_at=expires_at.isoformat() if expires_at else None,
        )

    @property
    def _is_for_key(self) -> bool:
        given = self.request.POST if self.request.method == "POST" else self.request.GET
        return bool(given.getlist("resource") == [rest_url(self.request)])

    @property
    def _resource(self) -> str:
        """Which of both the page is for; a request without a resource means that of tokens."""
        return rest_url(self.request) if self._is_for_key else resource_url(self.request)

    @property
    def _person(self) -> User:
        return cast(User, self.request.user)


class TokenEndpoint(TokenView):  # type: ignore[misc]  # as above
    """Tokens for codes and for refresh tokens, and keys for codes that are for one. No device waits for a code here."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if key := _key_for_code(request):
            return key
        # A row of a token without a resource would take any, for tokens that open nothing.
        asked = request.POST.getlist("resource")
        if not all(validate_resource_as_url_prefix(resource_url(request), [each]) for each in asked):
            return oauth_error("invalid_target", _other_resource(request), status=400)
        try:
            response: HttpResponse = self.authorization_flow_token_response(request)
        except AccessToken.DoesNotExist:  # another refresh with the same token has replaced it already
            return oauth_error("invalid_grant", "The refresh token was used twice at the same moment.", status=400)
        response["Content-Type"] = "application/json"  # some of the library's refusals name none
        add_never_cache_headers(response)
        return response


class ProtectedResource(OAuthProtectedResourceMetadataView):  # type: ignore[misc]  # as above
    """RFC 9728: which server lets people into the MCP door."""

    def get_resource(self, request: HttpRequest) -> str:
        return resource_url(request)


authorize = text_only(Authorize.as_view())
token = csrf_exempt(limit_failures(text_only(TokenEndpoint.as_view())))
revoke = csrf_exempt(limit_failures(text_only(RevokeTokenView.as_view())))


def _key_for_code(request: HttpRequest) -> HttpResponse | None:
    """Return the key for a code that is for one, as a token that does not end with an hour; None for other requests.

    Raises InvalidCodeError, and what `create_key` raises.
    """
    if request.POST.get("grant_type") != "authorization_code":
        return None
    given = {name: request.POST.get(name, "") for name in ("code", "client_id", "redirect_uri")}
    resource, asked = rest_url(request), request.POST.getlist("resource")
    grant = find_key_code(code=given["code"], client_id=given["client_id"], resource=resource)
    if grant is None:
        if asked == [resource]:
            raise InvalidCodeError()
        return None
    if asked not in ([], [resource]):
        return oauth_error("invalid_target", f"This code is for {resource} (RFC 8707).")
    presented = PresentedCode(**given, verifier=request.POST.get("code_verifier", ""))
    made = exchange_code(grant=grant, presented=presented, address=client_address(request))
    answer: dict[str, Any] = {
        "access_token": made.secret,
        "token_type": "Bearer",
        "scope": " ".join(made.key.scopes),
        "workspace_id": str(made.key.workspace_id),
    }
    if made.key.expires_at:
        answer["expires_in"] = int((made.key.expires_at - utc_now()).total_seconds())
    response = JsonResponse(answer)
    add_never_cache_headers(response)
    return response


def rest_url(request: HttpRequest) -> str:
    """Return the address of REST, as the one who asks knows this server."""
    return request.build_absolute_uri(REST)


def resource_url(request: HttpRequest) -> str:
    """Return the address of the MCP door, as the one who asks knows this server."""
    return request.build_absolute_uri(RESOURCE)


def _client_id(request: HttpRequest) -> str:
    """Return the client that a request says it comes from, unchecked; '' where it names none."""
    scheme, _, encoded = request.headers.get("Authorization", "").partition(" ")
    if scheme == "Basic":
        with suppress(ValueError):  # neither base64 nor text
            return unquote_plus(base64.b64decode(encoded).decode().partition(":")[0])
    return request.POST.get("client_id", "")


def _problem_in_oauth(error: ProductError) -> JsonResponse:
    answer = oauth_error(error.code, error.detail, status=error.status)
    for name, value in problem_headers(error).items():
        answer[name] = value
    return answer


def _refuse_other_resource(request: HttpRequest, resource: str, state: str | None, back: str) -> None:
    if not validate_resource_as_url_prefix(resource_url(request), [resource]):
        refusal = CustomOAuth2Error(error="invalid_target", description=_other_resource(request), state=state)
        raise _refusal(refusal, back)


def _other_resource(request: HttpRequest) -> str:
    return f"The resource here is {resource_url(request)} (RFC 8707)."


def _refusal(error: OAuth2Error, back: str) -> OAuthToolkitError:
    return OAuthToolkitError(error=error, redirect_uri=back)


def _redirect_origin(address: str) -> str:
    """Return where a redirect leads, as a content policy names it: an origin, or the scheme of an app."""
    parts = urlsplit(address)
    if parts.scheme in {"http", "https"}:
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:" if parts.scheme in settings.OAUTH2_PROVIDER["ALLOWED_REDIRECT_URI_SCHEMES"] else ""
