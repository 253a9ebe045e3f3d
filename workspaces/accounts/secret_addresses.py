"""Pages whose address is a secret: links to join and to choose another password."""

from __future__ import annotations

from django.http.response import HttpResponseBase


def hide_address(response: HttpResponseBase) -> None:
    """Let browsers tell nothing of the page's address but its origin, not even to other pages of ours.

    Not `no-referrer`: browsers then send `Origin: null` with the page's form, which the check of where a form comes
    from must refuse.
    """
    response.headers["Referrer-Policy"] = "strict-origin"
