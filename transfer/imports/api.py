"""REST of imports: a workspace's export in one body or in parts, and items of other products' exports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.http import StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from conversations.messages.services.message_log import NewMessage
from conversations.models import MessageRole
from core.bulk import LineResult
from core.db.connections import release_connection
from core.errors import NotFoundError
from core.http.body_parsers import JSON_LINES, JSONLinesParser
from core.http.pagination import PageQuery
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from ontology.nodes_and_edges.services.node_editor import NodeDraft
from transfer.imports import schemas, selectors
from transfer.imports.schemas import ImportResponse
from transfer.imports.services import import_jobs, third_party, workspace_import
from transfer.imports.services.third_party_graph import ImportedEdge, ImportedNode
from transfer.imports.uploaded_lines import MAX_RECORDS_IN_A_BODY, whole_lines
from transfer.models import Import
from workspaces.access.callers import Right
from workspaces.http.bulk import LineResultsResponse, LinesView
from workspaces.http.rest import WorkspaceView

ItemInput = (
    schemas.ImportedMessageInput | schemas.ImportedMemoryInput | schemas.ImportedNodeInput | schemas.ImportedEdgeInput
)
KINDS: dict[str, type[ItemInput]] = {
    "message": schemas.ImportedMessageInput,
    "memory": schemas.ImportedMemoryInput,
    "node": schemas.ImportedNodeInput,
    "edge": schemas.ImportedEdgeInput,
}


class ImportView(WorkspaceView):
    """Bring an export of up to `MAX_BULK_BYTES` into this workspace, which must be empty."""

    action_types = None
    stays_within = False
    waits = True
    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}
    reads: ClassVar[dict[str, tuple[()]]] = {"POST": ()}  # records of every kind, which the import checks
    reads_lines = ("POST",)
    answers = {"POST": {201: ImportResponse}}
    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    most_lines = MAX_RECORDS_IN_A_BODY
    parser_classes = JSON_LINES

    def post(self, request: Request, ws: str) -> Response:
        values = whole_lines(request.data)
        job = import_jobs.import_lines(caller=self.caller, values=values)
        if refusal := workspace_import.run_import(caller=self.caller, import_id=job.id):
            raise refusal
        return self.answer(ImportResponse.of(selectors.access_import(self.caller, job.id)), status=201)


class ItemsView(LinesView):
    """Take in messages, memories, nodes and edges of another product's export, as JSON Lines; what is there already
    stays."""

    action_types = None
    reads = {"POST": tuple(KINDS.values())}
    reads_lines = ("POST",)
    answers = {"POST": LineResultsResponse}
    most_lines = 2_000
    asks = {"POST": schemas.ItemsQuery}

    def read_line(self, value: Any) -> ItemInput:
        kind = value.get("item") if isinstance(value, dict) else None
        return KINDS.get(kind if isinstance(kind, str) else "", schemas.ImportedMessageInput).read(value)

    def keep(self, given: Sequence[Any]) -> list[LineResult]:
        is_dry = bool(self.query(schemas.ItemsQuery).dry_run)
        return third_party.take_items(caller=self.caller, items=[_item(one) for one in given], is_dry=is_dry)


class ImportsView(WorkspaceView):
    """List imports, newest first; begin one that is sent in parts."""

    action_types = None
    stays_within = False
    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN, "POST": Right.ADMIN}
    asks = {"GET": PageQuery}
    answers = {"GET": Page[ImportResponse], "POST": {201: ImportResponse}}

    def get(self, request: Request, ws: str) -> Response:
        return self.page(ImportResponse, lambda: selectors.workspace_imports(self.caller))

    def post(self, request: Request, ws: str) -> Response:
        self.body(NoBody)
        return self.answer(ImportResponse.of(import_jobs.open_import(caller=self.caller)), status=201)


class StateView(WorkspaceView):
    """A view that answers how far an import is."""

    action_types = None

    def state(self, job: Import) -> Response:
        """Render the answer about an import, with what was sent of it and how much of that was brought in."""
        done = workspace_import.import_progress(caller=self.caller, import_id=job.id)
        received = selectors.pending_upload(self.caller, job)
        return self.answer(ImportResponse.of(job, received=received, done=done))


class OneImportView(StateView):
    """How far an import is, and what became of it."""

    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN}
    answers = {"GET": ImportResponse}

    def get(self, request: Request, ws: str, import_id: str) -> Response:
        return self.state(selectors.access_import(self.caller, path_id(import_id)))


class ImportPartView(StateView):
    """Send some whole lines of an export; sent again, they replace what was there."""

    rights: ClassVar[dict[str, Right]] = {"PUT": Right.ADMIN}
    reads: ClassVar[dict[str, tuple[()]]] = {"PUT": ()}  # records of every kind, which the import checks
    reads_lines = ("PUT",)
    answers = {"PUT": ImportResponse}
    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    most_lines = MAX_RECORDS_IN_A_BODY
    parser_classes = JSON_LINES

    def put(self, request: Request, ws: str, import_id: str, number: str) -> Response:
        values = whole_lines(request.data)
        job = import_jobs.put_part(
            caller=self.caller, import_id=path_id(import_id), number=path_number(number), values=values
        )
        return self.state(job)


class ImportStartView(StateView):
    """Have the worker bring in what was sent."""

    stays_within = False
    rights: ClassVar[dict[str, Right]] = {"POST": Right.ADMIN}
    answers = {"POST": ImportResponse}

    def post(self, request: Request, ws: str, import_id: str) -> Response:
        self.body(NoBody)
        return self.state(import_jobs.start_import(caller=self.caller, import_id=path_id(import_id)))


class ImportMapView(WorkspaceView):
    """The old and the new id of each record that had to get another one, as JSON Lines."""

    action_types = None
    rights: ClassVar[dict[str, Right]] = {"GET": Right.ADMIN}
    answers: ClassVar[dict[str, Any]] = {"GET": {200: None}}
    streams = {"GET": (JSONLinesParser.media_type,)}

    def get(self, request: Request, ws: str, import_id: str) -> StreamingHttpResponse:
        lines = list(import_jobs.id_map_lines(caller=self.caller, import_id=path_id(import_id)))
        release_connection()
        return StreamingHttpResponse((f"{line}\n" for line in lines), content_type=JSONLinesParser.media_type)


def _item(given: ItemInput) -> third_party.ImportedItem:
    if isinstance(given, schemas.ImportedMemoryInput):
        named = {name: value for name, value in given.given().items() if name not in {"item", "content"}}
        return third_party.ImportedMemory(given.content, {**named, "tags": tuple(given.tags)})
    if isinstance(given, schemas.ImportedNodeInput):
        return ImportedNode(given.key, NodeDraft(given.type, given.name, given.properties))
    if isinstance(given, schemas.ImportedEdgeInput):
        return ImportedEdge(given.type, given.source, given.target, given.properties)
    message = NewMessage(
        role=MessageRole(given.role),
        content=given.content,
        name=given.name,
        created_at=given.created_at,
        metadata=given.metadata,
    )
    return third_party.ImportedMessage(given.conversation, given.key, message, given.title)


def path_number(value: str) -> int:
    """Return the number of a part in a path; what is none is answered like an absent object. Raises NotFoundError."""
    if not (len(value) <= 6 and value.isascii() and value.isdigit()):
        raise NotFoundError()
    return int(value)
