"""What the page Settings → Spaces shows."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import SHARED
from workspaces.http.space_links import PARAMETER


@dataclass(frozen=True, slots=True)
class OwnSpace:
    """A space that a person has, and where its memories are."""

    name: str
    about: str
    url: str


def own_spaces(seat: ConsoleContext) -> list[OwnSpace]:
    """Return the spaces that a person has, what is shared first."""
    about = {SHARED: "for all of the workspace", seat.own_space: "yours alone"}
    memory = reverse("memory", args=[seat.workspace.slug])
    return [
        OwnSpace(str(space), about.get(space, "granted to you"), f"{memory}?{urlencode({PARAMETER: str(space)})}")
        for space in seat.spaces
    ]
