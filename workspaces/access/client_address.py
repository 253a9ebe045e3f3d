"""The address of a request's client, behind a trusted proxy as well."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def client_address(request: Request | HttpRequest) -> str:
    """Return where a call came from."""
    return caller_address(
        peer=request.META.get("REMOTE_ADDR", ""), forwarded=request.META.get("HTTP_X_FORWARDED_FOR", "")
    )


def caller_address(*, peer: str, forwarded: str) -> str:
    """Return the other end of a connection; behind a trusted proxy, what its X-Forwarded-For says."""
    told = forwarded.rsplit(",", maxsplit=1)[-1].strip() if settings.TRUST_PROXY else ""
    return (told or peer)[:64]
