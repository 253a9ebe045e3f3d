"""Answers to what went wrong outside of a view: HTML pages for people, problem details for programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from core.errors import ForbiddenError, NotFoundError, ProductError
from core.http.problems import CsrfError, MalformedError, problem_headers, problem_response
from workspaces.access.callers import RIGHTS_OF_ROLE, MissingScopeError


class BugError(ProductError):
    """Something that should not happen; the log has the trace."""

    code = "internal_error"
    status = 500
    title = "Something went wrong on this server. Nothing you sent was changed; the log has the details."


class BadRequestError(MalformedError):
    code = "bad_request"
    title = "The request could not be understood."


def answer(request: HttpRequest, error: ProductError) -> HttpResponse:
    """Return an error in the shape that the client reads."""
    if _is_program(request):
        return problem_response(error)
    if hasattr(request, "seat") and error.status == ForbiddenError.status:
        page = render_to_string("errors/console.html", {"error": error, "who_may": _who_may(error)}, request)
    else:
        page = render_to_string("errors/error.html", {"error": error}, request)
    return HttpResponse(page, status=error.status, headers=problem_headers(error))


def respond_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, NotFoundError("There is nothing at this address."))


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, ForbiddenError())


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return answer(request, BadRequestError())


def server_error(request: HttpRequest) -> HttpResponse:
    return problem_response(BugError()) if _is_program(request) else HttpResponse(BugError.title, status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return answer(request, CsrfError())


def _who_may(error: ProductError) -> str:
    """Return who may do what was refused to a person, and whom to ask; '' where the error says so itself."""
    right = error.right if isinstance(error, MissingScopeError) else None
    if right is None:
        return ""
    roles = [role for role, rights in RIGHTS_OF_ROLE.items() if right in rights]
    named = f"{', '.join(f'{role}s' for role in roles[:-1])} and {roles[-1]}s".capitalize()
    return f"{named} of this workspace may do this. Ask one of them to, or to give you another role."


def _is_program(request: HttpRequest) -> bool:
    return request.path.startswith(("/v1/", "/mcp")) or "text/html" not in request.headers.get("Accept", "text/html")
