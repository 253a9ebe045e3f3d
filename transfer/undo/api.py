"""REST of undos: what a run, an import or an agent since a time has written, with a preview, and back again."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.pagination import PageQuery
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from transfer.undo.schemas import UndoInput, UndoLineResponse, UndoQuery, UndoResponse
from transfer.undo.selectors import UndoReport, access_undo, undo_report, workspace_undos
from transfer.undo.services import undo_jobs
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView

CREATED, ACCEPTED = 201, 202


class UndoView(WorkspaceView):
    """List undos, newest first; undo what a run, an import or an agent since a time has written.

    What others have touched since stays. With `dry_run` nothing is changed: the answer is the preview. 202 while the
    worker goes on with a large one.
    """

    stays_within = False
    waits = True
    rights: ClassVar[dict[str, Right | None]] = {"GET": Right.READ, "POST": Right.WRITE}
    asks = {"GET": PageQuery, "POST": UndoQuery}
    reads = {"POST": UndoInput}
    answers = {
        "GET": Page[UndoLineResponse],
        "POST": {200: UndoResponse, CREATED: UndoResponse, ACCEPTED: UndoResponse},
    }

    def get(self, request: Request, ws: str) -> Response:
        return self.page(UndoLineResponse, lambda: workspace_undos(self.caller))

    def post(self, request: Request, ws: str) -> Response:
        wanted = self.body(UndoInput).as_request()
        if self.query(UndoQuery).dry_run:
            return self.answer(UndoResponse.of(undo_jobs.preview_undo(caller=self.caller, wanted=wanted)))
        made = undo_jobs.start_undo(caller=self.caller, wanted=wanted)
        return self.answer(UndoResponse.of(made), status=_status(made, CREATED))


class OneUndoView(WorkspaceView):
    """How far an undo is, and what became of its things."""

    answers = {"GET": UndoResponse}

    def get(self, request: Request, ws: str, undo_id: str) -> Response:
        undo = access_undo(self.caller, path_id(undo_id))
        return self.answer(UndoResponse.of(undo_report(self.caller, undo)))


class UndoRevertView(WorkspaceView):
    """Undo an undo: return what it took back, but for what was changed since. 202 while the worker goes on."""

    stays_within = False
    waits = True
    rights: ClassVar[dict[str, Right | None]] = {"POST": Right.WRITE}
    answers = {"POST": {200: UndoResponse, ACCEPTED: UndoResponse}}

    def post(self, request: Request, ws: str, undo_id: str) -> Response:
        self.body(NoBody)
        reverted = undo_jobs.revert_undo(caller=self.caller, undo_id=path_id(undo_id))
        return self.answer(UndoResponse.of(reverted), status=_status(reverted, 200))


def _status(report: UndoReport, finished: int) -> int:
    return ACCEPTED if report.status in {"applying", "reverting"} else finished
