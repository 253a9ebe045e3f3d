"""Capture: every REST call of an agent becomes one action, made of its route and its status alone, and every call a
live event."""

from __future__ import annotations

import time
from collections.abc import Callable
from uuid import UUID

from django.http import HttpRequest, HttpResponseBase

from telemetry.actions.action_types import ClassifiedCall, classify_call
from telemetry.actions.call_targets import CallTargets, collect_targets
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction
from telemetry.actions.services.capture import caller_session, capture
from telemetry.live.services.calls import publish_request
from telemetry.live.services.changes import collect_changes
from workspaces.access.callers import Caller

Handler = Callable[[HttpRequest], HttpResponseBase]


def capture_calls(get_response: Handler) -> Handler:
    """Look at the answer on its way out. People are not captured, nor are callers whom no key made known."""

    def handle(request: HttpRequest) -> HttpResponseBase:
        started = time.perf_counter()
        with collect_targets() as targets, collect_changes() as changes:
            response = get_response(request)
        publish_request(request, response, changes=changes, milliseconds=(time.perf_counter() - started) * 1000)
        if request.path.startswith("/v1/") and request.resolver_match:
            caller = getattr(request, "user", None)
            match = request.resolver_match
            call = classify_call(request.method or "", match.route, getattr(match.func, "cls", None))
            # A call whose spaces were refused is not entered in the shared one, which its key may not use.
            if call and isinstance(caller, Caller) and caller.is_agent and caller.is_in_reach:
                took = (time.perf_counter() - started) * 1000
                action = _action(caller, call, request, response, targets=targets, milliseconds=took)
                capture(caller=caller, action=action)
        return response

    return handle


def _action(
    caller: Caller,
    call: ClassifiedCall,
    request: HttpRequest,
    response: HttpResponseBase,
    *,
    targets: CallTargets,
    milliseconds: float,
) -> NewAction:
    data = getattr(response, "data", None)
    outcome, error_code = _ending(call, response.status_code, data if isinstance(data, dict) else {})
    return NewAction(
        session=caller_session(caller),
        agent=caller.label[:120],
        action_type=call.action_type,
        tool=call.tool,
        node_type=targets.node_type(call.node_type) if call.opens_nodes else call.node_type,
        # What was refused may name anything; only an id that opened something is kept.
        node_ids=tuple(
            dict.fromkeys((*(_node_ids(request) if outcome == Outcome.SUCCESS else ()), *targets.linkable_ids(caller)))
        ),
        outcome=outcome,
        error_code=error_code,
        latency_ms=round(milliseconds, 2),
    )


def _ending(call: ClassifiedCall, status: int, data: dict[str, object]) -> tuple[Outcome, str]:
    if status >= 400:
        return Outcome.FAILURE, str(data.get("code", f"http_{status}"))[:64]
    if call.searches and data.get("results") == []:
        return Outcome.DEAD_END, ""
    return Outcome.SUCCESS, ""


def _node_ids(request: HttpRequest) -> tuple[UUID, ...]:
    named = request.resolver_match.kwargs if request.resolver_match else {}
    return tuple(UUID(str(named[name])) for name in ("memory_id", "node_id") if name in named)
