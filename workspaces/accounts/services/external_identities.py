"""The account that an identity at a provider signs in to: the one that it is linked with, an old one, or a new one."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.errors import ForbiddenError
from workspaces.accounts.services.account_audit import record_operator_act, record_own_act
from workspaces.accounts.services.second_factor import has_second_factor
from workspaces.models import ExternalIdentity, User


class UnverifiedEmailError(ForbiddenError):
    """A first sign-in without an address that the provider has verified."""

    code = "email_not_verified"
    title = (
        "Your organisation's sign-in does not say that your e-mail address is verified, so that no account could be"
        " found or made for it. Ask its administrator to verify the address."
    )


class DomainNotAllowedError(ForbiddenError):
    """The address is not one of the organisation's."""

    code = "domain_not_allowed"
    title = "People with this e-mail address may not sign in here. Use the account of your organisation."


class AddressTakenError(ForbiddenError):
    """An account has the address, and nothing says that it is the same person's."""

    code = "address_taken"
    title = (
        "An account with your e-mail address was made by a link, and no operator has confirmed that it is yours. Sign"
        " in with its password, or ask an operator to confirm the address under Users in the staff admin."
    )


class AddressLinkedError(ForbiddenError):
    """Another subject of the provider signs in to the account of this address: addresses change hands."""

    code = "address_linked"
    title = (
        "Another person of your organisation's sign-in has an account here with this e-mail address. If it is you, ask"
        " an operator to unlink it; if you were given their address, to give their account another one."
    )


class StaffAccountError(ForbiddenError):
    """An account of staff, which an administrator of the provider must not be able to open."""

    code = "staff_account"
    title = "Staff sign in with their password, not with the service of an organisation."


class InactiveAccountError(ForbiddenError):
    """The account was deactivated."""

    code = "account_inactive"
    title = "Your account was deactivated. Ask an operator."


@dataclass(frozen=True, slots=True)
class ProvenIdentity:
    """Who the provider says has signed in."""

    issuer: str
    subject: str
    email: str
    is_email_verified: bool
    name: str
    has_used_several_factors: bool


def find_or_create_account(identity: ProvenIdentity) -> User:
    """Return the account that an identity signs in to, and link the two at the first time.

    Raises DomainNotAllowedError, UnverifiedEmailError, AddressTakenError, AddressLinkedError, StaffAccountError,
    InactiveAccountError.
    """
    if settings.OIDC.allowed_domains:
        _refuse_for_domain(identity)
    user = _linked_account(identity)
    if user is None:
        try:
            with transaction.atomic():
                user = _link_account(identity)
        except IntegrityError:  # another sign-in of the same person was first
            user = _linked_account(identity)
            if user is None:
                raise AddressTakenError() from None
    _refuse_for_account(user)
    return user


def record_provider_use(*, user: User, identity: ProvenIdentity, address: str = "") -> None:
    """Add the sign-in to the record of each workspace of the person."""
    with transaction.atomic():
        found = ExternalIdentity.objects.filter(issuer=identity.issuer, subject=identity.subject)
        found.update(last_used_at=utc_now())
        record_own_act(user=user, action="account.signed_in", details={"by": "oidc"}, address=address)


def unlink_identities(*, user: User) -> int:
    """Forget who the account is at providers, for operators; return the number. The next sign-in links it again.

    Every session of the account ends: who was signed in may be the one that is unlinked.
    """
    with transaction.atomic():
        number = ExternalIdentity.objects.filter(user=user).delete()[0]
        if number:
            _end_sessions(user)
            record_operator_act(command="unlink_sign_in", user=user, action="account.unlinked")
    return number


def _end_sessions(user: User) -> None:
    """Delete the sessions of an account. A session says in its signed data alone whose it is."""
    for session in Session.objects.filter(expire_date__gt=utc_now()).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def needs_code(user: User, identity: ProvenIdentity) -> bool:
    """Return whether the product's second factor is asked on top of the provider's sign-in."""
    return settings.OIDC.asks_code and not identity.has_used_several_factors and has_second_factor(user)


def _linked_account(identity: ProvenIdentity) -> User | None:
    found = ExternalIdentity.objects.filter(issuer=identity.issuer, subject=identity.subject)
    link = found.select_related("user").first()
    return link.user if link else None


def _link_account(identity: ProvenIdentity) -> User:
    if not (identity.is_email_verified and _is_address(identity.email)):
        raise UnverifiedEmailError()
    user = User.objects.select_for_update().filter(email=identity.email).first()
    if user is None:
        user = User.objects.create_user(identity.email, None, name=" ".join(identity.name.split())[:120])
    _refuse_for_account(user)
    if user.has_usable_password() and not user.is_email_confirmed:
        raise AddressTakenError()
    if ExternalIdentity.objects.filter(user=user, issuer=identity.issuer).exists():
        raise AddressLinkedError()
    if not user.is_email_confirmed:  # it has no password, and the address is now verified
        user.is_email_confirmed = True
        user.save(update_fields=["is_email_confirmed"])
    ExternalIdentity.objects.create(user=user, issuer=identity.issuer, subject=identity.subject)
    record_own_act(user=user, action="account.linked", details={"by": "oidc"})
    return user


def _refuse_for_account(user: User) -> None:
    if not user.is_active:
        raise InactiveAccountError()
    if user.is_staff or user.is_superuser:
        raise StaffAccountError()


def _refuse_for_domain(identity: ProvenIdentity) -> None:
    if not (identity.is_email_verified and settings.OIDC.accepts_domain(identity.email)):
        raise DomainNotAllowedError()


def _is_address(email: str) -> bool:
    try:
        validate_email(email)
    except ValidationError:
        return False
    return len(email) <= 254
