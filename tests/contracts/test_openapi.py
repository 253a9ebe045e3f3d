"""The OpenAPI document: every door is in it with its bodies, and every door keeps to it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from jsonschema import Draft202012Validator

from config.openapi.document import UNLISTED, document, operations
from core.http.json_schema import body_schema
from tests.cast import Answer, Cast, RestClient
from tests.rules.doors import OUTWARD, Door, ids_of, rest_doors, with_operator
from workspaces.http.rest import WorkspaceView
from workspaces.http.space_fields import NAMES

DOORS = [door for door in rest_doors() if door.name not in UNLISTED]


@pytest.fixture
def cast(furnished_cast: Cast, db: None) -> Cast:
    """A cast whose workspaces have something in every table."""
    return furnished_cast


def test_every_door_is_in_the_document_with_its_bodies() -> None:
    paths = document()["paths"]
    listed = {(method.upper(), path) for path, methods in paths.items() for method in methods}

    assert document()["openapi"].startswith("3.1")
    assert {(door.method, door.documented) for door in DOORS} == listed
    assert {(door.method, door.name) for door in DOORS} == operations().keys()
    for door in DOORS:
        operation = operation_of(door)
        good = [answer for status, answer in operation["responses"].items() if status < "300"]
        assert all("content" in answer or "no body" in answer["description"] for answer in good), door
        assert ("requestBody" in operation) == (door.method != "GET"), door
        assert not door.fields or "example" in content_of(operation), f"{door} has no example."


def test_the_document_says_which_spaces_a_call_may_name() -> None:
    for door in DOORS:
        operation = operation_of(door)
        told = {one["$ref"].rpartition("/")[2] for one in operation["parameters"] if "$ref" in one}
        fields = {name for name, field in _body_fields(operation).items() if "Names" in field.get("$ref", "")}
        asked = door.view.asks.get(door.method)
        own = set(asked.model_fields) if asked else set()
        readers = operations()[door.method, door.name].reads
        has_body = bool(readers) and not operations()[door.method, door.name].takes_lines
        taken = {name for reader in readers for name in reader.model_fields}
        names = set(NAMES) if issubclass(door.view, WorkspaceView) and door.view.names_spaces else set()
        assert told == names - own, door
        assert fields == (names - taken if has_body else set()), door
    assert document()["components"]["parameters"].keys() == set(NAMES)


@pytest.mark.parametrize(
    "is_scoped",
    [False, True],
)
def test_every_call_may_name_a_space_in_its_query_string(cast: Cast, is_scoped: bool) -> None:
    mine = {**ids_of(cast.acme), "user_id": cast.bob.id}
    for door in [each for each in DOORS if each.name not in OUTWARD and each.view.takes_scope == is_scoped]:
        with transaction.atomic():
            body = {name: value for name, value in door.body(mine).items() if name not in NAMES or name == "agent"}
            answer = with_operator(cast.acme.secret).asks(door, mine, body, query="?space=shared")
            transaction.set_rollback(True)
        is_told = any(one.get("$ref", "").endswith("/space") for one in operation_of(door)["parameters"])
        # 409: the door opened, and found the object in use.
        expected = {200, 201, 202, 204, 409} if is_told else {422}
        assert answer.status_code in expected, (str(door), answer.content)


def test_operations_have_names_of_their_own() -> None:
    names = [operation["operationId"] for methods in document()["paths"].values() for operation in methods.values()]

    assert len(names) == len(set(names))


@pytest.mark.parametrize("door", [door for door in DOORS if door.name not in OUTWARD], ids=str)
def test_every_door_reads_and_answers_what_the_document_says(
    cast: Cast, door: Door, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = {**ids_of(cast.acme), "user_id": cast.bob.id}
    read: list[Any] = []
    _listen(monkeypatch, read)

    with transaction.atomic():
        answer = with_operator(cast.acme.secret).asks(door, mine, door.body(mine))
        transaction.set_rollback(True)

    operation = operations()[door.method, door.name]
    documented = [body_schema(reader) for reader in operation.reads]
    assert operation.takes_lines or all(body_schema(reader) in documented for reader in read), read
    assert faults(door, answer) == []


def test_a_problem_is_as_the_document_says(acme: RestClient) -> None:
    door = next(door for door in DOORS if (door.method, door.name) == ("POST", "api-memories"))

    for answer in (acme.post("memories", {"surprise": 1}), acme.raw("POST", "memories", "{")):
        assert faults(door, answer) == []


def test_the_page_shows_every_operation_to_everybody(db: None) -> None:
    page = Client().get("/v1/docs").content.decode()

    assert page.count("<details") >= len(DOORS)
    assert all(f">{door.documented}</code>" in page for door in DOORS)
    assert page.count('<span class="muted">') == len(DOORS)
    assert '<span class="muted"></span>' not in page
    assert "<script>" not in page


def operation_of(door: Door) -> dict[str, Any]:
    return dict(document()["paths"][door.documented][door.method.lower()])


def _body_fields(operation: dict[str, Any]) -> dict[str, Any]:
    """The fields of a body; of the first where any of several is taken."""
    if "requestBody" not in operation:
        return {}
    schema = content_of(operation)["schema"]
    found = schema if "properties" in schema else schema.get("oneOf", [schema])[0]
    return dict(found.get("properties", {}))


def content_of(operation: dict[str, Any]) -> dict[str, Any]:
    return dict(next(iter(operation["requestBody"]["content"].values())))


def faults(door: Door, answer: Answer) -> list[str]:
    """Where an answer differs from the document: an undocumented status or media type, or another shape."""
    told = operation_of(door)["responses"].get(str(answer.status_code))
    if told is None:
        return [f"{answer.status_code} is not documented."]
    if "$ref" in told:
        told = document()["components"]["responses"][str(answer.status_code)]
    media = answer.get("Content-Type", "").partition(";")[0]
    if not told.get("content"):
        return []
    if media not in told["content"]:
        return [f"{media} is not documented."]
    if "json" not in media or "ndjson" in media:
        return []
    schema = {**told["content"][media]["schema"], "components": document()["components"]}
    return [error.message for error in Draft202012Validator(schema).iter_errors(answer.json())]


def _listen(patch: pytest.MonkeyPatch, heard: list[Any]) -> None:
    real = WorkspaceView.body

    def listening(view: WorkspaceView, schema: Any) -> Any:
        heard.append(schema)
        return real(view, schema)

    patch.setattr(WorkspaceView, "body", listening)
