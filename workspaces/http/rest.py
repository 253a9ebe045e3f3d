"""Base classes of the REST views of every app: the caller of a call, the workspace in the path, strict input."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeVar

from django.db.models import QuerySet
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from core.action_types import TOOL_CALL, ActionTypes
from core.errors import NotFoundError
from core.http.body_parsers import BodyTooLargeError, LengthRequiredError, most_bytes
from core.http.pagination import CursorPages
from core.http.schemas import NoQuery, QuerySchema, RequestSchema, ResponseSchema
from core.http.url_parameters import path_id
from workspaces.access.callers import Caller, Right
from workspaces.access.client_address import client_address
from workspaces.access.operators import Operator, OperatorsOnlyError
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace
from workspaces.access.space_access_audit import note_openings
from workspaces.access.space_registry import refuse_unseen_names
from workspaces.access.spaces import NamedSpaces
from workspaces.http import idempotency, space_fields
from workspaces.http.authentication import IsCaller, mark_sub_agent, narrow_caller, note_caller, who
from workspaces.http.idempotency import IdempotentCall
from workspaces.http.rate_limit import CallsPerMinute
from workspaces.models import User

Body = TypeVar("Body", bound=RequestSchema)
Query = TypeVar("Query", bound=QuerySchema)


class RestView(APIView):
    """A view that counts the calls of each caller, tells them how many are left, and reads the query string.

    A view declares its facts by method, and the OpenAPI document, the MCP door and the reference follow from them:
    `asks` is what the query string may hold, nothing unless it is said; `reads` the bodies, any of them; `answers` the
    good answers, one schema, or several by status, None for 204 without a body. `reads_lines` are the methods that read
    JSON Lines, one body in each; `streams` the media types in which a method answers piece by piece; `takes_scope` says
    that the query string may hold `scope.<dimension>`. HEAD is asked like GET.

    Of all its methods: `waits` says that an answer may take as long as a model, a reader or thousands of lines do, and
    ends when the client leaves; `asks_model` that it may use the workspace's credits; `action_types` what its calls are
    in telemetry, None for those that leave no trace there. `operator_methods` are open to operators' keys alone.
    """

    throttle_classes = (CallsPerMinute,)
    asks: ClassVar[Mapping[str, type[QuerySchema]]] = {}
    reads: ClassVar[Mapping[str, type[RequestSchema] | tuple[type[RequestSchema], ...]]] = {}
    answers: ClassVar[Mapping[str, Any]] = {}
    reads_lines: ClassVar[Collection[str]] = ()
    streams: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    takes_scope: ClassVar[bool] = False
    waits: ClassVar[bool] = False
    asks_model: ClassVar[bool] = False
    action_types: ClassVar[ActionTypes | None] = TOOL_CALL
    operator_methods: ClassVar[Collection[str]] = ()
    asked: Any

    @property
    def method(self) -> str:
        """The request's method; HEAD is a GET whose body is not sent."""
        return "GET" if self.request.method == "HEAD" else str(self.request.method)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if "chunked" in request.headers.get("Transfer-Encoding", "").lower():
            raise LengthRequiredError()
        if int(request.META.get("CONTENT_LENGTH") or 0) > (limit := most_bytes(self)):
            raise BodyTooLargeError(f"The body is larger than {limit:,} bytes.")
        super().initial(request, *args, **kwargs)
        if self.method not in self.allowed_methods:
            self.http_method_not_allowed(request)  # whatever its query string says
        if self.method in self.operator_methods and not isinstance(who(request), Operator):
            raise OperatorsOnlyError()
        self.asked = self.read_query()

    def read_query(self) -> Any:
        """Return the validated query string; parameters that are not known, or given twice, are refused."""
        if not self.request.query_params and self.method not in self.asks:
            return {}
        return self.asks.get(self.method, NoQuery).read_query(self.request.query_params)

    def query(self, schema: type[Query]) -> Query:
        """Return the query string, which `asks` names for this method."""
        if not isinstance(self.asked, schema):
            raise TypeError(f"{type(self).__name__} asks {self.method} for something else than {schema.__name__}.")
        return self.asked

    def body(self, schema: type[Body]) -> Body:
        """Return the validated body. Raises InvalidError, which becomes a 422."""
        return schema.read(self.request.data)

    def answer(self, found: ResponseSchema, status: int = 200) -> Response:
        """Render the answer that `answers` names for this method."""
        return Response(found.as_json(), status=status)

    def get_throttles(self) -> list[BaseThrottle]:
        # One for the whole request: it knows the rate.
        self._throttles: list[BaseThrottle] = getattr(self, "_throttles", None) or super().get_throttles()
        return self._throttles

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        for throttle in getattr(self, "_throttles", ()):
            if isinstance(throttle, CallsPerMinute) and throttle.rate:
                for name, value in throttle.rate.headers.items():
                    answer[name] = value
        return answer


