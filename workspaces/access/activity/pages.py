"""Console pages of Settings → Activity: who did what, to which object, from where; as a table and as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.db.connections import release_connection
from core.errors import InvalidError
from workspaces.access.activity.forms import ActivityFilter
from workspaces.access.activity.selectors import iterate_activity, require_owner, workspace_activity
from workspaces.access.activity.view_models import activity_lines, csv_lines, json_lines
from workspaces.access.audit import record_event
from workspaces.access.scope import workspace_scope
from workspaces.http.console import ConsoleRequest, console_page, settings_tabs
from workspaces.http.console_lists import read_page

FORMATS = {"csv": (csv_lines, "text/csv; charset=utf-8"), "jsonl": (json_lines, "application/jsonl; charset=utf-8")}


@require_safe
@console_page
def activity(request: ConsoleRequest) -> HttpResponse:
    """Render the audit record, the latest first."""
    caller = request.seat.caller
    require_owner(caller)
    form = ActivityFilter(request.GET)
    is_valid = form.is_valid()
    context: dict[str, Any] = {
        "form": form,
        "query": _query(request),
        "is_narrowed": bool(_query(request)),
        "tabs": settings_tabs(request.seat, "settings-activity"),
    }
    if is_valid:
        with workspace_scope(caller):
            page = read_page(request, workspace_activity(caller, form.filters()), counted_as=("event", "events"))
        context["listing"] = page.listing(activity_lines(page.records))
    return render(request, "workspaces/settings_activity.html", context, status=200 if is_valid else 422)


@require_safe
@console_page
def activity_export(request: ConsoleRequest, kind: str) -> HttpResponseBase:
    """Render all events that fit the filters as a file, which is an event itself."""
    caller = request.seat.caller
    require_owner(caller)
    form = ActivityFilter(request.GET)
    if not form.is_valid():
        raise InvalidError("Export the activity with the filters of its page.")
    render_lines, content_type = FORMATS[kind]
    with workspace_scope(caller):
        record_event(
            caller=caller,
            action="audit.exported",
            object_type="workspace",
            object_id=caller.workspace_id,
            details={"format": kind, "filters": sorted(form.filters())},
        )
    release_connection()
    return StreamingHttpResponse(
        render_lines(iterate_activity(caller, form.filters())),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="activity.{kind}"'},
    )


def _query(request: ConsoleRequest) -> str:
    """Return the filters of the address as a query string, without the page."""
    given = request.GET.copy()
    for name in [*given]:
        if name not in ActivityFilter.base_fields or not given[name]:
            del given[name]
    return given.urlencode()
