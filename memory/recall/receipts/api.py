"""REST of receipts: the contexts of every agent, one of them, and what another question would make of it."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.action_types import SEARCH
from core.http.pagination import CursorPages
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from memory.recall.receipts.schemas import (
    ReceiptResponse,
    ReceiptRow,
    ReceiptsQuery,
    ReproductionResponse,
    RerunInput,
    RerunResponse,
)
from memory.recall.receipts.selectors import find_next_runs, workspace_receipts
from memory.recall.receipts.services.reproduction import reproduce_context
from memory.recall.receipts.services.rerun import rerun_context
from memory.recall.selectors import access_receipt
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class ReceiptsView(WorkspaceView):
    """The contexts that agents were given, newest first."""

    asks = {"GET": ReceiptsQuery}
    answers = {"GET": Page[ReceiptRow]}

    def get(self, request: Request, ws: str) -> Response:
        narrow, pages = self.query(ReceiptsQuery).narrow(), CursorPages()
        with workspace_scope(self.caller):
            found = pages.paginate_queryset(workspace_receipts(self.caller, narrow), request, self) or []
            runs = find_next_runs(self.caller, found)
        return pages.get_paginated_response([ReceiptRow.of_found(each, runs.get(each.id)).as_json() for each in found])


class ReceiptView(WorkspaceView):
    """Why a context held what it held."""

    answers = {"GET": ReceiptResponse}

    def get(self, request: Request, ws: str, receipt_id: str) -> Response:
        found = access_receipt(self.caller, path_id(receipt_id))
        with workspace_scope(self.caller):
            run = find_next_runs(self.caller, [found]).get(found.id)
        return self.answer(ReceiptResponse.of_found(found, run))


class RerunView(WorkspaceView):
    """What the context would be now, with another question, budget, search, time, or without some of it."""

    action_types = SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    reads = {"POST": RerunInput}
    answers = {"POST": RerunResponse}

    def post(self, request: Request, ws: str, receipt_id: str) -> Response:
        wanted = self.body(RerunInput).request()
        found = access_receipt(self.caller, path_id(receipt_id))
        return self.answer(RerunResponse.of(rerun_context(caller=self.caller, receipt=found, wanted=wanted)))


class ReproductionView(WorkspaceView):
    """The text of a context as it was given, written again from what is kept of that time."""

    action_types = SEARCH
    rights: ClassVar[dict[str, Right]] = {"POST": Right.READ}
    answers = {"POST": ReproductionResponse}

    def post(self, request: Request, ws: str, receipt_id: str) -> Response:
        self.body(NoBody)
        found = access_receipt(self.caller, path_id(receipt_id))
        return self.answer(ReproductionResponse.of(reproduce_context(caller=self.caller, receipt=found)))
