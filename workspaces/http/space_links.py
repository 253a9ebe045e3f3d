"""The space that a person looks at stands in the address of a page, and each link and form of the page keeps it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import escape, unescape
from urllib.parse import parse_qs, urlencode, urlsplit

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import SHARED, SpaceName

PARAMETER = "space"
# The folders of a workspace's pages that show what belongs to a space; `chat` has addresses from before, which lead on.
SPACED_FOLDERS = frozenset(
    {
        *("home", "memory", "review", "chat", "conversations", "ontology", "agents", "explain", "receipts", "live"),
        *("card", "search", "undo", "episodes", "statements"),
    }
)

# Stored text has no quotation marks in HTML (they are escaped), so that what looks like an attribute is one. What a
# search box asks for while one types takes the fields of its form along, the space among them.
_ATTRIBUTE = re.compile(
    r'(?<=\s)(href|action|formaction|hx-get|hx-post|hx-delete|data-search-url)="([^"]*)"(?![^<>]*\shx-include=)'
)
_GET_FORM = re.compile(r'<form\b[^>]*\smethod="get"[^>]*>')
_TARGETS = ("Location", "HX-Redirect")


def is_spaced(path: str) -> bool:
    """Return whether an address `/w/<slug>/<folder>…` shows what belongs to a space."""
    return path.startswith("/w/") and not SPACED_FOLDERS.isdisjoint(path.split("/")[3:4])


def named_space(request: HttpRequest) -> str:
    """Return the name of the space in the address of a page."""
    return request.GET.get(PARAMETER, str(SHARED)) if is_spaced(request.path) else str(SHARED)


def keep_space(response: HttpResponseBase, seat: ConsoleContext) -> None:
    """Add the space to the addresses in an answer that lead to pages of the workspace: links, forms, redirects."""
    if seat.space == SHARED:
        return
    kept = KeptSpace.of(seat)
    for name in _TARGETS:
        if name in response.headers:
            response.headers[name] = kept.address(response.headers[name])
    if "HX-Location" in response.headers:
        location = json.loads(response.headers["HX-Location"])
        response.headers["HX-Location"] = json.dumps({**location, "path": kept.address(location["path"])})
    if "HX-Trigger" in response.headers:
        events = json.loads(response.headers["HX-Trigger"])
        if undo_url := events.get("toast", {}).get("undo_url"):
            events["toast"]["undo_url"] = kept.address(undo_url)
            response.headers["HX-Trigger"] = json.dumps(events)
    if isinstance(response, HttpResponse) and response.headers.get("Content-Type", "").startswith("text/html"):
        response.content = kept.html(response.content.decode()).encode()


@dataclass(frozen=True, slots=True)
class KeptSpace:
    """A space, and the workspace in whose addresses it is kept."""

    slug: str
    space: SpaceName

    @classmethod
    def of(cls, seat: ConsoleContext) -> KeptSpace:
        return cls(seat.workspace.slug, seat.space)

    def address(self, address: str) -> str:
        """Return an address with the space, if it leads to a page that has one and names none."""
        base, mark, fragment = address.partition("#")
        parts = urlsplit(base)
        is_here = parts.path.startswith(f"/w/{self.slug}/") and is_spaced(parts.path) and not parts.netloc
        if (
            self.space == SHARED
            or not (is_here or base.startswith("?"))
            or PARAMETER in parse_qs(parts.query, keep_blank_values=True)
        ):
            return address
        joint = "&" if parts.query else "" if base.endswith("?") else "?"
        return f"{base}{joint}{urlencode({PARAMETER: str(self.space)})}{mark}{fragment}"

    def html(self, text: str) -> str:
        """Return HTML whose links and forms keep the space."""
        if self.space == SHARED:
            return text
        linked = _ATTRIBUTE.sub(self._attribute, text)
        return _GET_FORM.sub(self._form, linked)

    def _attribute(self, found: re.Match[str]) -> str:
        before = unescape(found[2])
        after = self.address(before)
        return found[0] if after == before else f'{found[1]}="{escape(after)}"'

    def _form(self, found: re.Match[str]) -> str:
        """Add a field with the space: a form that is sent by GET loses the query of its address."""
        return f'{found[0]}<input type="hidden" name="{PARAMETER}" value="{escape(str(self.space))}">'
