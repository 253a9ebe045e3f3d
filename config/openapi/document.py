"""Assembling the document: paths out of the URL table, bodies out of the operations, problems out of the errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from pydantic import TypeAdapter
from rest_framework.views import APIView

from config.openapi import examples
from config.openapi.operations import JSON_LINES, Operation, declared_operation
from config.openapi.space_parameters import bodies_with_spaces, parameter_references, space_parameters, space_schemas
from config.url_table import addresses, in_braces
from core.http.field_types import JsonSchema as Schema
from core.http.json_schema import body_example, query_parameters
from core.http.problems import CONTENT_TYPE
from core.http.schemas import ProblemResponse
from memory.memories.transitions import TRANSITIONS
from memory.models import SlotTier
from memory.working_memory.slot_limits import WORKING
from workspaces.access.spaces import MAX_NAME_CHARACTERS
from workspaces.http.rest import RestView, WorkspaceView, select_right

JSON = "application/json"
REFERENCE = "#/components/schemas/{model}"
METHODS = ("get", "post", "put", "patch", "delete")
# Members only, and therefore absent.
UNLISTED = frozenset({"api-memory-enable", "api-memory-disable"})

PROBLEMS = {
    400: "The body is not JSON, or the request cannot be read.",
    401: "No valid key and no session.",
    403: "The key lacks a scope, or the session's page lacks its CSRF token.",
    404: "There is no such object in this workspace, or no such workspace for this caller.",
    402: "The workspace's credits for this month are used up.",
    406: "The address answers in JSON only.",
    409: "The object is in a state that does not allow this, or another call was first.",
    410: "The workspace of the key is being deleted.",
    411: "The body came in chunks, without its length.",
    413: "The body or a field is larger than this server accepts.",
    415: "The body is of another media type.",
    422: "The request was understood and cannot be accepted; `errors` names the fields.",
    429: "That was too often; `Retry-After` says for how long to wait.",
    502: "A model provider failed.",
    503: "A service behind this server does not answer.",
}
OF_BODIES = frozenset({400, 409, 411, 413, 415})
OF_MODELS = frozenset({402, 502})


@cache
def document() -> Schema:
    """Return the whole document, OpenAPI 3.1."""
    shapes_of, schemas = _answers()
    operations = [
        (path, method, _operation(path, method, name, view, shapes_of)) for path, method, name, view in doors()
    ]
    paths: dict[str, Any] = {}
    for path, method, operation in operations:
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Workspace Memory",
            "version": settings.VERSION,
            "description": "A memory server for AI agents, governed by people.",
        },
        "servers": [{"url": settings.PUBLIC_URL}],
        "security": [{"key": []}, {"session": []}],
        "tags": [{"name": name} for name in sorted({operation["tags"][0] for _, _, operation in operations})],
        "paths": paths,
        "components": {
            "schemas": schemas | space_schemas(),
            "parameters": space_parameters(),
            "responses": {str(status): _problem(status) for status in PROBLEMS},
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": "An API key, `oxa_live_…`."},
                "operator": {"type": "http", "scheme": "bearer", "description": "An operator's, `oxa_operator_…`."},
                "session": {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME},
            },
        },
    }


@cache
def operations() -> dict[tuple[str, str], Operation]:
    """Return every operation by its method and the name of its address: what it reads and what it answers."""
    found = {}
    for _, method, name, (kind, initial) in doors():
        view = type(kind.__name__, (kind,), initial)  # one view may have several addresses
        found[method.upper(), name] = declared_operation(view, method.upper())
    return found


def _answers() -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """Return a reference for each shape that an operation answers, and the schemas that they refer to."""
    wanted = [ProblemResponse, *(shape for operation in operations().values() for shape in operation.gives.values())]
    found = [shape for shape in dict.fromkeys(wanted) if shape is not None]
    named, defined = TypeAdapter.json_schemas(
        [(str(place), "serialization", TypeAdapter(shape)) for place, shape in enumerate(found)], ref_template=REFERENCE
    )
    plain = {name: name.replace("Response", "") for name in defined["$defs"]}
    names = {name: plain[name] if plain[name] not in defined["$defs"] else name for name in plain}
    schemas = {
        names[name]: _close_schema(_rename_references(schema, names)) for name, schema in defined["$defs"].items()
    }
    shapes_of = {
        shape: _rename_references(named[str(place), "serialization"], names) for place, shape in enumerate(found)
    }
    return shapes_of, schemas


def _rename_references(schema: Any, names: dict[str, str]) -> Any:
    """Return the schema with references to components by the names that clients know."""
    if isinstance(schema, list):
        return [_rename_references(one, names) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {word: _rename_references(value, names) for word, value in schema.items()}
    if isinstance(reference := found.get("$ref"), str):
        found["$ref"] = REFERENCE.format(model=names[reference.rpartition("/")[2]])
    return found


def _close_schema(schema: Schema) -> Schema:
    """Return an object that has these fields and no others; without the titles that repeat their names."""
    if "properties" not in schema:
        return schema
    fields = {
        name: {word: value for word, value in field.items() if word != "title"}
        for name, field in schema["properties"].items()
    }
    return {**schema, "properties": fields, "additionalProperties": False}


def doors() -> Iterator[tuple[str, str, str, Any]]:
    """Path, method, name and view of every door under /v1 that is for everybody."""
    for path, pattern in addresses():
        view = getattr(pattern.callback, "view_class", None)
        if path.startswith("/v1/") and view is not None and pattern.name not in UNLISTED and issubclass(view, APIView):
            initial = getattr(pattern.callback, "view_initkwargs", {})
            for method in METHODS:
                if hasattr(view, method):
                    yield in_braces(path), method, str(pattern.name), (view, initial)


def _operation(path: str, method: str, name: str, view: Any, shapes_of: dict[Any, Schema]) -> dict[str, Any]:
    kind, initial = view
    operation = operations()[method.upper(), name]
    found: dict[str, Any] = {
        "operationId": f"{method}-{name.removeprefix('api-')}",
        "tags": [_tag(path)],
        "summary": _summary(kind, initial),
        "description": _scope_description(kind, initial, method),
        "parameters": _parameters(path, method, kind, operation),
        "responses": {
            **{str(status): _answer(operation, shape, shapes_of) for status, shape in operation.gives.items()},
            **{
                str(status): {"$ref": f"#/components/responses/{status}"}
                for status in PROBLEMS
                if _can_occur(status, method, kind)
            },
        },
    }
    if method.upper() in getattr(kind, "operator_methods", ()):
        found["security"] = [{"operator": []}]
    if method != "get":
        found["requestBody"] = _request(method, name, operation, bodies_with_spaces(kind, operation))
    return found


def _tag(path: str) -> str:
    parts = path.removeprefix("/v1/").split("/")
    return parts[2] if len(parts) > 2 else parts[0]


def _summary(view: type[APIView], initial: dict[str, Any]) -> str:
    if verb := initial.get("verb"):
        return TRANSITIONS[verb].meaning
    return " ".join((view.__doc__ or "").partition("\n\n")[0].split())


def _scope_description(view: type[APIView], initial: dict[str, Any], method: str) -> str:
    rights = initial.get("rights", view.rights) if issubclass(view, WorkspaceView) else {}
    right = select_right(rights, method.upper())
    if method.upper() in getattr(view, "operator_methods", ()):
        return "Needs an operator's key."
    return f"Needs the scope `{right}`." if right and issubclass(view, WorkspaceView) else "Needs a caller."


def _can_occur(status: int, method: str, view: Any) -> bool:
    if status in OF_BODIES:
        return method != "get" or status == 400
    return view.asks_model if status in OF_MODELS else True


def _parameters(path: str, method: str, view: type[APIView], operation: Operation) -> list[dict[str, Any]]:
    found = [
        {"name": name, "in": "path", "required": True, "schema": PATH_SCHEMAS.get(name, PATH_ID)}
        for name in re.findall(r"{(\w+)}", path)
    ]
    if issubclass(view, RestView) and (asked := view.asks.get(method.upper())):
        found += query_parameters(asked)
    found += parameter_references(view, method.upper())
    if operation.scope_parameters:
        found.append(SCOPE)
    if method == "post":
        found.append(IDEMPOTENCY_KEY)
    return found


def _request(method: str, name: str, operation: Operation, bodies: list[Schema]) -> dict[str, Any]:
    schema: Schema = bodies[0] if len(bodies) == 1 else {"oneOf": bodies} if bodies else {"type": "object"}
    media = JSON_LINES if operation.takes_lines else JSON
    content: dict[str, Any] = {"schema": schema}
    if operation.takes_lines:
        content = {"schema": LINES, "x-line": schema}
    if example := examples.with_ids(example_body(operation)) or examples.body(method.upper(), name):
        content["example"] = examples.lines(example) if operation.takes_lines else example
    # What takes nothing may be sent without a body as well.
    is_needed = operation.takes_lines or any("required" in body for body in bodies)
    return {"required": is_needed, "content": {media: content}}


def example_body(operation: Operation) -> dict[str, Any]:
    """Return an example of what an operation reads, with every field that has one."""
    return body_example(operation.reads[0]) if operation.reads else {}


def _answer(operation: Operation, shape: Any, shapes_of: dict[Any, Schema]) -> dict[str, Any]:
    content: dict[str, Any] = {media: {"schema": STREAMS[media]} for media in operation.streams}
    if shape is not None:
        content[JSON] = {"schema": shapes_of[shape]}
    found: dict[str, Any] = {
        "description": "Done." if content else "Done; there is no body.",
        "headers": RATE_HEADERS | REQUEST_ID,
    }
    return {**found, "content": content} if content else found


def _problem(status: int) -> dict[str, Any]:
    wait = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}} if status == 429 else {}
    schema = {"$ref": REFERENCE.format(model="Problem")}
    content = {"schema": schema, "example": examples.problem(status)}
    return {
        "description": PROBLEMS[status],
        "headers": wait | REQUEST_ID,
        "content": {CONTENT_TYPE: content},
    }


STREAMS: dict[str, Schema] = {
    JSON_LINES: {"type": "string", "description": "A JSON object in each line."},
    "text/event-stream": {
        "type": "object",
        "description": "One event; its data is JSON.",
        "properties": {
            "id": {"type": "string", "description": "Of a live event: what to go on behind."},
            "event": {"type": "string", "enum": ["trace", "token", "citation", "done", "error"]},
            "data": {"type": "string"},
        },
        "required": ["data"],
    },
}
LINES: Schema = {
    "type": "string",
    "format": "json-lines",
    "minLength": 1,
    "description": "A JSON object in each line; what is none is refused, in `results` where the answer has them.",
}
PATH_ID: Schema = {"type": "string", "format": "uuid"}
_NAME: Schema = {"type": "string", "minLength": 1, "maxLength": 200}
PATH_SCHEMAS: dict[str, Schema] = {
    "conversation": {**_NAME, "description": "The caller's own key, or an id."},
    "metric": {**_NAME, "description": "A metric's name or id."},
    "tier": {"type": "string", "enum": [WORKING, *SlotTier.values]},
    "name": _NAME,
    "user": _NAME,
    "space": {**_NAME, "maxLength": MAX_NAME_CHARACTERS, "description": "Its name, such as `user:42`."},
    "number": {"type": "integer", "minimum": 0, "maximum": 9_999},
}
SCOPE = {
    "name": "scope",
    "in": "query",
    "required": False,
    "description": "For whom: `scope.<dimension>=<value>` for each dimension.",
    "style": "form",
    "explode": True,
    "schema": {
        "type": "object",
        "patternProperties": {r"^scope\.[A-Za-z_][A-Za-z0-9_]{0,63}$": _NAME},
        "additionalProperties": False,
        "maxProperties": 10,
    },
}
IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "A name of your own for this call: sent again within a day, it is answered as before.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[!-~]+$"},
}
RATE_HEADERS = {
    name: {"schema": {"type": "integer"}, "description": meaning}
    for name, meaning in {
        "RateLimit-Limit": "Calls a minute.",
        "RateLimit-Remaining": "Calls left in this minute.",
        "RateLimit-Reset": "Seconds until the next minute begins.",
    }.items()
}
REQUEST_ID = {
    "X-Request-ID": {
        "schema": {"type": "string", "pattern": r"^[A-Za-z0-9._-]{1,64}$"},
        "description": "The id of this call in the server's log: the one that was sent, or a new one.",
    }
}
