"""What REST reads and answers about live events."""

from __future__ import annotations

import json
import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from core.http.field_types import QueryNumber, TextRules, refuse
from core.http.schemas import NOT_GIVEN, FilledText, IdText, MomentText, QuerySchema, ResponseSchema
from telemetry.actions.schemas import OutcomeName
from telemetry.live.layers import LayerName
from telemetry.live.live_event import DoorName, StoredEvent, VerbName
from telemetry.live.selectors import BEGINNING, EventPage

MAX_LISTED = 200
_PLACE = re.compile(r"\d{1,16}(-\d{1,16})?", re.ASCII)


def read_place(value: str) -> str:
    """Return the id of an event. Raises PydanticCustomError for what is none."""
    if not isinstance(value, str) or not _PLACE.fullmatch(value):
        refuse("invalid", "Give the id of an event, such as 1793527200000-0, or 0 for the beginning.")
    return BEGINNING if value == "0" else value


Place = Annotated[
    str, BeforeValidator(read_place), WithJsonSchema({"type": "string", "pattern": r"^\d{1,16}(-\d{1,16})?$"})
]
Actor = Annotated[str, TextRules(max_length=120, is_line=True)]


class EventsQuery(QuerySchema):
    """Which events: behind an id, and of what kind. `Last-Event-ID` stands for `after`."""

    after: Annotated[
        Place,
        Field(description="The id of the last event that was seen; `0` for all that are still there.", examples=["0"]),
    ] = NOT_GIVEN
    limit: Annotated[
        int | None,
        QueryNumber(1, MAX_LISTED),
        Field(description="At most this many in JSON; 50 if not given."),
    ] = NOT_GIVEN
    verb: Annotated[VerbName, Field(description="Only reads, writes or removals.")] = NOT_GIVEN
    layer: Annotated[LayerName, Field(description="Only of one layer.")] = NOT_GIVEN
    outcome: Annotated[OutcomeName, Field(description="Only of one outcome.")] = NOT_GIVEN
    actor: Annotated[Actor, Field(description="The name of a key, an app or a task, or the id of who did it.")] = (
        NOT_GIVEN
    )

    def narrow(self) -> dict[str, str]:
        """Return the filters that were given."""
        given = {name: getattr(self, name) for name in ("verb", "layer", "outcome", "actor")}
        return {name: str(value) for name, value in given.items() if value}


def _as_place(value: object) -> str:
    return str(value)


class LiveActorResponse(ResponseSchema):
    """Who did it; people have no name here."""

    kind: str
    id: str
    name: FilledText


class EventResponse(ResponseSchema):
    """A read or a write as it happened: types, ids and numbers, and nothing of what is stored.

    `count` is the number of objects, of which `ids` has the first 20; `milliseconds` is null for a change that the
    server made by itself.
    """

    id: Annotated[str, AfterValidator(_as_place)]
    at: MomentText
    verb: VerbName
    layer: LayerName
    action: str
    door: DoorName
    actor: LiveActorResponse
    type: FilledText
    ids: list[IdText]
    count: int | None
    outcome: OutcomeName
    error_code: FilledText
    milliseconds: float | None

    @classmethod
    def of_stored(cls, stored: StoredEvent) -> EventResponse:
        """Return the answer of an event with its place."""
        event = stored.event
        named = {name: getattr(event, name) for name in cls.model_fields if name not in {"id", "ids", "actor"}}
        return cls(id=stored.id, ids=list(event.ids), actor=LiveActorResponse.of(event.actor), **named)


class EventsResponse(ResponseSchema):
    """Events in the order in which they happened; `last_event_id` is what to ask behind the next time."""

    results: list[EventResponse]
    last_event_id: str

    @classmethod
    def of_page(cls, page: EventPage) -> EventsResponse:
        """Return the answer of what was read."""
        return cls(results=[EventResponse.of_stored(one) for one in page.events], last_event_id=page.place)


def encode_stored(stored: StoredEvent) -> bytes:
    """Return an event as a server-sent event, with its id."""
    data = json.dumps(EventResponse.of_stored(stored).as_json(), separators=(",", ":"))
    return f"id: {stored.id}\ndata: {data}\n\n".encode()
