"""What is made by one door, read by another and edited by a third, with bodies that name every field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from config.openapi.document import operations
from core.http.json_schema import body_example, body_schema
from core.http.schemas import RequestSchema
from tests.cast import Cast
from tests.rules.doors import Door, Visitor, ids_of, rest_doors, with_operator

# Names of fields and places in lists, from the whole body down to a value.
Path = tuple[str | int, ...]
DOORS = {(door.method, door.name): door for door in rest_doors()}


@dataclass(frozen=True)
class Resource:
    """What is made by one door, read by another and edited by a third; `id` is its parameter in their addresses.

    What an answer calls otherwise is in `renamed`; what stands inside of the answer, in `inside`.
    """

    make: tuple[str, str]
    read: str = ""
    edit: tuple[str, str] | None = None
    id: str = ""
    inside: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)


RESOURCES = {
    "memory": Resource(("POST", "api-memories"), "api-memory", ("PATCH", "api-memory"), "memory_id"),
    "node": Resource(("POST", "api-nodes"), "api-node", ("PATCH", "api-node"), "node_id"),
    "edge": Resource(("POST", "api-edges"), "api-edge", ("PATCH", "api-edge"), "edge_id"),
    "type": Resource(("POST", "api-types"), "", ("PATCH", "api-type"), "type_id"),
    "metric": Resource(("POST", "api-metrics"), "", ("PATCH", "api-metric"), "metric_id"),
    "connection": Resource(("POST", "api-connections")),
    "message": Resource(("POST", "api-messages")),
    "plan": Resource(("PUT", "api-plan"), "api-plan"),
    "iteration": Resource(("POST", "api-iterations")),
    "run": Resource(("POST", "api-runs"), "api-run", None, "run_id"),
    "key": Resource(("POST", "api-keys")),
    "provider": Resource(("POST", "api-model-providers"), "", ("PUT", "api-model-provider"), "provider_id"),
    "slot": Resource(("PUT", "api-slot"), "api-slot"),
    "user memory": Resource(("PUT", "api-user-memory"), "api-user-memory", ("PATCH", "api-user-memory")),
    "settings": Resource(("PUT", "api-settings"), "api-settings"),
}


def schemas_of(door: tuple[str, str]) -> dict[str, Any]:
    """The fields of the first body that a door reads, with their schemas."""
    readers = operations()[door].reads
    return dict(body_schema(readers[0])["properties"]) if readers else {}


def fields_of(door: tuple[str, str]) -> list[str]:
    """The fields of the first body that a door reads."""
    return [*schemas_of(door)]


def is_free_text(schema: Mapping[str, Any]) -> bool:
    """Whether a field of a body takes any words: neither an id, a time nor one of our own words."""
    types = schema.get("type")
    return "string" in (types if isinstance(types, list) else [types]) and not {"enum", "format", "const"} & set(schema)


def texts_in(schema: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The path to each free text of a body, and its schema; an object of any fields counts as one of a text."""
    if is_free_text(schema):
        yield path, schema
    for one in schema.get("anyOf", ()):
        yield from texts_in(one, path)
    if "items" in schema:
        yield from texts_in(schema["items"], (*path, 0))
    for name, one in schema.get("properties", {}).items():
        yield from texts_in(one, (*path, name))
    if schema.get("type") == "object" and path and not schema.get("properties"):
        yield (*path, "note"), schema


def telling_example(schema: type[RequestSchema]) -> dict[str, Any]:
    """The example of a body in which each free text has words of its own, so that a page cannot show it by chance."""
    found = body_example(schema)
    for (name, *inner), _ in texts_in(body_schema(schema)):
        words = f"Said under {name}"
        found[str(name)] = [words] if inner else words
    return found


def visit(cast: Cast) -> tuple[Visitor, dict[str, object]]:
    """Acme's agent, and the ids of what a furnished Acme has."""
    return with_operator(cast.acme.secret), {**ids_of(cast.acme), "user_id": cast.bob.id, "name": "another plan"}


def sample(door: Door, ids: Mapping[str, object]) -> dict[str, Any]:
    """A body with every field of a door."""
    body = door.body(ids)
    missing = set(fields_of((door.method, door.name))) - body.keys()
    assert missing == set(), f"{door} has no example of {missing}."
    return body


def read_back(visitor: Visitor, resource: Resource, ids: dict[str, object], made: dict[str, Any]) -> dict[str, Any]:
    """What the door for reading says of what was made; the answer itself where there is no such door."""
    if resource.id:
        ids[resource.id] = made["id"]
    found = visitor.asks(DOORS["GET", resource.read], ids).json() if resource.read else made
    return dict(found[resource.inside] if resource.inside else found)


# Other values of fields that do not take any.
OTHERS: dict[str, Any] = {
    "metric.event_filter": "action_type = 'llm_call'",
    "metric.success_condition": "outcome = 'success'",
    "metric.aggregation": "average",
    "metric.measure": "action_count",
    "provider.kind": "anthropic",
    "provider.base_url": "http://127.0.0.1:2/v1",
    "provider.api_key": "k-7654321",
    "user memory.sections": {"Current Goals": "Order coffee."},
}


def other(value: Any, name: str) -> Any:
    """Another value that a field takes, of the same kind."""
    if name in OTHERS:
        return OTHERS[name]
    if is_moment(value):
        return f"{value[:-3]}01Z"
    return next(change(value) for kind, change in CHANGES if isinstance(value, kind))


CHANGES: tuple[tuple[type[Any], Callable[[Any], Any]], ...] = (
    (bool, lambda value: not value),
    (int, lambda value: value - 1),
    (float, lambda value: value / 2),
    (list, lambda value: [*value, "another"]),
    (dict, lambda value: {**dict.fromkeys(value, "another"), "more": 1}),
    (str, lambda value: f"{value} again"),
)


def is_moment(value: Any) -> bool:
    return isinstance(value, str) and value.endswith("Z") and "T" in value and value[:4].isdigit()


def is_there(found: Mapping[str, Any], name: str, value: Any) -> bool:
    """Whether an answer has the value: the same moment, and of an object at least what was said."""
    if name not in found:
        return False
    got = found[name]
    if is_moment(value) and isinstance(got, str):
        return datetime.fromisoformat(got) == datetime.fromisoformat(value)
    if isinstance(value, dict) and isinstance(got, dict):
        return all(is_there(got, key, one) for key, one in value.items())
    if isinstance(value, list) and isinstance(got, list):
        return sorted(map(str, value)) == sorted(map(str, got))
    return bool(got == value)
