"""Asking before what cannot be undone, on a page of its own, for browsers without script.

A form of such an act carries its question in the field `ask`, with `ask_detail`, `ask_verb` and `ask_type`: a word to
be typed. With script the question is a dialog (static/js/forms.js), and the request one of htmx.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import url_has_allowed_host_and_scheme

ASK = ("ask", "ask_detail", "ask_verb", "ask_type")
CONFIRMED, TYPED = "confirmed", "typed"
MAX_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class ActQuestion:
    """What is asked, what then happens, the verb of the button, and a word to be typed, where there is one."""

    title: str
    detail: str
    verb: str
    word: str

    @classmethod
    def of(cls, request: HttpRequest) -> ActQuestion | None:
        """Return what a form without script wants asked; None where it does not, or where the answer is here."""
        if request.method != "POST" or request.headers.get("HX-Request"):
            return None
        given = [(request.POST.get(name) or request.GET.get(name) or "")[:MAX_CHARACTERS] for name in ASK]
        asked = cls(*given)
        if not asked.title or (CONFIRMED in request.POST and request.POST.get(TYPED, "") == asked.word):
            return None
        return asked


def ask_first(request: HttpRequest, asked: ActQuestion) -> HttpResponse:
    """Render the question; the form repeats the request with everything that was sent."""
    sent = [(name, value) for name, values in request.POST.lists() for value in values]
    referer = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(referer, {request.get_host()}, require_https=request.is_secure())
    context = {
        "asked": asked,
        "verb": asked.verb or "Confirm",
        "sent": [(name, value) for name, value in sent if name not in {"csrfmiddlewaretoken", CONFIRMED, TYPED}],
        "action": request.get_full_path(),
        "back": referer if is_ours else "/",
        "is_mistyped": CONFIRMED in request.POST,
    }
    return render(request, "confirm.html", context, status=422 if context["is_mistyped"] else 200)
