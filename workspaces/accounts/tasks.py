"""Tasks of accounts: deleting expired sessions, and mailing links that set a password."""

from __future__ import annotations

from uuid import UUID

from django.contrib.sessions.models import Session

from core.clock import utc_now
from workspaces.accounts.services.reset_links import send_reset_link


def delete_expired_sessions() -> int:
    """On the schedule: delete the sessions of people whose sign-in has expired; return their number."""
    number, _ = Session.objects.filter(expire_date__lt=utc_now()).delete()
    return number


def mail_reset_link(user_id: str) -> None:
    """Mail a link that sets a password to the address of an account. For an id of no account, do nothing."""
    send_reset_link(user_id=UUID(user_id))
