"""What every page of the console shows around its content: the rail, the switcher, the state of memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse

from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import SHARED, SpaceName
from workspaces.http.density import density_switch
from workspaces.http.docs_links import docs_url
from workspaces.http.rail import PLACES
from workspaces.http.space_links import PARAMETER, is_spaced
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import is_memory_enabled

# Folders of pages that belong to a place with another folder.
PART_OF = {"receipts": "explain", "chat": "explain", "undo": "agents"}
# What the page of one thing extends: whole, or next to the list that it was opened from.
PAGE_FRAME, PANEL_FRAME = "base.html", "_panel.html"


@dataclass(frozen=True, slots=True)
class ShownWorkspace:
    """The workspace on top of the rail."""

    id: UUID
    name: str
    slug: str
    memory_enabled: bool


def console(request: HttpRequest) -> dict[str, Any]:
    """Read from the request only, so that it costs nothing and works on error pages and for strangers."""
    seat: ConsoleContext | None = getattr(request, "seat", None)
    if seat is None:
        return {"workspace": None, "workspaces": [], "rail": []}
    here = seat.workspace
    memory = reverse("memory", args=[here.slug])
    return {
        "page_frame": PANEL_FRAME if _is_for_panel(request) else PAGE_FRAME,
        "density": density_switch(request),
        "space_switcher": build_switcher(seat, request.path) if is_spaced(request.path) else None,
        "workspace": ShownWorkspace(here.id, here.name, here.slug, is_memory_enabled(here)),
        "workspaces": [_entry(workspace, here) for workspace in seat.workspaces],
        "rail": [
            {
                "label": place.label,
                "icon": place.icon,
                "url": reverse(place.page, args=[here.slug]),
                "current": _is_below(request, place.folder),
                "is_near": place.is_near,
                "is_phone_only": place.is_phone_only,
                "key": place.key,
            }
            for place in PLACES
        ],
        "docs_url": docs_url(request.path),
        "about_you_url": reverse("about-you", args=[here.slug]),
        "search_url": f"{memory}?view=search",
        "palette_url": reverse("search", args=[here.slug]),
        "live_url": _live_url(seat, request.path),
        "memory_settings_url": reverse("settings-memory", args=[here.slug]),
    }


@dataclass(frozen=True, slots=True)
class SpaceSwitcher:
    """Which space a page shows, and which others it could.

    `is_others` is true of one that an owner or admin opened; `person` is then the member whose it is, if it is one's.
    """

    label: str
    name: str
    entries: list[dict[str, Any]]
    is_others: bool
    person: str


def build_switcher(seat: ConsoleContext, path: str) -> SpaceSwitcher:
    """Return the switcher of a page; its links lead to the first page of the section."""
    folder, *below = path.split("/")[3:5]
    owners = {"/".join([folder, *below]), folder, PART_OF.get(folder)}
    default = "search" if folder == "search" else "memory"  # the one page that belongs to no place
    page = next((place.page for place in PLACES if place.folder in owners), default)
    first = reverse(page, args=[seat.workspace.slug])
    others = [] if seat.space in seat.spaces else [seat.space]
    entries = [
        {
            "label": _space_label(seat, space),
            "name": str(space),
            "url": f"{first}?{urlencode({PARAMETER: str(space)})}",
            "current": space == seat.space,
        }
        for space in [*seat.spaces, *others]
    ]
    return SpaceSwitcher(_space_label(seat, seat.space), str(seat.space), entries, bool(others), seat.person)


def _space_label(seat: ConsoleContext, space: SpaceName) -> str:
    if space == SHARED:
        return "Shared"
    if space == seat.own_space:
        return "Mine"
    return seat.person if seat.person and space == seat.space else str(space)


def _entry(workspace: Workspace, here: Workspace) -> dict[str, Any]:
    url = reverse("overview", args=[workspace.slug])
    return {"name": workspace.name, "url": url, "current": workspace.id == here.id}


def _live_url(seat: ConsoleContext, path: str) -> str:
    """Return the address of the events of what the page shows, which the script follows."""
    events = reverse("api-events", args=[seat.workspace.id])
    return f"{events}?{urlencode({PARAMETER: str(seat.space)})}" if is_spaced(path) and seat.space != SHARED else events


def _is_for_panel(request: HttpRequest) -> bool:
    return request.headers.get("HX-Target") == "panel"


def _is_below(request: HttpRequest, folder: str) -> bool:
    """Return whether the address is `/w/<slug>/<folder>` or below it; one context is part of Explain."""
    here = request.path.split("/")[3:5]
    return folder in {"/".join(here), *here[:1], PART_OF.get("".join(here[:1]))}
