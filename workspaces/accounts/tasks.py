"""Task that deletes expired sessions."""

from __future__ import annotations

from django.contrib.sessions.models import Session

from core.clock import utc_now


def delete_expired_sessions() -> int:
    """On the schedule: delete the sessions of people whose sign-in has expired; return their number."""
    number, _ = Session.objects.filter(expire_date__lt=utc_now()).delete()
    return number
