"""REST of exports: the whole workspace as a file."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import StreamingHttpResponse
from rest_framework.request import Request

from core.db.connections import release_connection
from core.http.body_parsers import JSONLinesParser
from transfer.exports import services
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class ExportView(WorkspaceView):
    """The whole workspace as JSON Lines: a manifest with counts and checksums, then every record."""

    action_types = None
    waits = True
    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN}
    answers: ClassVar[dict[str, Any]] = {"GET": {200: None}}
    streams = {"GET": (JSONLinesParser.media_type,)}

    def get(self, request: Request, ws: str) -> StreamingHttpResponse:
        export = services.export_workspace(caller=self.caller)
        release_connection()  # a client may take its time to read
        return StreamingHttpResponse(
            export,
            content_type=JSONLinesParser.media_type,
            headers={
                "Content-Length": str(export.size),
                "Content-Disposition": 'attachment; filename="workspace.jsonl"',
            },
        )
