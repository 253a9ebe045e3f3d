"""How high the rows of lists are: chosen by a link, `?rows=comfortable`, and kept in a cookie."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.http import HttpRequest
from django.http.response import HttpResponseBase

PARAMETER = COOKIE = "rows"
YEAR = 365 * 24 * 3600


class Density(StrEnum):
    """Rows of one line in a wide window, or of two."""

    COMPACT = "compact"
    COMFORTABLE = "comfortable"


@dataclass(frozen=True, slots=True)
class DensitySwitch:
    """The density of a page, and the link to the other one."""

    name: Density
    other: Density
    url: str


def density_switch(request: HttpRequest) -> DensitySwitch:
    """Return what the address says, or else the cookie; rows are compact at first."""
    chosen = _read_address(request) or _density(request.COOKIES.get(COOKIE)) or Density.COMPACT
    other = Density.COMFORTABLE if chosen == Density.COMPACT else Density.COMPACT
    address = request.GET.copy()
    address[PARAMETER] = other
    return DensitySwitch(chosen, other, f"?{address.urlencode()}")


def keep_density(request: HttpRequest, response: HttpResponseBase) -> None:
    """Keep what the address says in a cookie of the person's browser."""
    if asked := _read_address(request):
        response.set_cookie(
            COOKIE, asked, max_age=YEAR, path="/w/", secure=request.is_secure(), httponly=True, samesite="Lax"
        )


def _read_address(request: HttpRequest) -> Density | None:
    return _density(request.GET.get(PARAMETER))


def _density(value: str | None) -> Density | None:
    return Density(value) if value in list(Density) else None
