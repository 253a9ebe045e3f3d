"""Calls as events: what a request to REST or a page, a tool of MCP or a turn of the chat was, once it is answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from core.clock import moment, utc_now
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction
from telemetry.live.layers import LOOKING_AGAIN, REMOVING, UNKNOWN, Subject, find_subject, find_tool_subject
from telemetry.live.live_event import DoorName, LiveActor, LiveEvent, VerbName, read_spaces, short_ids
from telemetry.live.services.changes import NotedChanges
from telemetry.live.services.publisher import publish
from workspaces.access.callers import Caller, Right

REST, CONSOLE = "v1/workspaces/<str:ws>/", "w/<slug:slug>/"
CONVERSATION = "v1/conversations/<str:conversation_id>"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
METHODS = SAFE | {"POST", "PUT", "PATCH", "DELETE"}
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
# Calls without an event: looking at events, the turns of the chat, which publish their own, what a pointer or a key
# shows on the way, and what ends the workspace, whose ring must not come back.
TURNS = frozenset({"chat", "chat/{conversation_id}", "explain/ask", "explain/ask/{conversation_id}"})
UNSEEN = TURNS | {"events", "live", "live/counters", "card", "search", "settings/delete"}
# The parameters of addresses that are ids of objects, by the type of these.
ID_PARAMETERS = {
    "memory_id": "memory",
    "node_id": "node",
    "edge_id": "edge",
    "run_id": "run",
    "receipt_id": "receipt",
    "pattern_id": "pattern",
    "sequence_id": "sequence",
    "episode_id": "episode",
    "statement_id": "statement",
    "proposal_id": "proposal",
    "connection_id": "connection",
    "conversation_id": "conversation",
}
# Where an answer of one object, or a hit of a search, has its id.
NESTED = ("memory", "node", "message", "episode", "run", "statement", "conversation")
LISTS = ("results", "hits", "nodes", "messages", "memories", "items")
MAX_ACTIONS = 50


@dataclass(frozen=True, slots=True)
class CallRecord:
    """How a call went: its status of HTTP, its JSON where it is known, and its milliseconds."""

    status: int
    data: Any
    milliseconds: float


def publish_request(
    request: HttpRequest, response: HttpResponseBase, *, changes: NotedChanges, milliseconds: float
) -> None:
    """Publish the event of a request: any call of REST in a workspace, and what people change in the console.

    Calls without a caller, and those whose spaces were refused, have none. Never raises for what was sent.
    """
    match, method = request.resolver_match, request.method or ""
    if match is None or method not in METHODS:
        return
    is_page = match.route.startswith(CONSOLE)
    caller = _caller(request, is_page=is_page)
    path = _PARAMETER.sub(r"{\1}", match.route.removeprefix(CONSOLE if is_page else REST))
    is_known = is_page or match.route.startswith(REST) or match.route == CONVERSATION
    if caller is None or not is_known or path in UNSEEN or (is_page and method in SAFE):
        return
    view = getattr(match.func, "cls", None)
    path = "conversations/{conversation_id}" if match.route == CONVERSATION else path
    record = CallRecord(response.status_code, getattr(response, "data", None), milliseconds)
    if is_page and record.status >= 400:  # a form with a mistake in it
        return
    subject = find_subject(path) or Subject(UNKNOWN)
    stays = bool(is_page or (getattr(view, "names_spaces", True) and getattr(view, "stays_within", True)))
    named = match.kwargs if stays else {}
    publish(
        caller.workspace_id,
        _build(
            caller,
            subject,
            verb=_verb(method, path, view, has_changed=bool(changes.ids)),
            action=f"{method} {path}",
            door="console" if is_page else "rest",
            record=record,
            named=named,
            changes=changes if stays else NotedChanges(),
            needs_admin=subject.layer == UNKNOWN,
        ),
    )


def publish_tool(
    caller: Caller, name: str, verb: VerbName, record: CallRecord, *, named: Mapping[str, Any], changes: NotedChanges
) -> None:
    """Publish the event of a call of MCP; `named` are its arguments, of which the ids of objects are kept."""
    subject = find_tool_subject(name) or Subject(UNKNOWN)
    event = _build(
        caller,
        subject,
        verb=verb,
        action=name,
        door="mcp",
        record=record,
        named=named,
        changes=changes,
        needs_admin=subject.layer == UNKNOWN,
    )
    publish(caller.workspace_id, event)


def publish_turn(caller: Caller, action: NewAction) -> None:
    """Publish the event of a turn of the chat, from the action that telemetry keeps."""
    publish(caller.workspace_id, _of_action(caller, action, layer="chat", door="chat", verb="read"))


def publish_actions(caller: Caller, actions: Iterable[NewAction]) -> None:
    """Publish what an agent reported to have done elsewhere, the first `MAX_ACTIONS` of one call."""
    reported = (_of_action(caller, one, layer="telemetry", door="agent", verb="write") for one in actions)
    publish(caller.workspace_id, *(event for event, _ in zip(reported, range(MAX_ACTIONS), strict=False)))


def _of_action(caller: Caller, action: NewAction, *, layer: str, door: DoorName, verb: VerbName) -> LiveEvent:
    return LiveEvent(
        at=_now(action.occurred_at),
        verb=verb,
        layer=layer,
        action=action.tool or action.action_type,
        door=door,
        actor=LiveActor(str(caller.kind), caller.id, action.agent[:120]),
        spaces=read_spaces(caller),
        type=action.node_type if action.node_type in {"memory", "node"} else "",
        ids=short_ids(action.node_ids) if action.outcome == Outcome.SUCCESS and door == "chat" else (),
        count=len(action.node_ids) or None,
        outcome=str(action.outcome),
        error_code=action.error_code,
        milliseconds=action.latency_ms,
    )


def _build(
    caller: Caller,
    subject: Subject,
    *,
    verb: VerbName,
    action: str,
    door: DoorName,
    record: CallRecord,
    named: Mapping[str, Any],
    changes: NotedChanges,
    needs_admin: bool,
) -> LiveEvent:
    data = record.data if isinstance(record.data, dict) else {}
    is_done = record.status < 400
    rows = next((data[name] for name in LISTS if isinstance(data.get(name), list)), None) if is_done else None
    kind: str = ""
    ids: tuple[str, ...] = ()
    if is_done and not needs_admin:
        kind, ids = _objects(subject, named, data if rows is None else rows, changes.of_type(subject.type, caller))
    outcome = Outcome.SUCCESS if is_done else Outcome.FAILURE
    if is_done and verb == "read" and rows == []:
        outcome = Outcome.DEAD_END
    return LiveEvent(
        at=_now(),
        verb=verb,
        layer=subject.layer,
        action=action,
        door=door,
        actor=LiveActor.of(caller),
        spaces=read_spaces(caller),
        type=kind or subject.type,
        ids=ids,
        count=len(rows) if rows is not None else len(ids) or None,
        outcome=str(outcome),
        error_code="" if is_done else str(data.get("code", f"http_{record.status}"))[:64],
        milliseconds=round(record.milliseconds, 2),
        needs_admin=needs_admin,
    )


def _objects(
    subject: Subject, named: Mapping[str, Any], answered: Any, changed: Iterable[object]
) -> tuple[str, tuple[str, ...]]:
    """Return the type and the ids of what a call was about: what its address names, else what it answered or changed.

    An id in an address counts only because the call was answered: it opened something.
    """
    for name, kind in ID_PARAMETERS.items():
        if name in named and (ids := short_ids([named[name]])):
            return kind, ids
    if not subject.type:
        return "", ()
    found = chain.from_iterable(map(_iterate_ids, answered)) if isinstance(answered, list) else _iterate_ids(answered)
    return subject.type, short_ids(chain(found, changed))


def _iterate_ids(row: Any) -> Iterator[object]:
    """Yield the id of an object in an answer, or of what it holds."""
    if not isinstance(row, Mapping):
        return
    if identity := row.get("receipt_id") or row.get("id"):
        yield identity
        return
    for name in NESTED:
        inner = row.get(name)
        if isinstance(inner, Mapping) and inner.get("id"):
            yield inner["id"]
            return


def _caller(request: HttpRequest, *, is_page: bool) -> Caller | None:
    """Return who made a call, in the spaces that it names; None for strangers and for refused spaces."""
    if is_page:
        seat = getattr(request, "seat", None)
        return getattr(seat, "caller", None)
    caller = getattr(request, "acting", None) or getattr(request, "user", None)
    return caller if isinstance(caller, Caller) and caller.is_in_reach else None


def _verb(method: str, path: str, view: Any, *, has_changed: bool) -> VerbName:
    last = path.rpartition("/")[2]
    if method in SAFE or getattr(view, "rights", {}).get(method) == Right.READ:
        return "read"
    if last in LOOKING_AGAIN and not has_changed:
        return "read"
    return "remove" if method == "DELETE" or last in REMOVING else "write"


def _now(at: datetime | None = None) -> str:
    return str(moment(at or utc_now()))
