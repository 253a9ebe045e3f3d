"""The one family of errors that every door knows how to answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One field of a request that could not be accepted."""

    field: str
    code: str
    detail: str


class ProductError(Exception):
    """Something a caller can act on: a stable code, an HTTP status, a sentence that says what to do."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "Something went wrong"
    # The object as it is now, where the caller has an older one; a door gives it.
    current: Mapping[str, Any] | None = None

    def __init__(self, detail: str = "", *, problems: tuple[FieldProblem, ...] = ()) -> None:
        self.detail = detail or _sentence(problems) or self.title
        self.problems = problems
        super().__init__(self.detail)


class NotFoundError(ProductError):
    """Absent, deleted or another workspace's: the answer is the same."""

    code = "not_found"
    status = 404
    title = "There is no such object in this workspace."


class UnauthenticatedError(ProductError):
    """No caller could be made out of the request."""

    code = "unauthenticated"
    status = 401
    title = "Sign in, or send a valid API key as a bearer token."


class ForbiddenError(ProductError):
    """The caller is known and may not do this."""

    code = "forbidden"
    status = 403
    title = "You may not do this."


class ConflictError(ProductError):
    """The object is in a state that does not allow this, or another call was first."""

    code = "conflict"
    status = 409
    title = "The object is in a state that does not allow this."


class InvalidError(ProductError):
    """The request was understood and cannot be accepted."""

    code = "invalid"
    status = 422
    title = "The request has fields that cannot be accepted."


class UnknownFieldError(InvalidError):
    """A field, or a parameter, that nothing here reads: more likely misspelt than meant to be ignored."""

    code = "unknown_field"
    title = "The request has fields that are not known here."


class TooLargeError(ProductError):
    """The body or a field is larger than this server accepts."""

    code = "too_large"
    status = 413
    title = "That is larger than this server accepts."


class TooManyRequestsError(ProductError):
    """Too many calls of one kind; `retry_after` are the seconds until more of it is let through."""

    code = "too_many_requests"
    status = 429
    title = "That was too often. Wait a little, then try again."

    def __init__(self, detail: str = "", *, retry_after: int) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class UnavailableError(ProductError):
    """A backing service did not answer in time."""

    code = "unavailable"
    status = 503
    title = "A service behind this server is not answering. Nothing was changed; try again."


class DatabaseTimeoutError(UnavailableError):
    """A statement took longer than it may, or waited too long for a lock that another transaction holds."""

    code = "database_timeout"
    title = "The database took too long for this, and nothing was changed. Try again, with less at once if you can."
    retry_after: ClassVar[int] = 5


class OverloadedError(UnavailableError):
    """As many requests are being received or answered as this server takes at the same time."""

    code = "overloaded"
    title = "This server has too many requests at the moment. Nothing was changed; try again after a pause."
    retry_after: ClassVar[int] = 2  # seconds


def _sentence(problems: tuple[FieldProblem, ...]) -> str:
    return " ".join(f"{problem.field}: {problem.detail}" for problem in problems[:3])
