"""Changing the password of one's own account."""

from __future__ import annotations

from django.db import transaction

from core.errors import FieldProblem, InvalidError
from workspaces.access.login_throttle import count_sign_in, hashing_place, note_sign_in
from workspaces.accounts.services.account_audit import record_own_change
from workspaces.models import User


def change_password(*, user: User, old: str, new: str, address: str = "") -> None:
    """Give the account another password, which ends its other sessions.

    Guessing the old one is held up like signing in.
    Raises InvalidError for another old password, TooManySignInsError, TooManyAtOnceError, OverloadedError.
    """
    with hashing_place(address):
        count_sign_in(email=user.email, address=address)
        if not user.check_password(old):
            raise InvalidError(problems=(FieldProblem("old", "wrong_password", "This is not your password."),))
        note_sign_in(email=user.email, address=address)
        user.set_password(new)
    with transaction.atomic():
        user.save(update_fields=["password"])
        record_own_change(user=user, fields=["password"], address=address)
