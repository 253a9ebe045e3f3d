"""Checks of the addresses that workspaces give for their providers."""

from __future__ import annotations

from django.conf import settings

from core.errors import FieldProblem, InvalidError
from core.http.egress import RefusedAddressError, allowed_hosts, refuse_odd_url, resolve, select_permitted
from core.thread_timeouts import DeadlineError, run_with_timeout

RESOLVING_SECONDS = 3.0


def refuse_private_address(base_url: str) -> None:
    """Raise InvalidError for an address that calls must not go to.

    A name that cannot be resolved now is accepted: each call resolves it again, and connects to what it has checked.
    """
    try:
        host, port = refuse_odd_url(base_url)
        if settings.MODEL_PROXY:  # which resolves names by itself, and decides where to
            return
        try:
            addresses = run_with_timeout(RESOLVING_SECONDS, lambda: resolve(host, port), pool="names")
        except (OSError, DeadlineError, UnicodeError):
            return
        select_permitted(host, port, addresses, allowed_hosts(settings.MODEL_HOSTS))
    except RefusedAddressError as error:
        raise InvalidError(problems=(FieldProblem("base_url", "refused_address", str(error)),)) from error
