"""Every route of a workspace can be called with a method of the SDK, or a reason says why not."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from config.openapi.document import document
from workspace_memory import ApiError, Memory, Retries

BASE = "/v1/workspaces/{ws}/"
PAGE = "Such are chosen by people, on a page; `memory.call` reaches it."
# Routes that no method of the SDK calls, and why.
WITHOUT_METHOD = {
    "PUT models/providers/{provider_id}": PAGE,
    "GET models/embedding": PAGE,
    "PUT models/embedding": PAGE,
    "DELETE models/embedding": PAGE,
    "POST ontology/types": "The catalogue fills itself.",
    "PATCH ontology/types/{type_id}": PAGE,
    "DELETE ontology/types/{type_id}": PAGE,
    "POST ontology/types/{type_id}/restore": PAGE,
    "DELETE episodes/{episode_id}": PAGE,
    "POST episodes/{episode_id}/restore": PAGE,
    "GET imports": "`memory.transfers.get` reads one by its id.",
    "PUT imports/{import_id}/parts/{number}": "`import_workspace` sends them once the import has begun.",
    "POST imports/{import_id}/start": "`import_workspace` sends it after the parts.",
    **{
        f"{call} slots/{{tier}}/{{name}}{rest}": "Slots are called through their backend: tests/client/test_slots.py."
        for call, rest in [("GET", ""), ("PUT", ""), ("DELETE", ""), ("POST", "/append"), ("POST", "/search")]
    },
}
# Left out of the document, as they are for people.
UNDOCUMENTED = {"POST memory/enable", "POST memory/disable"}
# What the methods take, by the names of their arguments; anything else is a text.
ARGUMENTS: dict[str, Any] = {
    "memories": [{"content": "Tea."}],
    "nodes": [{"type": "tea", "name": "Green"}],
    "edges": [{"type": "goes_with", "source": "x", "target": "y"}],
    "messages": [{"role": "user", "content": "Tea."}],
    "items": [{"item": "memory", "content": "Tea."}],
    "actions": [],
    "choices": [],
    "scopes": ["read"],
    "node_ids": ["x"],
    "sections": {"Goals": "Tea."},
    "steps": [{"title": "Steep."}],
    "changes": {},
    "delta": 1.0,
    "n": 1,
    "method": "GET",
}
# Of the client itself: what returns other clients, and what calls nothing of its own.
SKIPPED = {"call", "close", "for_agent", "for_user", "from_env", "in_space", "sub_agent"}


class Recorder(httpx.BaseTransport):
    """Finds nothing, and keeps what was looked for."""

    def __init__(self) -> None:
        self.calls: set[tuple[str, str]] = set()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.calls.add((request.method, unquote(request.url.path)))
        return httpx.Response(404, json={"code": "not_found", "detail": "Nothing."})


@pytest.fixture
def recorder(tmp_path: Path) -> Recorder:
    """What was called when every method of the SDK was called once."""
    recorder = Recorder()
    memory = Memory("http://127.0.0.1", "k", "ws", http=recorder, retries=Retries(most=0))
    export = tmp_path / "export.jsonl"
    export.write_text("{}\n")
    session = memory.session("c")
    groups = [value for name, value in vars(memory).items() if name != "slots" and not name.startswith("_")]
    ontology = memory.ontology
    for owner in [
        *(memory, memory.user("u"), *groups, ontology.nodes, ontology.edges, ontology.connections),
        *(session, session.history, session.plan, session.iterations("t")),
    ]:
        for method in _methods(owner):
            _call(method, export)
    _call(partial(memory.transfers.import_workspace, at_once=0), export)
    return recorder


def test_every_route_has_a_method_or_a_reason(recorder: Recorder) -> None:
    routes = {
        f"{method.upper()} {path.removeprefix(BASE)}"
        for path, methods in document()["paths"].items()
        if path.startswith(BASE)
        for method in methods
    } | UNDOCUMENTED
    called = {_route(method, path, routes) for method, path in recorder.calls if path.startswith("/v1/workspaces/ws/")}

    assert routes - called - WITHOUT_METHOD.keys() == set()
    assert WITHOUT_METHOD.keys() & called == set()
    assert WITHOUT_METHOD.keys() - routes == set()


def _route(method: str, path: str, routes: set[str]) -> str:
    """The route that a call went to: of those that fit, the one with the fewest parameters."""
    call = f"{method} {path.removeprefix('/v1/workspaces/ws/')}"
    fit = [route for route in routes if re.fullmatch(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(route)), call)]
    assert fit, f"{call} is not a route."
    return min(fit, key=lambda route: route.count("{"))


def _methods(owner: Any) -> Iterator[Callable[..., Any]]:
    for name, method in inspect.getmembers(owner, inspect.ismethod):
        if not (name.startswith("_") or (isinstance(owner, Memory) and name in SKIPPED)):
            yield method


def _call(method: Callable[..., Any], export: Path) -> None:
    needed = [
        parameter
        for parameter in inspect.signature(method).parameters.values()
        if parameter.default is parameter.empty and parameter.kind != parameter.VAR_KEYWORD
    ]
    given = {one.name: export if one.name == "path" else ARGUMENTS.get(one.name, "x") for one in needed}
    with suppress(ApiError):  # nothing is found
        found = method(**given)
        if isinstance(found, Iterator):
            next(found, None)
