"""REST of the review queue: what needs a person, verdicts, and taking them back."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from core.action_types import MEMORIES
from core.errors import InvalidError
from core.http.pagination import INVALID_CURSOR
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from memory.memories.review.item_kinds import ItemKey, ItemKind, VerdictKind, parse_item
from memory.memories.review.judgement import Judgement
from memory.memories.review.schemas import DecideInput, ReviewItemResponse, ReviewQuery, VerdictResponse
from memory.memories.review.selectors import queue_entries
from memory.memories.review.services.decisions import decide_item, undo_verdict
from workspaces.access.callers import Right
from workspaces.http.rest import WorkspaceView


class ReviewView(WorkspaceView):
    """List what needs a person, kind by kind: what waits by policy first, stale memories last. Pages lead forward."""

    action_types = MEMORIES
    asks = {"GET": ReviewQuery}
    answers = {"GET": Page[ReviewItemResponse]}

    def get(self, request: Request, ws: str) -> Response:
        asked = self.query(ReviewQuery)
        kinds = [ItemKind(kind)] if (kind := asked.given().get("kind")) else []
        after = _read_cursor(asked.cursor) if asked.cursor else None
        found = queue_entries(self.caller, kinds=kinds, after=after, limit=asked.limit + 1)
        page = found[: asked.limit]
        following = None
        if len(found) > len(page):
            cursor = urlsafe_b64encode(str(page[-1].key).encode()).decode()
            following = replace_query_param(request.build_absolute_uri(), "cursor", cursor)
        results = [ReviewItemResponse.of(entry).as_json() for entry in page]
        return Response({"results": results, "next": following, "previous": None})


class DecideView(WorkspaceView):
    """Give a verdict about an item of the queue. What waits by policy is decided by people alone."""

    action_types = MEMORIES
    rights: ClassVar[dict[str, Right]] = {"POST": Right.FACTS}
    reads = {"POST": DecideInput}
    answers = {"POST": VerdictResponse}

    def post(self, request: Request, ws: str, item_id: str) -> Response:
        given = self.body(DecideInput).model_dump(exclude_unset=True)
        item = ItemKey(ItemKind(given["kind"]), path_id(item_id))
        judgement = Judgement(VerdictKind(given["verdict"]), given.get("content"), given.get("into"))
        return self.answer(VerdictResponse.of(decide_item(caller=self.caller, item=item, judgement=judgement)))


class VerdictUndoView(WorkspaceView):
    """Take a verdict back; the item waits again."""

    action_types = MEMORIES
    rights: ClassVar[dict[str, Right]] = {"POST": Right.FACTS}
    answers = {"POST": VerdictResponse}

    def post(self, request: Request, ws: str, verdict_id: str) -> Response:
        self.body(NoBody)
        return self.answer(VerdictResponse.of(undo_verdict(caller=self.caller, verdict_id=path_id(verdict_id))))


def _read_cursor(cursor: str) -> ItemKey:
    try:
        item = parse_item(urlsafe_b64decode(cursor.encode("ascii", "strict")).decode())
    except ValueError as error:
        raise InvalidError(problems=(INVALID_CURSOR,)) from error
    if item is None:
        raise InvalidError(problems=(INVALID_CURSOR,))
    return item
