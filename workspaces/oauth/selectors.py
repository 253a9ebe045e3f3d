"""The agents of a workspace: its API keys and connected apps, by the names under which they write."""

from __future__ import annotations

from workspaces.access.callers import KIND_NOTES, Caller
from workspaces.access.scope import workspace_scope
from workspaces.models import ApiKey, ConnectedApp, User


def known_agents(caller: Caller) -> list[tuple[str, str]]:
    """Return the ids of keys and apps with their names, those without a way in by now among them."""
    with workspace_scope(caller):
        keys = [(str(identity), name) for identity, name in ApiKey.objects.of(caller).values_list("id", "name")]
        apps = ConnectedApp.objects.of(caller).select_related("user")
        return [*keys, *((str(app.id), app_label(app.name, app.user)) for app in apps)]


def app_label(name: str, person: User) -> str:
    """Return the name under which an app of a person writes."""
    return f"{name} for {person}"[:200]


def plain_agent_name(name: str) -> str:
    """Return a name without the note that says which kind of agent it is."""
    for note in KIND_NOTES.values():
        name = name.removesuffix(note)
    return name
