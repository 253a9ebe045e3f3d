"""What can go wrong between an agent and its memory, as exceptions that name it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class WorkspaceMemoryError(Exception):
    """The base of everything that this package raises by itself."""


class InvalidValueError(WorkspaceMemoryError, ValueError):
    """A value that no slot takes, or arguments in which references cannot be looked for; nothing was sent or called."""


class NoAnswerError(WorkspaceMemoryError):
    """The server could not be reached, or did not answer in time."""


class UnexpectedAnswerError(WorkspaceMemoryError):
    """Something answered that is not a Workspace Memory server, or one that this version does not understand."""


class WorkspaceNotNamedError(WorkspaceMemoryError):
    """No workspace was named, and the key does not belong to exactly one; or it does not open the one that was."""


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """What is wrong with one field: its path with dots, a stable code, a sentence."""

    field: str
    code: str
    detail: str


class ApiError(WorkspaceMemoryError):
    """The server refused. `code` is stable and what programs look at; `detail` is a sentence that names the cure.

    `current` is the object as it is now, where the caller had an older version of it.
    """

    def __init__(
        self,
        *,
        status: int,
        code: str,
        title: str,
        detail: str,
        problems: tuple[FieldProblem, ...] = (),
        current: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{detail} [{code}]")
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.problems = problems
        self.current = current


class UnauthenticatedError(ApiError):
    """401: the key is unknown, expired or revoked."""


class ForbiddenError(ApiError):
    """403: the key lacks a scope; the detail says which."""


class NotFoundError(ApiError):
    """404: there is no such thing in this workspace."""


class ConflictError(ApiError):
    """409: the thing is in a state that does not allow this."""


class TooLargeError(ApiError):
    """413: more than the server accepts at once."""


class InvalidError(ApiError):
    """422: fields that cannot be accepted; `problems` says which and why."""


class RateLimitedError(ApiError):
    """429, also after the retries: slow down."""


class ServerError(ApiError):
    """5xx, also after the retries: the server, or something behind it, fails."""


_BY_STATUS: Mapping[int, type[ApiError]] = {
    401: UnauthenticatedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    413: TooLargeError,
    422: InvalidError,
    429: RateLimitedError,
}


def api_error(status: int, problem: Any) -> ApiError:
    """The exception for an answer of 400 or more; `problem` is its JSON, or None where it has none."""
    told = problem if isinstance(problem, dict) else {}
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    problems, current = told.get("errors"), told.get("current")
    title = str(told.get("title") or f"The server answered {status}.")
    return kind(
        status=status,
        code=str(told.get("code") or f"http_{status}"),
        title=title,
        detail=str(told.get("detail") or title),
        problems=tuple(
            FieldProblem(str(one.get("field", "")), str(one.get("code", "")), str(one.get("detail", "")))
            for one in (problems if isinstance(problems, list) else ())
            if isinstance(one, dict)
        ),
        current=current if isinstance(current, dict) else None,
    )
