"""Limits on guessing passwords and client secrets: failures per subject and per address, and then a pause.

An attempt is counted before it is checked, and taken back when it succeeds: attempts at the same moment cannot all be
checked before the first of them was counted. Counts are rows of PostgreSQL, so they hold without Redis.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from core.errors import TooManyRequestsError
from core.http.admission import Admission
from core.stores.rate_limit import RateLimit
from workspaces.access import attempt_counters
from workspaces.access.attempt_counters import attempt_key
from workspaces.access.client_address import client_network

# A person mistypes now and then; an office behind one address has many persons.
MAX_FOR_AN_EMAIL = 10
MAX_FROM_AN_ADDRESS = 100
SECONDS = 15 * 60

# Each sends a mail to a person who may not have asked for it.
MAX_RESETS_OF_AN_EMAIL = 5
MAX_RESETS_FROM_AN_ADDRESS = 50

# Programs do not mistype; those behind one address are many.
MAX_FAILURES_OF_A_CLIENT = 10
MAX_EXCHANGES_FAILED_FROM_AN_ADDRESS = 100

# A secret that was hashed like a password costs half a second of a processor to check.
MAX_SLOW_CHECKS, SLOW_CHECK_SECONDS = 6, 60

# Hashing a password takes a processor for half a second: threads and processors are left for everybody else.
_hashing = Admission(settings.MAX_CONCURRENT_SIGN_INS)


class TooManySignInsError(TooManyRequestsError):
    """So many sign-ins failed for this e-mail, or from this address, that the next ones have to wait."""

    code = "too_many_sign_ins"
    title = "Too many attempts to sign in have failed. Wait a little, then try again."


class TooManyResetsError(TooManyRequestsError):
    """So many links were asked for this e-mail, or from this address, that the next ones have to wait."""

    code = "too_many_resets"
    title = "Too many links were asked for. Wait a little, then try again."


class TooManyExchangesError(TooManyRequestsError):
    """So many exchanges at the token endpoint failed for this client, or from this address, that the next ones wait."""

    code = "too_many_exchanges"
    title = "Too many requests for tokens have failed. Wait a little, then try again."


@contextmanager
def hashing_place(address: str) -> Iterator[None]:
    """Take a place for checking one password, or refuse at once; whether the password is right does not matter.

    One network has at most half of them, and cannot keep others from signing in. Raises TooManyAtOnceError,
    OverloadedError.
    """
    with _hashing.hold_place(client_network(address)):
        yield


def count_sign_in(*, email: str, address: str) -> None:
    """Count an attempt to sign in, before the password is checked. Raises TooManySignInsError."""
    exceeded = attempt_counters.count_all(_sign_in_limits(email, address))
    if exceeded:
        wait = exceeded.seconds_left
        minutes = -(-wait // 60)
        raise TooManySignInsError(
            f"Too many attempts to sign in have failed. Try again in {minutes} min.", retry_after=wait
        )


def note_sign_in(*, email: str, address: str) -> None:
    """Forget the failures for an e-mail, whose owner knew the password. Those from the address stay."""
    from_address, of_email = _sign_in_limits(email, address)
    attempt_counters.forget(of_email)
    attempt_counters.uncount([from_address])


def forget_failures(*, email: str) -> None:
    """Forget the failures for an e-mail, whose owner has chosen another password by a link."""
    attempt_counters.forget(_sign_in_limits(email, "")[1])


def count_reset(*, email: str, address: str) -> None:
    """Count a request for a link that sets a password, whether or not the e-mail has an account.

    Raises TooManyResetsError.
    """
    limits = [
        RateLimit(attempt_key("reset:address", client_network(address)), MAX_RESETS_FROM_AN_ADDRESS, SECONDS),
        RateLimit(attempt_key("reset:email", email.strip().lower()), MAX_RESETS_OF_AN_EMAIL, SECONDS),
    ]
    exceeded = attempt_counters.count_all(limits)
    if exceeded:
        raise TooManyResetsError(retry_after=exceeded.seconds_left)


def count_provider_start(*, address: str) -> None:
    """Count a sign-in that is sent to the provider of an organisation. Raises TooManySignInsError."""
    limit = RateLimit(attempt_key("sign-in:provider", client_network(address)), MAX_FROM_AN_ADDRESS, SECONDS)
    exceeded = attempt_counters.count_all([limit])
    if exceeded:
        raise TooManySignInsError(retry_after=exceeded.seconds_left)


def count_exchange(*, client_id: str, address: str) -> None:
    """Count a request for tokens, before it is looked at. Raises TooManyExchangesError.

    A client is counted for each address by itself: knowing its id is not enough to keep it from its tokens.
    """
    exceeded = attempt_counters.count_all(_exchange_limits(client_id, address))
    if exceeded:
        raise TooManyExchangesError(retry_after=exceeded.seconds_left)


def note_exchange(*, client_id: str, address: str) -> None:
    """Take back what `count_exchange` counted: the exchange succeeded."""
    attempt_counters.uncount(_exchange_limits(client_id, address))


def count_slow_check() -> None:
    """Count a check of a secret with a slow hash. Raises TooManyExchangesError.

    All clients share the limit: by client, three wrong secrets a minute would keep a client from its tokens.
    """
    limit = RateLimit(attempt_key("exchange:slow", "all"), MAX_SLOW_CHECKS, SLOW_CHECK_SECONDS)
    exceeded = attempt_counters.count_all([limit])
    if exceeded:
        raise TooManyExchangesError(retry_after=exceeded.seconds_left)


# The address first: an attempt that it has no right to leaves no row of the name that was made up for it.
def _sign_in_limits(email: str, address: str) -> list[RateLimit]:
    return [
        RateLimit(attempt_key("sign-in:address", client_network(address)), MAX_FROM_AN_ADDRESS, SECONDS),
        RateLimit(attempt_key("sign-in:email", email.strip().lower()), MAX_FOR_AN_EMAIL, SECONDS),
    ]


def _exchange_limits(client_id: str, address: str) -> list[RateLimit]:
    network = client_network(address)
    return [
        RateLimit(attempt_key("exchange:address", network), MAX_EXCHANGES_FAILED_FROM_AN_ADDRESS, SECONDS),
        RateLimit(attempt_key("exchange:client", f"{network} {client_id}"), MAX_FAILURES_OF_A_CLIENT, SECONDS),
    ]
