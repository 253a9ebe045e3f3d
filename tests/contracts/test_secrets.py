"""A credential in any text that a door stores is refused, or a reason says why the text is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest

from config.openapi.document import operations
from config.openapi.operations import Operation
from core.http.json_schema import body_example, body_schema
from core.http.schemas import RequestSchema
from memory.memories.forms import EditForm
from memory.memories.schemas import MemoryEditInput
from tests.cast import Answer, Cast, RestClient
from tests.contracts.resources import DOORS, Path, texts_in, visit
from tests.pages import Visitor, text_of
from tests.rules.doors import Door, fill

TOKEN = "gh" + "p_" + "A1b2C3d4" * 5
REFUSALS = ("secret_refused", "unfit_key")
LINES = "application/x-ndjson"

_ASKED = "What is asked for is not stored."
_SAID = "Refusing what was said would lose it with the secret; a context leaves it out."
_GOVERNED = "The people who govern a workspace name things of its own; no context shows them."
# Where a credential is taken, by door and field, and why.
TAKEN: dict[tuple[str, str], str] = {
    **{
        (f"POST api-{door}", field): _ASKED
        for door, fields in {
            "context": ("query", "conversation", "user"),
            "memory-search": ("query", "tags", "filters.tags"),
            "session-search": ("query", "tags", "filters.tags"),
            "message-search": ("query", "conversation"),
            "model-provider-test": ("model",),
            "ontology-ask": ("question", "filters.types", "filters.properties"),
            "ontology-search": ("query", "filters.types", "filters.properties"),
            "patterns-suppress": ("key_prefix",),
            "patterns-unsuppress": ("key_prefix",),
            "recall": ("query",),
            "receipt-rerun": ("query", "without"),
            "run-finish": ("output",),
            "slot-search": ("query",),
        }.items()
        for field in fields
    },
    **{
        (f"POST api-{door}", field): _SAID
        for door, fields in {
            "add": ("messages.content", "messages.name", "messages.metadata"),
            "chat": ("message",),
            "messages": ("content", "name", "metadata", "messages.content", "messages.name", "messages.metadata"),
            "import-items-bulk": ("content", "name", "metadata", "key", "title"),
            "ontology-prompt": ("speaker",),
        }.items()
        for field in fields
    },
    ("POST api-review-decide", "content"): "Only the verdict `edit` keeps it, which refuses one.",
    **{
        (door, field): _GOVERNED
        for door in ("PATCH api-metric", "POST api-metrics")
        for field in ("name", "description")
    },
    ("PUT api-model-choices", "choices.model"): _GOVERNED,
    ("PUT api-model-embedding", "model"): _GOVERNED,
    **{
        (door, field): _GOVERNED
        for door in ("POST api-model-providers", "PUT api-model-provider")
        for field in ("name", "api_key")
    },
    ("POST api-workspaces", "name"): "Who runs the server names it; no context shows it.",
    ("POST api-keys", "name"): "Who makes a key names it, and sees its secret once.",
}


@pytest.fixture
def cast(furnished_cast: Cast, db: None) -> Cast:
    """A cast whose workspaces have something in every table."""
    return furnished_cast


def cases() -> Iterator[Any]:
    """Every free text of every body, with the door that reads it."""
    for (method, name), operation in sorted(operations().items()):
        if method in {"POST", "PUT", "PATCH"}:
            for schema in operation.reads:
                for path, _ in texts_in(body_schema(schema)):
                    yield method, name, schema, path


def body_with_secret(door: Door, schema: type[RequestSchema], ids: Mapping[str, object], path: Path) -> dict[str, Any]:
    """The full example of a body with a credential in one of its texts."""
    is_first = operations()[door.method, door.name].reads[0] is schema
    example = body_example(schema) | (door.body(ids) if is_first else {})
    body: dict[str, Any] = json.loads(fill(json.dumps(example), ids))
    place: Any = body
    for name, following in pairwise(path):
        inner: Any = [] if following == 0 else {}
        if isinstance(place, list):
            place[:] = place or [inner]
        elif not place.get(name):
            place[name] = inner
        place = place[name]
    if isinstance(place, list):
        place[:] = [TOKEN]
    else:
        place[path[-1]] = TOKEN
    return body


@pytest.mark.heavy
def test_every_text_that_is_stored_refuses_a_credential(cast: Cast) -> None:
    visitor, ids = visit(cast)
    made = visitor.asks(DOORS["POST", "api-metrics"], ids, DOORS["POST", "api-metrics"].body(ids))
    ids["metric_id"] = made.json()["id"]  # one that is built in cannot be edited
    taken = {}
    for method, name, schema, path in cases():
        door, operation = DOORS[method, name], operations()[method, name]
        body = body_with_secret(door, schema, ids, path)
        if operation.takes_lines:
            answer = cast.acme.rest().raw(method, door.path(ids), json.dumps(body), content_type=LINES)
        else:
            answer = visitor.asks(door, ids, body)
        if not is_refused(answer, operation):
            field = ".".join(str(part) for part in path if part not in {0, "note"})
            taken[f"{method} {name}", field] = (answer.status_code, answer.content[:150])

    assert {place: seen for place, seen in taken.items() if place not in TAKEN} == {}
    assert TAKEN.keys() - taken.keys() == set(), "These are refused now; take them off the list."


def is_refused(answer: Answer, operation: Operation) -> bool:
    """Whether the credential was refused, or the value for another reason: it is no address or no expression."""
    said = answer.content.decode()
    return any(code in said for code in REFUSALS) or (answer.status_code == 422 and not operation.takes_lines)


@pytest.mark.parametrize("field", [path for path, _ in texts_in(body_schema(MemoryEditInput))])
def test_the_form_of_a_person_refuses_a_credential(bob: Visitor, acme: RestClient, field: Path) -> None:
    kept = acme.remembered("The mixer is loud.")
    given = {name: kept[name] for name in EditForm.base_fields if kept.get(name)}

    answer = bob.post(f"memory/{kept['id']}/edit", **{**given, "tags": "", str(field[0]): TOKEN})

    assert answer.status_code == 422
    assert "to hold a credential" in text_of(answer)
    assert TOKEN not in str(acme.get(f"memories/{kept['id']}").json())
