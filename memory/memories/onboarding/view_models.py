"""What the Connect page shows: the clients, one's set-up, the steps to a first memory, and what a new key did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from memory.memories.onboarding.client_setups import CLIENTS, ClientSetup, SetupStep, SetupTarget
from memory.memories.onboarding.selectors import OnboardingState, first_memory
from memory.memories.view_models import MemoryRow, build_row
from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import SHARED
from workspaces.models import ApiKey

DEFAULT_CLIENT = "claude-code"
# What an agent is asked to do first: harmless in any workspace, and easy to forget again.
TRIAL = "Remember that this workspace was connected to its memory today."


class KeyProgress(StrEnum):
    """How far a key is: not used yet, used, or something was remembered with it. A key that is over goes no further."""

    WAITING = "waiting"
    CALLED = "called"
    REMEMBERED = "remembered"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class ChecklistStep:
    """One step on the way to an agent that remembers."""

    label: str
    is_done: bool
    url: str = ""
    action: str = ""


@dataclass(frozen=True, slots=True)
class FirstCall:
    """What a key did so far, as `onboarding/_first_call.html` shows it. `space` is where it writes, if not shared."""

    key: ApiKey
    progress: KeyProgress
    url: str
    row: MemoryRow | None = None
    trial: str = TRIAL
    is_agent: bool = True
    space: str = ""

    @property
    def next_url(self) -> str:
        """The address that answers what comes after what is shown."""
        return f"{self.url}?{urlencode({'seen': str(self.progress), **({} if self.is_agent else {'program': '1'})})}"

    @property
    def is_watched(self) -> bool:
        """Whether something is still to come."""
        return self.progress in {KeyProgress.WAITING, KeyProgress.CALLED}

    @property
    def first_use(self) -> Any:
        """When it was used first; a key of an earlier version knows its last use alone."""
        return self.key.first_used_at or self.key.last_used_at


def client_tabs(seat: ConsoleContext, setup: ClientSetup) -> list[dict[str, Any]]:
    """Return the clients as tabs, each an address."""
    page = reverse("connect", args=[seat.workspace.slug])
    return [
        {"label": each.label, "url": f"{page}?{urlencode({'client': each.slug})}", "current": each is setup}
        for each in CLIENTS.values()
    ]


def find_setup(name: str) -> ClientSetup:
    """Return the client that an address names, the first one for any other name."""
    return CLIENTS.get(name, CLIENTS[DEFAULT_CLIENT])


def sign_in_steps(setup: ClientSetup, target: SetupTarget) -> Sequence[SetupStep]:
    """Return how a client is connected without a key; nothing for one that knows no OAuth."""
    return setup.sign_in(target) if setup.sign_in else ()


def first_call(seat: ConsoleContext, key: ApiKey, *, is_agent: bool = True) -> FirstCall:
    """Return what a key did so far."""
    url = reverse("connect-key", args=[seat.workspace.slug, key.id])
    written = key.binding.default
    space = str(written) if written and written != SHARED else ""
    found = FirstCall(key, KeyProgress.WAITING, url, is_agent=is_agent, space=space)
    if memory := first_memory(seat.caller, key):
        return FirstCall(key, KeyProgress.REMEMBERED, url, build_row(seat, memory), is_agent=is_agent, space=space)
    if not key.is_active:
        return FirstCall(key, KeyProgress.OVER, url, is_agent=is_agent)
    if key.last_used_at:
        return FirstCall(key, KeyProgress.CALLED, url, is_agent=is_agent, space=space)
    return found


def checklist(seat: ConsoleContext, state: OnboardingState, *, is_enabled: bool) -> list[ChecklistStep]:
    """Return the steps of an empty workspace; none once all but the switch are done."""
    if state.is_complete:
        return []
    slug = seat.workspace.slug
    connect, settings = reverse("connect", args=[slug]), reverse("settings-memory", args=[slug])
    return [
        ChecklistStep("Switch memory on", is_enabled, settings, "Turn it on"),
        ChecklistStep("Give an agent a key, or sign it in", state.has_client, connect, "Connect"),
        ChecklistStep("See its first call", state.has_called),
        ChecklistStep("Let it remember something", state.has_memory),
    ]
