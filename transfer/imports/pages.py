"""Console pages of Settings → Data: saving the workspace as a file, and bringing one in."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_POST, require_safe

from core.clock import utc_now
from core.db.connections import release_connection
from core.errors import ProductError
from transfer.exports.services import export_workspace
from transfer.imports.forms import ImportForm
from transfer.imports.selectors import access_import
from transfer.imports.services.import_jobs import import_lines as keep_lines
from transfer.imports.services.import_jobs import start_import
from transfer.imports.uploaded_lines import file_lines
from transfer.imports.view_models import import_line, import_lines
from workspaces.access.callers import Right
from workspaces.access.selectors import is_owner
from workspaces.http.console import ConsoleRequest, console_page, settings_tabs, show_refusal


@require_safe
@console_page
def data(request: ConsoleRequest) -> HttpResponse:
    """Render what can be saved, brought in and deleted."""
    request.seat.caller.require(Right.ADMIN)
    return _data_answer(request, ImportForm())


@require_POST
@console_page
def export_file(request: ConsoleRequest) -> HttpResponseBase:
    """Render the whole workspace as a file. A POST, since it reads everything and leaves an event."""
    export = export_workspace(caller=request.seat.caller)
    release_connection()  # a client may take its time to read
    name = f"{slugify(request.seat.workspace.name) or 'workspace'}-{utc_now():%Y-%m-%d}.jsonl"
    return StreamingHttpResponse(
        export,
        content_type="application/jsonl",
        headers={"Content-Length": str(export.size), "Content-Disposition": f'attachment; filename="{name}"'},
    )


@require_POST
@console_page
def import_file(request: ConsoleRequest) -> HttpResponse:
    """Keep the lines of a file, and have the worker bring them in."""
    caller = request.seat.caller
    caller.require(Right.ADMIN)
    form = ImportForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            job = keep_lines(caller=caller, values=_read_file(form.cleaned_data["file"]))
            start_import(caller=caller, import_id=job.id)
        except ProductError as error:
            show_refusal(form, error)
        else:
            return redirect("settings-import", slug=request.seat.workspace.slug, import_id=job.id)
    return _data_answer(request, form, status=422)


# The body is as long as that of `POST import`, for which the product makes room before it is read.
import_file.body_limit = "MAX_BULK_BYTES"  # type: ignore[attr-defined]  # read off the URL table


@require_safe
@console_page
def import_state(request: ConsoleRequest, import_id: UUID) -> HttpResponse:
    """Render how far an import is, and what became of it."""
    line = import_line(request.seat, access_import(request.seat.caller, import_id))
    template = "transfer/_import.html" if request.htmx else "transfer/import.html"
    return render(request, template, {"line": line})


def _read_file(file: UploadedFile[bytes]) -> list[Any]:
    with file.open("rb") as lines:
        return file_lines(lines)


def _data_answer(request: ConsoleRequest, form: ImportForm, *, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "imports": import_lines(request.seat),
        "is_owner": is_owner(request.seat.caller),
        "tabs": settings_tabs(request.seat, "settings-data"),
    }
    return render(request, "transfer/settings_data.html", context, status=status)
