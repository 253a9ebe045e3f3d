"""Erasing a workspace: nothing of it is found in any table or store afterwards, and others are as they were."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from oauth2_provider.models import AccessToken, RefreshToken

from core.ids import new_id
from core.stores import queue, redis
from core.stores.graph import GraphUnavailableError, graph
from core.stores.redis import RedisUnavailableError
from ontology.graph.services.projection import PROJECTION_LEASE, project_pending
from tests.cast import Cast, RestClient
from tests.furnished import furnish
from tests.pages import Visitor
from tests.transfer.markers import found, plant, state
from transfer.erasure import tasks
from transfer.erasure.selectors import RECHECKED_AFTER
from transfer.erasure.services import workspace_removal
from transfer.erasure.workspace_tables import count_left_rows, list_workspace_tables, sum_layers
from transfer.models import WorkspaceErasure
from workspaces.access.callers import Right, maintenance_caller
from workspaces.access.leases import take_lease
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import all_workspace_ids
from workspaces.access.tenancy import TenantModel
from workspaces.accounts.services.memberships import add_member
from workspaces.keys.services import create_key
from workspaces.models import AuditEvent, Role, Workspace

pytestmark = pytest.mark.django_db


@pytest.fixture
def marker() -> str:
    """A word of this test alone: Redis and the graph are not emptied between tests."""
    return f"quincunx{new_id().hex[-12:]}"


def _delete(cast: Cast, *, confirm: str = "Acme", query: str = "") -> Any:
    return cast.acme.rest().delete(f"/v1/workspaces/{cast.acme.workspace.id}{query}", {"confirm": confirm})


def _work(erasure_id: str) -> bool:
    """What the worker does, until it is done or waits."""
    return any(tasks.erase_workspace(erasure_id) for _ in range(50))


def test_every_table_with_a_workspace_is_erased_children_first() -> None:
    tables = list_workspace_tables()
    names = [table.name for table in tables]

    assert {table.model for table in tables} == {each for each in apps.get_models() if issubclass(each, TenantModel)}
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('rls.tenant_id', '00000000-0000-0000-0000-000000000000', true)")
    assert {*names, "workspaces"} == count_left_rows(Workspace().id).keys(), "The catalog has the same tables."
    for table in tables:
        for column in table.model._meta.concrete_fields:
            if column.related_model and column.related_model is not table.model:
                parent = str(column.related_model._meta.db_table)
                assert parent not in names or names.index(table.name) < names.index(parent), column


def test_nothing_of_an_erased_workspace_is_found_anywhere(cast: Cast, marker: str) -> None:
    plant(cast.acme, marker)
    furnish(cast.umbrella)
    theirs = state(cast.umbrella)
    before = found(marker, cast.acme)
    assert {f"app.{name}" for name in ("memories", "messages", "slot_items", "import_parts")} - set(before) <= {
        "app.memories"
    }
    assert [place for place in before if place.startswith("redis oxa:ws:")]
    assert [place for place in before if place.startswith("node ")]
    planned = cast.acme.rest().delete(f"/v1/workspaces/{cast.acme.workspace.id}?dry_run=true").json()

    answer = _delete(cast)
    erasure = answer.json()
    is_done = _work(erasure["id"])

    assert (answer.status_code, erasure["status"], is_done) == (202, "erasing", True)
    assert found(marker, cast.acme) == []
    assert state(cast.umbrella) == theirs
    assert not AccessToken.objects.exists()
    assert not RefreshToken.objects.exists()
    receipt = cast.acme.rest().get(f"/v1/erasures/{erasure['id']}").json()
    assert (receipt["status"], receipt["workspace_id"]) == ("erased", str(cast.acme.workspace.id))
    assert [check["found"] for check in receipt["checks"]] == [0, 0, 0, 0]
    assert {"access", "conversations", "graph", "imports", "memory", "models", "ontology", "redis", "telemetry"} <= set(
        receipt["layers"]
    )
    assert receipt["layers"] == sum_layers(receipt["rows"])
    assert receipt["rows"]["nodes"] == planned["rows"]["nodes"]
    assert marker not in str(receipt)
    assert (planned["status"], planned["id"], planned["deleted"]) == ("counted", None, 0)


def test_a_dry_run_changes_nothing_and_needs_no_name(cast: Cast) -> None:
    furnish(cast.acme)
    before = state(cast.acme)

    answer = cast.acme.rest().delete(f"/v1/workspaces/{cast.acme.workspace.id}?dry_run=true")

    assert (answer.status_code, answer.json()["rows"]["workspaces"]) == (200, 1)
    assert state(cast.acme).keys() == before.keys()
    assert {name for name, one in state(cast.acme).items() if one != before[name]} <= {"api_keys"}
    assert not WorkspaceErasure.objects.exists()


@pytest.mark.parametrize("confirm", [None, "", "acme ltd", "Acme2", "ACME!"])
def test_a_wrong_confirmation_deletes_nothing(cast: Cast, confirm: str | None) -> None:
    body = {} if confirm is None else {"confirm": confirm}

    answer = cast.acme.rest().delete(f"/v1/workspaces/{cast.acme.workspace.id}", body)

    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "confirm")
    assert cast.acme.rest().get("memories").status_code == 200


@pytest.mark.parametrize("confirm", ["name", "slug"])
def test_the_name_or_the_slug_confirms(cast: Cast, confirm: str) -> None:
    assert _delete(cast, confirm=getattr(cast.acme.workspace, confirm)).status_code == 202


def test_who_may_not_erase_a_workspace_erases_nothing(cast: Cast) -> None:
    bound = create_key(caller=cast.acme.caller, name="bound", scopes=list(Right), spaces=["user:42"])
    clients = {
        "missing_scope": cast.acme.rest(Right.READ, Right.WRITE, Right.FACTS),
        "space_not_allowed": RestClient(cast.acme.workspace.id, bound.secret),
        "not_found": cast.umbrella.rest(),
    }
    for code, client in clients.items():
        for query in ("", "?dry_run=true"):
            answer = client.delete(f"/v1/workspaces/{cast.acme.workspace.id}{query}", {"confirm": "Acme"})
            assert answer.json()["code"] == code
    assert not WorkspaceErasure.objects.exists()


@pytest.mark.parametrize(
    ("role", "status"), [(Role.OWNER, 202), (Role.ADMIN, 403), (Role.MEMBER, 403), (Role.VIEWER, 403)]
)
def test_a_person_who_erases_a_workspace_is_an_owner(cast: Cast, role: Role, status: int) -> None:
    add_member(caller=cast.acme.caller, email=cast.bob.email, role=role)
    bob = Visitor.of(cast.bob, cast.acme.workspace).client

    answer = bob.delete(
        f"/v1/workspaces/{cast.acme.workspace.id}", {"confirm": "Acme"}, content_type="application/json"
    )

    assert answer.status_code == status
    assert WorkspaceErasure.objects.exists() == (status == 202)


def test_from_the_confirmation_on_the_workspace_is_closed(cast: Cast) -> None:
    rest, other = cast.acme.rest(), cast.acme.rest(Right.READ, Right.WRITE)
    alice = Visitor.of(cast.alice, cast.acme.workspace)
    _delete(cast)

    answers = [client.post("memories", {"content": "More."}) for client in (rest, other)]
    again = rest.delete(f"/v1/workspaces/{cast.acme.workspace.id}", {"confirm": "Acme"})

    assert {(answer.status_code, answer.json()["code"]) for answer in (*answers, again)} == {(410, "workspace_deleted")}
    assert "being deleted" in answers[0].json()["detail"]
    assert alice.get("memory").status_code == 404
    assert cast.acme.workspace.id not in all_workspace_ids()


def test_two_at_once_get_one_erasure(cast: Cast) -> None:
    from transfer.erasure.services import workspace_erasure

    counted = workspace_erasure.count_workspace(caller=cast.acme.caller)
    first = workspace_erasure.erase_workspace(caller=cast.acme.caller, confirm="Acme")
    with pytest.MonkeyPatch.context() as late:  # the second had read the workspace before the first closed it
        late.setattr(workspace_erasure, "count_workspace", lambda **_: counted)
        late.setattr(workspace_erasure, "current_workspace", lambda _: cast.acme.workspace)
        second = workspace_erasure.erase_workspace(caller=cast.acme.caller, confirm="Acme")

    assert first.id == second.id
    assert WorkspaceErasure.objects.count() == 1


def test_the_receipt_is_for_who_asked(cast: Cast) -> None:
    other_key, alice = cast.acme.rest(Right.READ, Right.ADMIN), Visitor.of(cast.alice, cast.acme.workspace).client
    erasure_id = _delete(cast).json()["id"]
    address = f"/v1/erasures/{erasure_id}"
    closed = other_key.get(address).status_code
    _work(erasure_id)

    assert cast.acme.rest().get(address).status_code == 200, "The key that asked, whose row is gone."
    assert alice.get(address).status_code == 200, "The person who made the key."
    assert cast.acme.rest().get("memories").status_code == 401, "It opens nothing else."
    assert (closed, other_key.get(address).status_code) == (410, 401)
    assert cast.umbrella.rest().get(address).status_code == 404
    assert Visitor.of(cast.charlie, cast.umbrella.workspace).client.get(address).status_code == 404
    assert Visitor.of(cast.bob, cast.umbrella.workspace).client.get(address).status_code == 404


def test_a_dead_graph_puts_the_receipt_off(cast: Cast, marker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(cast.acme, marker)
    erasure_id = _delete(cast).json()["id"]

    def away(**given: Any) -> int:
        raise GraphUnavailableError

    with monkeypatch.context() as outage:
        outage.setattr(workspace_removal, "remove_some_twins", away)
        assert not tasks.erase_workspace(erasure_id)
    waiting = cast.acme.rest().get(f"/v1/erasures/{erasure_id}").json()
    queue.discard_workspace_tasks(WorkspaceErasure.objects.get().id)
    assert tasks.erase_workspaces() == 1, "The schedule goes on with it."
    assert _work(erasure_id)

    assert (waiting["status"], waiting["waits_for"], waiting["checks"]) == ("erasing", "graph", [])
    assert cast.acme.rest().get(f"/v1/erasures/{erasure_id}").json()["waits_for"] is None
    assert found(marker, cast.acme) == []


def test_a_dead_redis_puts_the_receipt_off(cast: Cast, marker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(cast.acme, marker)
    erasure_id = _delete(cast).json()["id"]

    def away(*given: Any) -> int:
        raise RedisUnavailableError

    with monkeypatch.context() as outage:
        outage.setattr(redis, "delete_workspace_keys", away)
        assert not tasks.erase_workspace(erasure_id)
        assert cast.acme.rest().get(f"/v1/erasures/{erasure_id}").json()["waits_for"] == "redis"
    assert _work(erasure_id)
    assert found(marker, cast.acme) == []


def test_a_dry_run_without_graph_and_redis_says_what_it_could_not_count(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    from transfer.erasure.services import workspace_erasure

    def away(*args: Any, **given: Any) -> int:
        raise GraphUnavailableError if given else RedisUnavailableError

    monkeypatch.setattr(workspace_erasure, "count_twins", away)
    monkeypatch.setattr(redis, "count_workspace_keys", away)

    answer = cast.acme.rest().delete(f"/v1/workspaces/{cast.acme.workspace.id}?dry_run=true")

    assert answer.json()["unreachable"] == ["graph", "redis"]


def test_the_receipt_is_refused_while_anything_is_found(
    cast: Cast, marker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(cast.acme, marker)
    erasure_id = _delete(cast).json()["id"]
    late = redis.nudge_key("late", cast.acme.workspace.id)

    def writes_again(workspace_id: Any) -> int:
        redis.put(late, "late", seconds=60)
        return 0

    with monkeypatch.context() as straggler:
        straggler.setattr(redis, "delete_workspace_keys", writes_again)
        assert not tasks.erase_workspace(erasure_id)
    unfinished = cast.acme.rest().get(f"/v1/erasures/{erasure_id}").json()
    assert (unfinished["status"], unfinished["finished_at"]) == ("erasing", None)
    assert not Workspace.objects.filter(id=cast.acme.workspace.id).exists()
    assert _work(erasure_id)


def test_what_was_written_late_opens_the_erasure_again(cast: Cast) -> None:
    erasure_id = _delete(cast).json()["id"]
    assert _work(erasure_id)
    finished = WorkspaceErasure.objects.get()
    assert finished.finished_at
    WorkspaceErasure.objects.update(finished_at=finished.finished_at - 2 * RECHECKED_AFTER)
    redis.put(redis.nudge_key("late", cast.acme.workspace.id), "late", seconds=60)
    queue.discard_workspace_tasks(finished.id)

    assert tasks.erase_workspaces() == 1
    assert cast.acme.rest().get(f"/v1/erasures/{erasure_id}").json()["status"] == "erasing"
    assert _work(erasure_id)
    WorkspaceErasure.objects.update(finished_at=finished.finished_at - 2 * RECHECKED_AFTER)
    assert tasks.erase_workspaces() == 0
    assert WorkspaceErasure.objects.get().rechecked_at


def test_a_relay_at_work_is_waited_for(cast: Cast, marker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(cast.acme, marker)
    monkeypatch.setattr(workspace_removal, "PATIENCE", 0.0)
    relay = take_lease(
        caller=maintenance_caller(cast.acme.workspace.id, "projection"), name=PROJECTION_LEASE, seconds=600
    )
    assert relay
    erasure_id = _delete(cast).json()["id"]

    assert not tasks.erase_workspace(erasure_id)
    assert project_pending(workspace_id=cast.acme.workspace.id, graph=graph()) == 0
    relay.release()
    assert _work(erasure_id)
    assert found(marker, cast.acme) == []


def test_many_rows_go_in_bounded_transactions_and_tasks(
    cast: Cast, marker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        cast.acme.rest().remembered(f"{marker} {number}")
    monkeypatch.setattr(workspace_removal, "REMOVED_AT_ONCE", 2)
    monkeypatch.setattr(tasks, "ERASED_IN_A_TASK", 10)
    erasure_id = _delete(cast).json()["id"]

    seen = [tasks.erase_workspace(erasure_id)]
    halfway = cast.acme.rest().get(f"/v1/erasures/{erasure_id}").json()
    while not seen[-1]:
        seen.append(tasks.erase_workspace(erasure_id))

    assert len(seen) > 4
    assert 0 < halfway["deleted"] < halfway["total"]
    assert found(marker, cast.acme) == []


def test_the_record_of_a_workspace_that_is_there_cannot_be_deleted(cast: Cast) -> None:
    furnish(cast.acme)
    caller = maintenance_caller(cast.acme.workspace.id, "test")
    for name in ("audit_events", "prompt_runs"):
        table = next(table for table in list_workspace_tables() if table.name == name)
        with workspace_scope(caller):
            assert table.count(caller.workspace_id)
            assert table.delete_some(caller.workspace_id, most=1_000) == 0


def test_who_erased_is_recorded_until_the_record_goes(cast: Cast) -> None:
    _delete(cast)

    with workspace_scope(cast.acme.caller):
        event = AuditEvent.objects.of(cast.acme.caller).get(action="workspace.erasing")
    assert (event.actor_label, event.object_id, event.details) == ("Acme agent", str(cast.acme.workspace.id), {})
    erasure = WorkspaceErasure.objects.get()
    assert (erasure.actor_kind, erasure.person_id) == ("api_key", cast.alice.id)
