"""Reading actions, and the filters that selectors of telemetry share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from telemetry.models import Action
from workspaces.access.callers import Caller

Narrow = Mapping[str, Any]
NOTHING: Narrow = {}
MAX_ACTIONS_SHOWN = 1_000
PARTS_OF_STEP = ("action_type", "node_type", "error_code")


def workspace_actions(caller: Caller, narrow: Narrow = NOTHING) -> QuerySet[Action]:
    """Return the workspace's actions as they arrived, newest first, for an open scope. `narrow` names fields."""
    return (
        Action.objects.of(caller).filter(within_period("occurred_at", narrow), **named_filters(narrow)).order_by("-id")
    )


@dataclass(frozen=True, slots=True)
class NewestActions:
    """The newest actions of a workspace; `has_older` says whether there are others."""

    rows: QuerySet[Action]
    has_older: bool


def newest_actions(caller: Caller, *, most: int) -> NewestActions:
    """Return at most that many of the newest actions, for an open scope: those from an id on, which is read from an
    index alone, since a list of ids would have each row looked up on its own."""
    found = workspace_actions(caller)
    last = list(found.values_list("id", flat=True)[most - 1 : most + 1])
    return NewestActions(found.filter(id__gte=last[0]) if last else found, has_older=len(last) > 1)


def within_period(moment: str, narrow: Narrow) -> Q:
    bounds = {"since": f"{moment}__gte", "until": f"{moment}__lt"}
    return Q(**{lookup: narrow[name] for name, lookup in bounds.items() if name in narrow})


def named_filters(narrow: Narrow) -> dict[str, Any]:
    return {name: value for name, value in narrow.items() if name not in {"since", "until"}}
