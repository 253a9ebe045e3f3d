"""Links that set a password: Django's signed tokens, which expire within the hour and end with the password.

Neither an answer nor its time shows whether an address has an account: each request queues one task.
"""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from core.errors import NotFoundError
from core.ids import new_id
from core.mail import send_text
from core.stores.queue import enqueue
from workspaces.access.login_throttle import count_reset, forget_failures, hashing_place
from workspaces.accounts.services.account_audit import record_operator_act, record_own_change
from workspaces.models import User

TASK = "workspaces.accounts.tasks.mail_reset_link"
MINUTES = 60


class DeadResetLinkError(NotFoundError):
    """The link was used, mistyped, or has expired, or the account changed since."""

    code = "reset_link_over"
    title = "This link was used, or has expired. Ask for another one."


def request_reset_link(*, email: str, address: str = "") -> None:
    """Have a link mailed to the address, if it has an account. Raises TooManyResetsError."""
    count_reset(email=email, address=address)
    found = User.objects.filter(email=email.strip().lower()).values_list("id", flat=True).first()
    enqueue(TASK, str(found or new_id()))


def send_reset_link(*, user_id: UUID) -> bool:
    """Mail a link to an account that has a password; return whether it was sent.

    An account without one signs in elsewhere: a password would let in who may not sign in there any more.
    """
    user = User.objects.filter(id=user_id, is_active=True).first()
    if user is None or not (user.has_usable_password() and may_have_password(user)):
        return False
    text = (
        "Another password was asked for, for your account in Workspace Memory.\n\n"
        f"{build_reset_link(user)}\n\n"
        f"The link works once, for {MINUTES} minutes. If you did not ask for it, do nothing: your password stays."
    )
    return send_text(to=user.email, subject="Another password for Workspace Memory", text=text)


def may_have_password(user: User) -> bool:
    """Return whether the person may sign in with a password: with OIDC_ONLY, staff alone."""
    return user.is_staff or not settings.OIDC.is_only


def hand_out_reset_link(*, user: User) -> str:
    """Return a link for an operator to pass on, and note it in the record of each workspace of the account."""
    with transaction.atomic():
        record_operator_act(command="reset_link", user=user, action="account.reset_link_made")
    return build_reset_link(user)


def build_reset_link(user: User) -> str:
    """Return the link; its host is the one of PUBLIC_URL, whatever host a request names."""
    account = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("password-reset", args=[account, default_token_generator.make_token(user)])
    return f"{settings.PUBLIC_URL}{path}"


def reset_password(*, user: User, token: str, new: str, address: str = "") -> None:
    """Give the account another password, which ends all its sessions and all links like this one.

    Raises DeadResetLinkError, TooManyAtOnceError, OverloadedError.
    """
    with hashing_place(address):
        user.set_password(new)
    with transaction.atomic():
        # Of two at once one finds the password for which the token was made.
        held = User.objects.select_for_update().get(id=user.id)
        if not (held.is_active and default_token_generator.check_token(held, token)):
            raise DeadResetLinkError()
        held.password = user.password
        held.save(update_fields=["password"])
        record_own_change(user=held, fields=["password"], address=address, by="link")
    forget_failures(email=user.email)
