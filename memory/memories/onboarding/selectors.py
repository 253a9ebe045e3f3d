"""How far a workspace is on the way from nothing to an agent that remembers, and how far one key is."""

from __future__ import annotations

from dataclasses import dataclass

from memory.models import Memory
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.models import ApiKey, ConnectedApp


@dataclass(frozen=True, slots=True)
class OnboardingState:
    """What of the way is done: a key or an app, a call with one, a memory in a space that the caller reads."""

    has_client: bool
    has_called: bool
    has_memory: bool

    @property
    def is_complete(self) -> bool:
        return self.has_client and self.has_called and self.has_memory


def onboarding_state(caller: Caller) -> OnboardingState:
    """Return how far the workspace is. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        keys, apps = ApiKey.objects.of(caller), ConnectedApp.objects.of(caller)
        has_called = (
            keys.filter(last_used_at__isnull=False).exists() or apps.filter(last_used_at__isnull=False).exists()
        )
        has_client = has_called or keys.filter(revoked_at=None).exists() or apps.filter(revoked_at=None).exists()
        return OnboardingState(has_client, has_called, Memory.objects.of(caller).live().exists())


def first_memory(caller: Caller, key: ApiKey) -> Memory | None:
    """Return the first memory that a key wrote into a space that the caller reads."""
    with workspace_scope(caller):
        # Ids are in the order of time: what is older than the key is not looked at.
        written = Memory.objects.of(caller).live().filter(author_id=str(key.id), pk__gt=key.id)
        return written.select_related("node").order_by("pk").first()
