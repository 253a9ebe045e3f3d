"""RFC 9457 problem details: the one shape in which every door answers an error."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.http import Http404, JsonResponse
from psycopg_pool import PoolTimeout
from rest_framework import exceptions
from rest_framework.response import Response

from core.db.connection_shares import ShareTimeoutError
from core.errors import (
    DatabaseTimeoutError,
    FieldProblem,
    ForbiddenError,
    InvalidError,
    NotFoundError,
    OverloadedError,
    ProductError,
    TooManyRequestsError,
    UnauthenticatedError,
    UnavailableError,
    UnknownFieldError,
)
from core.text import encodable, excerpt

CONTENT_TYPE = "application/problem+json"
# RFC 6750: how a client without valid credentials is asked for some.
BEARER_CHALLENGE = 'Bearer realm="workspace memory"'
MAX_CHARACTERS = 300
log = logging.getLogger(__name__)


class MalformedError(ProductError):
    """The body is not JSON that this server reads."""

    code = "malformed_json"
    status = 400
    title = "The body is not valid JSON."


class MethodError(ProductError):
    code = "method_not_allowed"
    status = 405
    title = "This address does not take that method."


class MediaTypeError(ProductError):
    code = "unsupported_media_type"
    status = 415
    title = "Send the body as application/json."


class NotAcceptableError(ProductError):
    code = "not_acceptable"
    status = 406
    title = "This address answers in JSON only."


class NoConnectionError(UnavailableError):
    """All connections to the database were in use, or none could be made."""

    retry_after: ClassVar[int] = 5


class CsrfError(ForbiddenError):
    code = "csrf_failed"
    title = "The page's security token is missing or too old. Reload the page and try again."


def problem_body(error: ProductError) -> dict[str, Any]:
    """Return the JSON of one error."""
    body: dict[str, Any] = {
        "type": f"urn:workspace-memory:problem:{error.code}",
        "title": error.title,
        "status": error.status,
        "detail": error.detail,
        "code": error.code,
    }
    if error.problems:
        body["errors"] = [{"field": p.field, "code": p.code, "detail": p.detail} for p in error.problems]
    if error.current is not None:
        body["current"] = dict(error.current)
    return body


def problem_response(error: ProductError) -> JsonResponse:
    """Return the answer outside of REST framework views (middleware, unknown addresses)."""
    return JsonResponse(
        problem_body(error), status=error.status, content_type=CONTENT_TYPE, headers=problem_headers(error)
    )


def problem_headers(error: ProductError) -> dict[str, str]:
    """Return the headers that HTTP requires in addition to the body."""
    if isinstance(error, TooManyRequestsError | OverloadedError | DatabaseTimeoutError | NoConnectionError):
        return {"Retry-After": str(error.retry_after)}
    if error.status == UnauthenticatedError.status:
        return {"WWW-Authenticate": BEARER_CHALLENGE}
    return {}


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """REST framework's hook: everything that we can answer becomes a problem, the rest stays an error."""
    error = as_product_error(exc)
    if error is None:
        return None
    if error.status >= 500:
        log.warning("rest_unavailable code=%s cause=%s", error.code, type(exc).__name__)
    return Response(problem_body(error), status=error.status, content_type=CONTENT_TYPE, headers=problem_headers(error))


def as_product_error(exc: Exception) -> ProductError | None:
    """Translate the frameworks' exceptions into ours; None for what is a bug."""
    if isinstance(exc, ProductError):
        return exc
    if isinstance(exc, exceptions.ValidationError):
        problems = tuple(_field_problems(exc.get_full_details()))
        is_unknown = any(problem.code == UnknownFieldError.code for problem in problems)
        return (UnknownFieldError if is_unknown else InvalidError)(problems=problems)
    if isinstance(exc, exceptions.ParseError):
        return MalformedError(str(exc.detail))
    if isinstance(exc, exceptions.PermissionDenied):
        return CsrfError() if str(exc.detail).startswith("CSRF") else ForbiddenError()
    if refusal := _database_refusal(exc.__cause__):
        return refusal
    return next((answer() for kind, answer in _TRANSLATIONS if isinstance(exc, kind)), None)


def _database_refusal(cause: BaseException | None) -> ProductError | None:
    """Return what a statement or a connection was refused for; None for any other cause."""
    if getattr(cause, "sqlstate", None) in _TIMEOUTS:
        return DatabaseTimeoutError()
    if isinstance(cause, ShareTimeoutError):
        return OverloadedError()
    return NoConnectionError() if isinstance(cause, PoolTimeout) else None


# query_canceled, lock_not_available, idle_in_transaction_session_timeout
_TIMEOUTS = frozenset({"57014", "55P03", "25P03"})

_TRANSLATIONS: tuple[tuple[type[Exception], type[ProductError]], ...] = (
    (exceptions.NotAuthenticated, UnauthenticatedError),
    (exceptions.AuthenticationFailed, UnauthenticatedError),
    (exceptions.NotFound, NotFoundError),
    (exceptions.MethodNotAllowed, MethodError),
    (exceptions.UnsupportedMediaType, MediaTypeError),
    (exceptions.NotAcceptable, NotAcceptableError),
    (Http404, NotFoundError),
    (PermissionDenied, ForbiddenError),
    (OperationalError, UnavailableError),
    (InterfaceError, UnavailableError),
)


def _field_problems(details: Any, path: str = "") -> Iterator[FieldProblem]:
    if isinstance(details, list):
        for place, item in enumerate(details):
            is_leaf = isinstance(item, dict) and set(item) == {"message", "code"}
            yield from _field_problems(item, path if is_leaf else f"{path}.{place}".lstrip("."))
    elif isinstance(details, dict) and set(details) == {"message", "code"}:
        # REST framework quotes what was sent, which may be long, or no text that could be sent back.
        said = excerpt(encodable(str(details["message"])), limit=MAX_CHARACTERS)
        yield FieldProblem(encodable(path) or "body", str(details["code"]), said)
    elif isinstance(details, dict):
        for name, inner in details.items():
            here = path if name == "non_field_errors" else f"{path}.{name}".lstrip(".")
            yield from _field_problems(inner, here)
