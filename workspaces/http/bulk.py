"""REST views that take JSON Lines: each line is kept or refused for itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, NotRequired

from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

# Pydantic reads this one on Python 3.11 as well.
from typing_extensions import TypedDict

from core.bulk import LineResult
from core.errors import FieldProblem, InvalidError
from core.http.body_parsers import JSON_LINES, MAX_LINES, JSONLine, require_lines
from core.http.problems import MalformedError, problem_body
from core.http.schemas import RequestSchema
from workspaces.http.rest import WorkspaceView

# The others have a code and a sentence.
MAX_EXPLAINED_LINES = 1_000


class LineResultResponse(TypedDict):
    """What became of one line: the id of what stands for it now, or why it was refused."""

    line: int
    status: Literal["created", "existing", "refused"]
    id: NotRequired[Annotated[str, Field(json_schema_extra={"format": "uuid"})]]
    code: NotRequired[str]
    detail: NotRequired[str]
    errors: NotRequired[list[FieldProblem]]


class LineResultsResponse(TypedDict):
    """What became of each line, and of how many it became what."""

    results: list[LineResultResponse]
    created: int
    existing: int
    refused: int


class LinesView(WorkspaceView, ABC):
    """JSON Lines in, one result for each line out; a line that is refused keeps no other one out."""

    waits = True
    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    parser_classes = JSON_LINES
    reader: ClassVar[type[RequestSchema]]
    most_lines: ClassVar[int] = MAX_LINES  # which the parser counts, before it reads any of them

    def post(self, request: Request, ws: str) -> Response:
        lines = require_lines(request.data)
        fit, results = self._validate_lines(lines)
        results.update(zip(fit, self.keep(list(fit.values())), strict=True))
        listed = _results_json(lines, results)
        counts = Counter(line["status"] for line in listed)
        return Response(
            {"results": listed, **{status: counts[status] for status in ("created", "existing", "refused")}}
        )

    def read_line(self, value: Any) -> Any:
        """Return what a line says. Raises InvalidError, UnknownFieldError."""
        return self.reader.read(value)

    @abstractmethod
    def keep(self, given: Sequence[Any]) -> Sequence[LineResult]:
        """Keep what the fit lines say, and return for each what became of it."""

    def _validate_lines(self, lines: Sequence[JSONLine]) -> tuple[dict[int, Any], dict[int, LineResult]]:
        """Return the lines that the reader understands, and the refusals of the others, by number."""
        fit: dict[int, Any] = {}
        refused: dict[int, LineResult] = {}
        for line in lines:
            try:
                fit[line.number] = self.read_line(line.read())
            except (InvalidError, MalformedError) as error:
                # Without its frames and its cause, which would keep the line several times over.
                error.__cause__ = error.__context__ = None
                refused[line.number] = LineResult(error=error.with_traceback(None))
        return fit, refused


def _results_json(lines: Sequence[JSONLine], results: dict[int, LineResult]) -> list[dict[str, Any]]:
    """Return what became of each line; problems by field for the first `MAX_EXPLAINED_LINES` that are refused."""
    listed = [_line_json(line.number, results[line.number]) for line in lines]
    explained = [result for result in listed if "errors" in result]
    for result in explained[MAX_EXPLAINED_LINES:]:
        del result["errors"]
    return listed


def _line_json(number: int, result: LineResult) -> dict[str, Any]:
    if result.error is None:
        return {"line": number, "status": "created" if result.is_new else "existing", "id": str(result.id)}
    problem = problem_body(result.error)
    shown = {name: value for name, value in problem.items() if name in {"code", "detail", "errors"}}
    return {"line": number, "status": "refused", **shown}
