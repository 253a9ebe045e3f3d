"""Authentication of REST requests: an API key, an app's token, or the session of a signed-in person."""

from __future__ import annotations

from typing import Any

from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from core.errors import UnauthenticatedError
from core.http.problems import BEARER_CHALLENGE
from workspaces.access.callers import Caller
from workspaces.access.client_address import client_address
from workspaces.access.credential_cache import forget_credential
from workspaces.access.operators import Operator
from workspaces.accounts.operators.services.operator_keys import operator_of_key
from workspaces.keys.on_behalf_stamps import HEADER
from workspaces.keys.secrets import OPERATOR_PREFIX
from workspaces.keys.services import caller_of_key
from workspaces.keys.sub_agent_marks import SUB_AGENT_HEADER, read_sub_agent_mark
from workspaces.models import User


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer oxa_live_…`. The caller of the key takes the place of REST framework's user."""

    def authenticate(self, request: Request) -> tuple[Caller, str] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        return _caller(request, secret.strip()), "key"

    def authenticate_header(self, request: Request) -> str:
        return BEARER_CHALLENGE


class OperatorAuthentication(BaseAuthentication):
    """`Authorization: Bearer oxa_operator_…`, for the address where operators make workspaces."""

    def authenticate(self, request: Request) -> tuple[Operator, str] | None:
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not secret.strip().startswith(OPERATOR_PREFIX):
            return None
        return operator_of_key(secret=secret.strip(), address=client_address(request)), "operator"

    def authenticate_header(self, request: Request) -> str:
        return BEARER_CHALLENGE


def _caller(request: Request, secret: str) -> Caller:
    address, on_behalf_of = client_address(request), request.headers.get(HEADER, "")
    try:
        return mark_sub_agent(request, caller_of_key(secret=secret, address=address, on_behalf_of=on_behalf_of))
    except UnauthenticatedError:
        forget_credential(secret)
        raise


def mark_sub_agent(request: Request, caller: Caller) -> Caller:
    """Return the caller, marked where the request says that a sub-agent calls. Raises InvalidError."""
    is_marked = read_sub_agent_mark(request.headers.get(SUB_AGENT_HEADER, ""))
    return caller.as_sub_agent() if is_marked else caller


class SignedInAuthentication(SessionAuthentication):
    """The session of a person in a browser, with its CSRF token."""

    def authenticate_header(self, request: Request) -> str:
        return BEARER_CHALLENGE


class IsCallerOrOperator(BasePermission):
    """The caller is known: a key's caller, a person who signed in, or an operator's key."""

    def has_permission(self, request: Request, view: object) -> bool:
        return isinstance(who(request), Caller | User | Operator)


class IsCaller(BasePermission):
    """The caller is known: a key's caller, or a person who signed in."""

    def has_permission(self, request: Request, view: object) -> bool:
        return isinstance(who(request), Caller | User)


def who(request: Request) -> object:
    """Return who authentication found: a key's caller, a signed-in person, an operator, or none."""
    return request.user


def narrow_caller(request: Any, caller: Caller) -> None:
    """Put a key's caller with the spaces of its call into the request, so that telemetry is kept in the same spaces."""
    request.user = caller


def note_caller(request: Request, caller: Caller) -> None:
    """Leave the caller of an admitted call, a person's too, on the request for the view of live events."""
    request._request.acting = caller  # type: ignore[attr-defined]  # of ours, on Django's request
