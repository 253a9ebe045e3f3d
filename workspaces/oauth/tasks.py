"""Task that deletes expired tokens and unused registrations of clients."""

from __future__ import annotations

from workspaces.oauth.services.client_registration import forget_unused_registrations


def forget_registrations() -> int:
    """On the schedule: delete expired tokens, and apps that were not let in for 90 days; return their number."""
    return forget_unused_registrations()
