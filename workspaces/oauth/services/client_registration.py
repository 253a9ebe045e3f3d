"""Registering the programs that ask to be connected (RFC 7591), and deleting those that were never let in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError as ModelError
from oauth2_provider.models import Application, clear_expired
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from core.clock import utc_now
from core.errors import ProductError, TooManyRequestsError
from core.stores.rate_limit import RateLimit
from core.text import has_forbidden_characters, has_invisible_characters
from workspaces.access import attempt_counters
from workspaces.access.attempt_counters import attempt_key
from workspaces.access.client_address import client_network
from workspaces.keys.secrets import client_secret_hash

GRANTS = ("authorization_code", "refresh_token")
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
UNUSED_FOR = timedelta(days=90)
# Every client may register; one that does nothing else has to wait.
MAX_FROM_AN_ADDRESS, SECONDS = 60, 60 * 60


class RegistrationError(ProductError):
    """The metadata of the client cannot be registered."""

    code = "invalid_client_metadata"
    status = 400
    title = "This app cannot be registered as it described itself."


class RedirectError(RegistrationError):
    """People would be led somewhere they must not be led."""

    code = "invalid_redirect_uri"
    title = "People cannot be sent back to that address."


class TooManyRegistrationsError(TooManyRequestsError):
    """So many apps were registered from this address that the next ones have to wait."""

    code = "too_many_registrations"
    title = "Too many apps were registered from this address. Wait a little, then try again."


def _text(value: str) -> str:
    if has_forbidden_characters(value):
        raise ValueError("contains characters that are not text")
    if has_invisible_characters(value):
        raise ValueError("contains invisible characters")
    return value


AuthMethod = Literal["none", "client_secret_basic", "client_secret_post"]
Text = Annotated[str, AfterValidator(_text)]


class ClientMetadata(BaseModel):
    """What we read of a registration; as RFC 7591 says, what we do not know is ignored."""

    model_config = ConfigDict(extra="ignore")

    redirect_uris: list[Annotated[Text, Field(min_length=1, max_length=2_000)]] = Field(min_length=1, max_length=10)
    client_name: Annotated[Text, Field(max_length=120)] = ""
    grant_types: list[str] = ["authorization_code"]
    response_types: list[str] = ["code"]
    token_endpoint_auth_method: AuthMethod = "client_secret_basic"  # noqa: S105  # the name of a method


@dataclass(frozen=True, slots=True)
class Registration:
    """A registration just made; the only moment at which the secret of one that has a secret exists."""

    application: Application
    metadata: ClientMetadata
    secret: str | None


def register_app(*, given: Any, address: str) -> Registration:
    """Register a program that people can then let in. Raises RegistrationError, TooManyRegistrationsError."""
    _refuse_flood(address)
    try:
        # What is null was left out: some clients send every name that RFC 7591 has.
        kept = {name: value for name, value in given.items() if value is not None} if isinstance(given, dict) else given
        metadata = ClientMetadata.model_validate(kept)
    except ValidationError as error:
        raise _what_is_wrong(error) from error
    if "authorization_code" not in metadata.grant_types or "code" not in metadata.response_types:
        raise RegistrationError("Only the grant type authorization_code with the response type code is served.")
    for uri in metadata.redirect_uris:
        _refuse_redirect(uri)
    is_public = metadata.token_endpoint_auth_method == "none"  # noqa: S105  # as above
    application = Application(
        name=metadata.client_name,
        redirect_uris=" ".join(metadata.redirect_uris),
        client_type=Application.CLIENT_PUBLIC if is_public else Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        registration_source=Application.RegistrationSource.DCR,
    )
    secret = None if is_public else application.client_secret
    application.client_secret = "" if secret is None else client_secret_hash(secret)
    application.hash_client_secret = False  # the library's is a password's, which takes half a second to compute
    try:
        application.full_clean()
    except ModelError as error:
        raise RedirectError(" ".join(error.messages)) from error
    application.save()
    return Registration(application, metadata, secret)


def forget_unused_registrations() -> int:
    """Delete expired tokens and counters, and registrations unused for 90 days; return the number of the latter."""
    clear_expired()
    attempt_counters.delete_expired()
    unused = Application.objects.filter(
        registration_source=Application.RegistrationSource.DCR,
        created__lt=utc_now() - UNUSED_FOR,
        accesstoken=None,
        refreshtoken=None,
        grant=None,
    )
    return int(unused.delete()[1].get(Application._meta.label, 0))


def _what_is_wrong(error: ValidationError) -> RegistrationError:
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, problem["loc"])) or "body"
    kind = RedirectError if where.startswith("redirect_uris") else RegistrationError
    return kind(f"{where}: {problem['msg']}.")


def is_loopback(uri: str) -> bool:
    """Return whether an address leads to a program on the same machine, over http."""
    try:
        parts = urlsplit(uri)
        return parts.scheme == "http" and parts.hostname in LOOPBACK and "@" not in parts.netloc
    except ValueError:
        return False


def _refuse_redirect(uri: str) -> None:
    """https anywhere, http to this very machine; schemes of apps are a setting, which the model looks at."""
    if any(letter.isspace() for letter in uri):
        raise RedirectError("A redirect URI has no spaces.")
    try:
        parts = urlsplit(uri)
        host = parts.hostname
    except ValueError as error:
        raise RedirectError("redirect_uri must be an absolute URL.") from error
    if parts.scheme == "http" and host not in LOOPBACK:
        raise RedirectError("A redirect URI with http must lead to localhost, 127.0.0.1 or [::1]; use https elsewhere.")
    if "@" in parts.netloc:
        raise RedirectError("A redirect URI must not contain a user name or a password.")


def _refuse_flood(address: str) -> None:
    limit = RateLimit(attempt_key("registration", client_network(address)), MAX_FROM_AN_ADDRESS, SECONDS)
    if exceeded := attempt_counters.count_all([limit]):
        raise TooManyRegistrationsError(retry_after=exceeded.seconds_left)
