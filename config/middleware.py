"""What surrounds every request: the browser's content rules, and one answer for our own errors."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from config.error_handlers import answer
from core.http.problems import as_product_error

Handler = Callable[[HttpRequest], HttpResponseBase]

POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
# unfold (the staff admin) ships Alpine.js, which evaluates the expressions in its attributes with `new Function`, and
# a few style attributes, to which no nonce can be given. Scripts in pages and handlers in attributes stay refused.
ADMIN_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'").replace(
    "style-src 'self'", "style-src 'self' 'unsafe-inline'"
)


def content_security_policy(get_response: Handler) -> Handler:
    """Scripts and styles come from this server's files only."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        policy = ADMIN_POLICY if request.path.startswith("/admin/") else POLICY
        if address := getattr(response, "form_leads_to", ""):  # browsers hold redirects after a form to it as well
            policy = policy.replace("form-action 'self'", f"form-action 'self' {address}")
        # Styles and scripts are not documents: the rules would be bytes that no browser reads.
        if not response.headers.get("Content-Type", "").startswith(("text/css", "text/javascript")):
            response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return handle


def no_caching(get_response: Handler) -> Handler:
    """No cache keeps an answer of REST: it holds what only its caller may read."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.path.startswith("/v1/"):
            response.headers["Cache-Control"] = "no-store"
        return response

    return handle


class product_errors:  # noqa: N801  # named like the middleware function that it is
    """Errors of ours that leave a page become that page's error: HTML for people, a problem for programs."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        error = as_product_error(exception)
        return None if error is None else answer(request, error)
