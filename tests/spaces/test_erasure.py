"""Erasing a space: nothing of it is found in any table or store afterwards, and everything else is as it was."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models

from core.ids import new_id
from core.stores import redis
from core.stores.graph import GraphStatement, graph
from memory.models import RunCitation
from ontology.graph.services.projection import CYPHER, project_pending
from ontology.models import Edge, GraphOutbox, Node, NodeEmbedding
from telemetry.models import Action
from tests.cast import Cast, Household, RestClient
from tests.furnished import MADE_UP
from tests.pages import Visitor
from tests.redis_keys import text_of_key
from transfer.erasure import tasks
from transfer.erasure.services import space_erasure as services
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_tables import delete_locked, list_space_tables
from workspaces.access.spaces import SpaceName
from workspaces.access.tenancy import SpacedModel, TenantModel
from workspaces.accounts.services.memberships import add_member
from workspaces.keys.services import create_key
from workspaces.models import AuditEvent, IdempotentAnswer, Role

pytestmark = pytest.mark.django_db

MARKER = "zymurgy"
TWINS = GraphStatement("twins", "MATCH (n:OntologyNode {workspace_id: $workspace_id}) RETURN n.id AS id")
SPACE = SpaceName("user", "42")
OTHERS = (SpaceName("shared"), SpaceName("user", "43"), SpaceName("agent", "42"), SpaceName("project", "42"))


def _fill(household: Household, space: SpaceName, word: str) -> None:
    """Put a row with the word into every table that is divided into spaces, and a slot into each tier."""
    rest = household.rest()
    rest.remembered(f"The first {word}.", space=str(space))
    for tier in ("working", "session", "episodic", "semantic"):
        address = f"slots/{tier}/notes"
        assert rest.put(address, {"value": {"said": word}, "space": str(space)}).status_code == 200
    caller = maintenance_caller(household.workspace.id, "test").within(space.id)
    made: dict[type[models.Model], Any] = {}
    with workspace_scope(caller):
        for table in reversed(list_space_tables()):
            made[table.model] = _row(table.model, caller, word, made)


def _row(model: type[models.Model], caller: Caller, word: str, made: dict[type[models.Model], Any]) -> Any:
    values = {}
    for field in model._meta.concrete_fields:
        if field.generated or isinstance(field, models.AutoField) or field.name in {"space_id", "live_fingerprint"}:
            continue
        if field.name == "workspace":
            values[field.attname] = caller.workspace_id
        elif isinstance(field, models.ForeignKey):
            if field.primary_key or not field.null:
                values[field.attname] = _parent(field.related_model, caller, made).pk
        elif (given := _value(field, word)) is not None:
            values[field.attname] = given
    return model._default_manager.create(**values)


def _parent(model: type[models.Model], caller: Caller, made: dict[type[models.Model], Any]) -> Any:
    """Return the row of another table; one that is not divided into spaces has none of the word and stays."""
    return made[model] if model in made else _row(model, caller, "common", made)


def _value(field: models.Field[Any, Any], word: str) -> Any:
    if field.choices:
        return next(iter(field.flatchoices))[0]
    made: Any = None
    if field.name == "type":
        made = f"kind {word}"
    elif field.name in {"space", "origin_space"}:
        made = "project:elsewhere"
    elif isinstance(field, ArrayField) and isinstance(field.base_field, models.CharField | models.TextField):
        made = [word]
    elif isinstance(field, models.CharField | models.TextField):
        made = f"{new_id().hex[-12:]} {word}"[-(field.max_length or 100) :]
    elif isinstance(field, models.BinaryField):
        made = word.encode()
    elif isinstance(field, models.JSONField):
        made = {"said": word}
    elif not (field.null or field.has_default() or field.has_db_default()):
        given = MADE_UP[field.get_internal_type()]
        made = given() if callable(given) else given
    return made


def _find(cast: Cast, word: str) -> list[str]:
    """Return where a word is in the workspace: tables of all apps, their rows read as text, and slots in Redis."""
    found, codes = [], [word, word.encode().hex()]
    with workspace_scope(maintenance_caller(cast.acme.workspace.id, "test")), connection.cursor() as cursor:
        for model in apps.get_models():
            table = connection.ops.quote_name(model._meta.db_table)
            statement = f"SELECT count(*) FROM {table} AS r WHERE r::text ILIKE ANY (%s)"  # noqa: S608  # of a model
            cursor.execute(statement, [[f"%{code}%" for code in codes]])
            if cursor.fetchone()[0]:
                found.append(model._meta.db_table)
    server = redis.client()
    return found + [str(key) for key in server.scan_iter(match="oxa:*") if word in text_of_key(server, str(key))]


def _rows(household: Household, space: SpaceName) -> dict[str, int]:
    caller = maintenance_caller(household.workspace.id, "test").within(space.id)
    with workspace_scope(caller):
        return {
            table.name: table.model._base_manager.filter(space_id=space.id).count() for table in list_space_tables()
        }


def test_every_table_that_is_divided_into_spaces_is_erased_children_first() -> None:
    tables = list_space_tables()
    spaced = {model for model in apps.get_models() if issubclass(model, SpacedModel)}
    named = {
        model._meta.db_table
        for model in apps.get_models()
        if issubclass(model, TenantModel)
        and model not in spaced
        and any("space" in field.name.replace("workspace", "") for field in model._meta.concrete_fields)
    }

    assert {table.model for table in tables} == spaced
    # What names spaces without being divided by them holds no memory; an undo's things are divided.
    assert named == {"api_keys", "connected_apps", "idempotent_answers", "space_grants", "undos"}
    place: dict[type[models.Model], int] = {table.model: number for number, table in enumerate(tables)}
    for table in tables:
        for column in table.parents:
            assert place[table.model] < place[column.related_model], column


def test_nothing_of_an_erased_space_is_found_anywhere(cast: Cast) -> None:
    _fill(cast.acme, SPACE, MARKER)
    for space in OTHERS:
        _fill(cast.acme, space, "ordinary")
    _fill(cast.umbrella, SPACE, "theirs")
    before = {space: _rows(cast.acme, space) for space in OTHERS}
    theirs = _rows(cast.umbrella, SPACE)
    assert not [name for name, number in _rows(cast.acme, SPACE).items() if not number]
    found = _find(cast, MARKER)
    assert {"nodes", "messages", "episode_statements", "slot_items", "import_parts", "agent_actions"} <= set(found)
    assert [key for key in found if key.startswith("oxa:ws:")]
    counted = cast.acme.rest().raw("DELETE", f"spaces/{SPACE}?dry_run=true", "{}").json()

    erased = cast.acme.rest().delete(f"spaces/{SPACE}")

    assert (erased.status_code, erased.json()["status"]) == (200, "erased")
    assert _find(cast, MARKER) == []
    assert set(_rows(cast.acme, SPACE).values()) == {0}
    assert {space: _rows(cast.acme, space) for space in OTHERS} == before
    assert _rows(cast.umbrella, SPACE) == theirs
    assert (counted["status"], counted["rows"]) == ("counted", erased.json()["rows"])
    receipt = erased.json()
    assert {check["what"]: check["found"] for check in receipt["checks"]} == {"tables": 0}
    assert (counted["checks"], "Backups" in str(receipt["out_of_reach"]), receipt["stays"] != []) == ([], True, True)


def test_what_a_killed_worker_leaves_is_taken_up(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(cast.acme, SPACE, MARKER)
    monkeypatch.setattr(services, "ERASED_DIRECTLY", 0)
    answer = cast.acme.rest().delete(f"spaces/{SPACE}")
    assert (answer.status_code, answer.json()["status"], answer.json()["rows"]) == (202, "erasing", {})
    erase_rows, calls = services._erase_rows, iter(range(1_000))

    def dies_soon(*given: Any) -> int:
        if next(calls) == 40:
            raise KeyboardInterrupt
        return erase_rows(*given)

    monkeypatch.setattr(services, "_erase_rows", dies_soon)
    with pytest.raises(KeyboardInterrupt):
        tasks.erase_all()
    halfway = cast.acme.rest().get(f"spaces/{SPACE}").json()
    monkeypatch.setattr(services, "_erase_rows", erase_rows)

    assert (tasks.erase_all(), tasks.erase_all()) == (1, 0)

    done = cast.acme.rest().get(f"spaces/{SPACE}").json()
    assert (halfway["erasure"]["status"], done["erasure"]["status"]) == ("erasing", "erased")
    assert (halfway["erasing_since"] is None, done["erasing_since"], done["erased_at"] is None) == (False, None, False)
    assert 0 < sum(halfway["erasure"]["rows"].values()) < sum(done["erasure"]["rows"].values())
    assert _find(cast, MARKER) == []


def test_many_rows_go_in_bounded_transactions_and_tasks(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(7):
        cast.acme.rest().remembered(f"{MARKER} {number}", user="42")
    for name, most in (("ERASED_AT_ONCE", 2), ("ERASED_DIRECTLY", 0)):
        monkeypatch.setattr(services, name, most)
    monkeypatch.setattr(tasks, "ERASED_IN_A_TASK", 5)
    assert cast.acme.rest().delete(f"spaces/{SPACE}").status_code == 202
    workspace, space = str(cast.acme.workspace.id), str(SPACE.id)

    turns = [tasks.erase_space(workspace, space)]
    while not turns[-1]:
        turns.append(tasks.erase_space(workspace, space))

    assert len(turns) > 3
    assert cast.acme.rest().get(f"spaces/{SPACE}").json()["erasure"]["rows"]["nodes"] == 7
    assert _find(cast, MARKER) == []


def test_what_is_added_while_rows_are_deleted_goes_with_them(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    _fill(cast.acme, SPACE, MARKER)
    delete_table, caller = delete_locked, maintenance_caller(cast.acme.workspace.id, "test").within(SPACE.id)

    def adds_a_vector(table: Any, *, ids: Any, **given: Any) -> None:
        if table.model is Node:  # as the worker does, after the vectors of all nodes were deleted
            vector = {"model": MARKER, "dimensions": 1, "vector": [0.5]}
            with workspace_scope(caller):
                NodeEmbedding.objects.create(workspace_id=caller.workspace_id, node_id=ids[0], **vector)
        delete_table(table, ids=ids, **given)

    monkeypatch.setattr(services, "delete_locked", adds_a_vector)

    assert cast.acme.rest().delete(f"spaces/{SPACE}").json()["status"] == "erased"
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    assert _find(cast, MARKER) == []


def test_slots_that_cannot_be_reached_put_the_end_off(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    cast.acme.rest().remembered(MARKER, user="42")
    monkeypatch.setattr(services, "ERASED_DIRECTLY", 0)
    cast.acme.rest().delete(f"spaces/{SPACE}")

    def unreachable(**given: Any) -> int:
        raise redis.RedisUnavailableError

    with monkeypatch.context() as away:
        away.setattr(services, "erase_slots", unreachable)
        assert not tasks.erase_space(str(cast.acme.workspace.id), str(SPACE.id))
        assert cast.acme.rest().get(f"spaces/{SPACE}").json()["erasure"]["status"] == "erasing"
    assert tasks.erase_all() == 1
    assert cast.acme.rest().get(f"spaces/{SPACE}").json()["erasure"]["status"] == "erased"


def test_shared_is_not_erased_and_a_space_that_is_not_there_is_not_found(cast: Cast) -> None:
    rest = cast.acme.rest()
    rest.remembered("Everybody's.")
    answers = [rest.raw("DELETE", f"spaces/{path}", "{}") for path in ("shared", "shared?dry_run=true", "user:9", "x")]

    assert [answer.status_code for answer in answers] == [409, 409, 404, 404]
    assert answers[0].json()["code"] == "not_erasable"
    assert len(rest.get("memories").json()["results"]) == 1


def test_who_may_not_erase_a_space_erases_nothing(cast: Cast) -> None:
    cast.acme.rest().remembered("Mine.", user="42")
    bound = create_key(caller=cast.acme.caller, name="bound", scopes=list(Right), spaces=[str(SPACE)])
    path = f"/v1/workspaces/{cast.acme.workspace.id}/spaces/{SPACE}"
    clients = {
        "missing_scope": cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS),
        "space_not_allowed": RestClient(cast.acme.workspace.id, bound.secret),
        "not_found": cast.umbrella.rest(),
    }

    for code, client in clients.items():
        for query in ("", "?dry_run=true"):
            assert client.raw("DELETE", path + query, "{}").json()["code"] == code
    assert len(cast.acme.rest().get("memories", user="42").json()["results"]) == 1


@pytest.mark.parametrize(("role", "status"), [(Role.OWNER, 200), (Role.ADMIN, 403), (Role.MEMBER, 403)])
def test_a_person_who_erases_is_an_owner(cast: Cast, role: Role, status: int) -> None:
    cast.acme.rest().remembered("Mine.", user="42")
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    bob = Visitor.of(cast.bob, cast.acme.workspace)

    answer = bob.client.delete(f"/v1/workspaces/{cast.acme.workspace.id}/spaces/{SPACE}")

    assert answer.status_code == status
    assert (answer.json().get("code") == "owner_required") == (role == Role.ADMIN)


def test_what_was_offered_goes_and_what_was_accepted_stays(cast: Cast) -> None:
    rest = cast.acme.rest()
    accepted, pending = (rest.remembered(text, user="42") for text in ("A lift is broken.", f"The {MARKER} is mine."))
    offered = [rest.post(f"memories/{each['id']}/propose?user=42").json() for each in (accepted, pending)]
    rest.post(f"proposals/{offered[0]['id']}/accept")

    erasure = rest.delete(f"spaces/{SPACE}").json()

    assert (erasure["copies"], erasure["rows"]["proposals"]) == (1, 2)
    assert rest.get("proposals").json()["results"] == []
    assert [each["content"] for each in rest.get("memories").json()["results"]] == ["A lift is broken."]
    assert _find(cast, MARKER) == []


def test_what_hangs_on_a_row_of_the_space_goes_from_any_space(cast: Cast) -> None:
    rest, workspace_id = cast.acme.rest(), cast.acme.workspace.id
    mine, tea = rest.remembered("Mine.", user="42")["id"], rest.remembered("Tea.")["id"]
    run = rest.post("runs", {"agent": "clerk"}).json()["id"]
    with workspace_scope(cast.acme.caller):
        for memory in (mine, tea):
            RunCitation.objects.create(workspace_id=workspace_id, run_id=run, memory_id=memory, is_counted=True)
        Edge.objects.create(workspace_id=workspace_id, type="about", source_id=tea, target_id=mine)

    rows = rest.delete(f"spaces/{SPACE}").json()["rows"]

    assert (rows["run_citations"], rows["edges"]) == (1, 1)
    with workspace_scope(cast.acme.caller):
        assert [str(one.memory_id) for one in RunCitation.objects.of(cast.acme.caller)] == [tea]
        assert not Edge.objects.of(cast.acme.caller).exists()


def test_kept_answers_are_erased_and_the_record_says_who_without_content(cast: Cast) -> None:
    rest = cast.acme.rest()
    rest.remembered(f"The {MARKER} is mine.", user="42")
    caller = cast.acme.caller
    with workspace_scope(caller):
        IdempotentAnswer.objects.create(
            workspace_id=caller.workspace_id, call="c", request_sha256="r", status=201, answer="kept"
        )

    rest.delete(f"spaces/{SPACE}")

    with workspace_scope(caller):
        assert [(each.is_erased, each.answer) for each in IdempotentAnswer.objects.of(caller)] == [(True, "")]
        events = AuditEvent.objects.of(caller).filter(object_id=str(SPACE.id), action__startswith="space.eras")
        begun, done = events.order_by("created_at")
    assert (begun.action, begun.actor_label, begun.details) == ("space.erasing", "Acme agent", {"space": "user:42"})
    assert (done.action, done.details["space"], done.details["rows"]["nodes"]) == ("space.erased", "user:42", 1)
    assert MARKER not in str(done.details)


def test_an_erased_space_may_be_written_into_again(cast: Cast) -> None:
    rest = cast.acme.rest()
    rest.remembered("Before.", user="42")
    rest.delete(f"spaces/{SPACE}")

    rest.remembered("After.", user="42")

    assert [each["content"] for each in rest.get("memories", user="42").json()["results"]] == ["After."]
    again = rest.delete(f"spaces/{SPACE}").json()
    assert (again["status"], again["rows"]["nodes"]) == ("erased", 1)


def test_twins_leave_the_graph(cast: Cast) -> None:
    rest, identity = cast.acme.rest(), cast.acme.workspace.id
    rest.remembered("Mine.", user="42")
    shared = rest.remembered("Everybody's.")["id"]
    project_pending(workspace_id=identity, graph=graph())
    assert len(graph().read(TWINS, workspace_id=identity)) == 2
    with workspace_scope(maintenance_caller(identity, "test")):
        Action.objects.create(workspace_id=identity, space_id=SPACE.id, session="s", agent="a", action_type="t")

    rest.delete(f"spaces/{SPACE}")

    with workspace_scope(cast.acme.caller):
        assert {"node", "action"} <= set(GraphOutbox.objects.of(cast.acme.caller).values_list("entity", flat=True))
    project_pending(workspace_id=identity, graph=graph())
    assert [row["id"] for row in graph().read(TWINS, workspace_id=identity)] == [shared]
    graph().write(CYPHER["clear"], workspace_id=identity, limit=10_000)