class WorkspaceView(RestView):
    """A view under `/v1/workspaces/{ws}`; `self.caller` is who asks, inside that workspace.

    `rights` names what each method needs; None leaves it to the service. `names_spaces` says that a call may name whose
    memory it is about (`user`, `agent`, `space`, `shared`), `stays_within` that it touches no other spaces. What names
    none is about the workspace itself: a key that is bound to spaces changes nothing there, but where
    `is_for_bound_keys` says that the service holds what it changes to its binding. A path with another workspace, or
    with something that is not an id, answers 404. A POST that changes something may carry an `Idempotency-Key`; where
    `keeps_answers` is False, only that it was answered is kept.
    """

    permission_classes = (IsCaller,)
    rights: ClassVar[Mapping[str, Right | None]] = {}
    keeps_answers: ClassVar[bool] = True
    names_spaces: ClassVar[bool] = True
    is_for_bound_keys: ClassVar[bool] = False
    stays_within: ClassVar[bool] = True
    caller: Caller
    named: NamedSpaces
    _call: IdempotentCall | None = None
    _queried: space_fields.SpaceQuery | None = None
    _body: Any = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.caller = require_caller(request, kwargs["ws"])
        right = select_right(self.rights, self.method)
        if right:
            self.caller.require(right)
        if not (self.names_spaces or self.is_for_bound_keys or self.method in {"GET", "OPTIONS"}):
            self.caller.require_whole_workspace()
        if self.names_spaces:
            self.named = self._read_spaces()
            self.caller = self.caller.naming(self.named)
            refuse_unseen_names(self.caller, self.named)
            note_openings(self.caller, self.named.all)
            if isinstance(who(request), Caller):
                narrow_caller(request, self.caller)
        note_caller(request, self.caller)
        if request.method == "POST" and "Idempotency-Key" in request.headers:
            call = IdempotentCall.of(
                caller=self.caller,
                path=request.path,
                key=request.headers["Idempotency-Key"],
                stays_within=self.names_spaces and self.stays_within,
            )
            if right != Right.READ:  # looking something up changes nothing
                idempotency.start(call, request=[request.META.get("QUERY_STRING", ""), request.data])
                self._call = call

    def read_query(self) -> Any:
        """Return the validated query string without the spaces that it names."""
        if not self.names_spaces:
            return super().read_query()
        own = self.asks.get(self.method, NoQuery)
        rest, self._queried = space_fields.split_query(self.request.query_params, own.model_fields)
        return own.read_query(rest) if rest or self.method in self.asks else {}

    def _read_spaces(self) -> NamedSpaces:
        """Return the spaces that the query string or the body names."""
        if self.method == "GET":
            return space_fields.join_spaces(self._queried)
        readers = self.reads.get(self.method, ())
        readers = readers if isinstance(readers, tuple) else (readers,)
        fields = {name for reader in readers for name in reader.model_fields}
        self._body, said = space_fields.split_body(self.request.data, fields)
        return space_fields.join_spaces(self._queried, said)

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, idempotency.AnsweredBeforeError):
            return Response(exc.body, status=exc.status, headers={"Idempotency-Replayed": "true"})
        self._settle(None)
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        self._settle(answer if answer.status_code < 400 else None)
        return answer

    def _settle(self, answer: Any) -> None:
        """Keep the answer of a call that may be sent again, or let it be tried again."""
        call, self._call = self._call, None
        if call is None:
            return
        if answer is None:
            idempotency.release(call)
            return
        is_kept = self.keeps_answers and isinstance(answer, Response)
        idempotency.store_response(
            call, status=answer.status_code, rendered=partial(_render_json, answer) if is_kept else None
        )

    def body(self, schema: type[Body]) -> Body:
        """Return the validated body without the spaces that it names. Raises InvalidError, which becomes a 422."""
        return schema.read(self._body if self.names_spaces else self.request.data)

    def page(
        self,
        schema: type[ResponseSchema],
        find: Callable[[], QuerySet[Any]],
        pages: CursorPages | None = None,
        *,
        caller: Caller | None = None,
        prepare: Callable[[Sequence[Any]], object] | None = None,
    ) -> Response:
        """Render the page of a list that the query string asks for; `find` is called inside the workspace's scope, and
        then `prepare` with the records of the page.

        That is the scope of `caller`, where the list is of something else than what the call's own spaces have.
        """
        pages = pages or CursorPages()
        with workspace_scope(caller or self.caller):
            page = pages.paginate_queryset(find(), self.request, self)
            if prepare:
                prepare(page or [])
            items = [schema.of(item).as_json() for item in page or []]
        return pages.get_paginated_response(items)


def select_right(rights: Mapping[str, Right | None], method: str) -> Right | None:
    """Return the right that a method needs: that of its view, else the one to read or to write; None for none."""
    return rights.get(method, Right.READ if method in {"GET", "OPTIONS"} else Right.WRITE)


def _render_json(answer: Response) -> str:
    return JSONRenderer().render(answer.data).decode() or "null"


def require_caller(request: Request, workspace: str) -> Caller:
    """Return the caller inside the workspace that the path names. Raises NotFoundError for any other workspace."""
    workspace_id = path_id(workspace)
    found = who(request)
    if isinstance(found, User):
        caller = access_workspace(user=found, workspace_id=workspace_id, address=client_address(request))
        return mark_sub_agent(request, caller)
    if isinstance(found, Caller) and found.workspace_id == workspace_id:
        return found
    raise NotFoundError()
