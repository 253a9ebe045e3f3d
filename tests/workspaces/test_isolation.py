"""Row security, seen by the role that serves: what it may not see or touch, whatever the code around it forgets."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from config.database_roles import grant_serving_role, serving_role_problem
from config.row_security_policies import tenant_tables
from tests.cast import Cast, Household, assemble_cast
from tests.flushing import empty_database
from tests.furnished import furnish
from tests.serving import as_serving_role, serving_connection
from workspaces.access.scope import directory_scope, person_scope, workspace_scope
from workspaces.keys.services import InvalidKeyError, caller_of_key
from workspaces.models import ApiKey, Membership, Workspace

Connection = psycopg.Connection[tuple[Any, ...]]
Table = tuple[str, str]
EVERY_ROW = sql.SQL("true")


@pytest.fixture(scope="module")
def both(django_db_setup: None, django_db_blocker: Any) -> Iterator[Cast]:
    """Acme and Umbrella, each with rows in every tenant table, committed for other connections to see.

    Once for the module: what its tests write is refused, touches no row or is rolled back.
    """
    with django_db_blocker.unblock():
        everybody = assemble_cast()
        furnish(everybody.acme)
        furnish(everybody.umbrella)
        yield everybody
        empty_database()


@pytest.fixture
def tables(both: Cast) -> list[Table]:
    return [(table.schema, table.name) for table in tenant_tables()]


@pytest.fixture
def serving(both: Cast) -> Iterator[Connection]:
    with serving_connection() as serving:
        yield serving


def test_every_tenant_table_is_part_of_these_tests(both: Cast, tables: list[Table]) -> None:
    for household in (both.acme, both.umbrella):
        with workspace_scope(household.caller), connection.cursor() as cursor:
            empty = [table for table in tables if _count(cursor, table) == 0]
        assert empty == [], "Teach tests/furnished.py to fill these tables."


def test_without_a_context_there_are_no_rows(serving: Connection, tables: list[Table]) -> None:
    assert {table: _count(serving, table) for table in tables} == dict.fromkeys(tables, 0)


def test_without_a_context_every_insert_raises(both: Cast, serving: Connection, tables: list[Table]) -> None:
    for table in tables:
        with pytest.raises(InsufficientPrivilege), serving.transaction():
            _insert(serving, table, _a_row(both.acme, table))


def test_without_a_context_nothing_is_changed_or_removed(serving: Connection, tables: list[Table]) -> None:
    assert {table: _touched(serving, table) for table in tables} == dict.fromkeys(tables, (0, 0))


def test_a_context_shows_the_rows_of_its_workspace_only(both: Cast, serving: Connection, tables: list[Table]) -> None:
    strangers = sql.SQL("SELECT count(*) FROM {} WHERE {} IS DISTINCT FROM %s")
    with _inside(serving, both.acme):
        for table in tables:
            statement = strangers.format(sql.Identifier(*table), _workspace_column(table))
            assert serving.execute(statement, [both.acme.workspace.id]).fetchone() == (0,), table
            assert _count(serving, table) > 0, table


def test_a_context_cannot_write_into_another_workspace(both: Cast, serving: Connection, tables: list[Table]) -> None:
    for table in tables:
        with pytest.raises(InsufficientPrivilege), _inside(serving, both.acme):
            _insert(serving, table, _a_row(both.umbrella, table))
        with _inside(serving, both.acme):
            assert _given_away(serving, table, both.umbrella) == 0, table


def test_a_context_cannot_reach_the_rows_of_another_workspace(
    both: Cast, serving: Connection, tables: list[Table]
) -> None:
    for table in tables:
        strangers = sql.SQL("{} = {}").format(_workspace_column(table), sql.Literal(both.umbrella.workspace.id))
        with _inside(serving, both.acme):
            assert _touched(serving, table, strangers) == (0, 0), table


def test_what_was_audited_cannot_be_changed(both: Cast, serving: Connection) -> None:
    with pytest.raises(InsufficientPrivilege), _inside(serving, both.acme):
        serving.execute("UPDATE org.audit_events SET action = 'other'")
    with _inside(serving, both.acme):  # it goes with a deleted workspace alone
        assert serving.execute("DELETE FROM org.audit_events").rowcount == 0
    for statement in ("UPDATE org.audit_events SET action = 'other'", "DELETE FROM org.audit_events"):
        with workspace_scope(both.acme.caller), connection.cursor() as owner:
            owner.execute(statement)
            assert owner.rowcount == 0, "The owner of the table is bound as well."


@pytest.mark.parametrize("privilege", ["TRUNCATE", "REFERENCES", "TRIGGER"])
def test_the_serving_role_only_handles_rows(serving: Connection, tables: list[Table], privilege: str) -> None:
    for schema, name in tables:
        held = serving.execute("SELECT has_table_privilege(%s, %s)", [f"{schema}.{name}", privilege]).fetchone()
        assert held == (False,), (schema, name)


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO django_migrations (app, name, applied) VALUES ('workspaces', '9999', now())",
        "UPDATE django_migrations SET name = '9999'",
        "DELETE FROM django_migrations",
        "CREATE TEMPORARY TABLE hidden (id int)",
        "SELECT lo_create(0)",
        "SELECT lo_creat(-1)",
        "SELECT lo_from_bytea(0, 'x')",
    ],
)
def test_the_serving_role_writes_nothing_but_rows_of_the_product(serving: Connection, statement: str) -> None:
    with pytest.raises(InsufficientPrivilege), serving.transaction():
        serving.execute(statement.encode())


def test_the_serving_role_may_call_what_nobody_else_may(serving: Connection) -> None:
    function = "org.presented_key(text)"
    with connection.cursor() as owner:
        owner.execute(f"REVOKE EXECUTE ON FUNCTION {function} FROM public")
        owner.execute(f"REVOKE EXECUTE ON FUNCTION {function} FROM {settings.SERVING_ROLE}")
        try:
            grant_serving_role(using="default")
            held = serving.execute("SELECT has_function_privilege(%s, 'EXECUTE')", [function]).fetchone()
        finally:
            owner.execute(f"GRANT EXECUTE ON FUNCTION {function} TO public")

    assert held == (True,)


def test_the_serving_role_is_bound_and_the_owner_is_reported(both: Cast) -> None:
    assert "owns tables" in serving_role_problem()
    with as_serving_role():
        assert serving_role_problem() == ""


def test_a_person_sees_their_memberships_before_they_choose(both: Cast) -> None:
    with as_serving_role(), person_scope(both.bob.id):
        assert [workspace.name for workspace in Workspace.objects.all()] == ["Acme"]
        assert [membership.user_id for membership in Membership.objects.all()] == [both.bob.id]
        assert Membership.objects.update(role="owner") == 0
        assert ApiKey.objects.count() == 0


def test_a_presented_secret_shows_its_key_and_workspace_only(both: Cast) -> None:
    with workspace_scope(both.acme.caller):
        mine = ApiKey.objects.get(name="spare")
    with as_serving_role(), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT set_config('rls.secret_hash', %s, true)", [mine.secret_hash])
        assert [key.id for key in ApiKey.objects.all()] == [mine.id]
        assert [workspace.id for workspace in Workspace.objects.all()] == [both.acme.workspace.id]
        assert ApiKey.objects.update(scopes=["admin"]) == Workspace.objects.update(name="Renamed") == 0


@pytest.mark.django_db(transaction=True)
def test_a_key_of_a_deleted_workspace_is_no_key(cast: Cast) -> None:
    furnish(cast.acme)
    with as_serving_role():
        assert caller_of_key(secret=cast.acme.secret).workspace_id == cast.acme.workspace.id
        with workspace_scope(cast.acme.caller):
            Workspace.objects.update(is_deleted=True)
        answers = [cast.acme.rest().get(path) for path in ("memories", "/v1/workspaces")]
        with pytest.raises(InvalidKeyError):
            caller_of_key(secret=cast.acme.secret)
        assert caller_of_key(secret=cast.umbrella.secret).workspace_id == cast.umbrella.workspace.id
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(410, "workspace_deleted")] * 2


def test_the_directory_lists_workspaces_and_nothing_in_them(both: Cast, tables: list[Table]) -> None:
    with as_serving_role(), directory_scope(), connection.cursor() as cursor:
        seen = {table: _count(cursor, table) for table in tables}
        assert Workspace.objects.update(name="Renamed") == 0
    assert seen == {**dict.fromkeys(tables, 0), ("org", "workspaces"): 2}


@contextmanager
def _inside(serving: Connection, household: Household) -> Iterator[None]:
    """A transaction in a workspace's context, set with plain SQL and rolled back at the end."""
    with serving.transaction(force_rollback=True):
        serving.execute("SELECT set_config('rls.tenant_id', %s, true)", [str(household.workspace.id)])
        yield


def _count(connected: Any, table: Table) -> int:
    found = connected.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(*table)))
    return int((found or connected).fetchone()[0])


def _touched(serving: Connection, table: Table, where: sql.Composable = EVERY_ROW) -> tuple[int, int]:
    """How many rows an UPDATE and a DELETE get hold of; where the role may do neither, none."""
    column = _workspace_column(table)
    found: list[int] = []
    for statement in ("UPDATE {table} SET {column} = {column} WHERE {where}", "DELETE FROM {table} WHERE {where}"):
        text = sql.SQL(statement).format(table=sql.Identifier(*table), column=column, where=where)
        try:
            with serving.transaction():
                found.append(serving.execute(text).rowcount)
        except InsufficientPrivilege:
            found.append(0)
    return found[0], found[1]


def _given_away(serving: Connection, table: Table, receiver: Household) -> int:
    """How many rows can be moved to another workspace; append-only tables have none that could be changed."""
    statement = sql.SQL("UPDATE {} SET {} = %s").format(sql.Identifier(*table), _workspace_column(table))
    try:
        with serving.transaction():
            return serving.execute(statement, [receiver.workspace.id]).rowcount
    except InsufficientPrivilege:
        return 0


def _workspace_column(table: Table) -> sql.Identifier:
    return sql.Identifier("id" if table == ("org", "workspaces") else "workspace_id")


def _a_row(household: Household, table: Table) -> str:
    """One of a workspace's rows as JSON."""
    with workspace_scope(household.caller), connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT to_jsonb(t)::text FROM {} t LIMIT 1").format(sql.Identifier(*table)))
        return str(cursor.fetchone()[0])


def _insert(serving: Connection, table: Table, row: str) -> None:
    written = serving.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass(%s) AND attnum > 0"
        " AND NOT attisdropped AND attgenerated = ''",
        [".".join(table)],
    ).fetchall()
    columns = sql.SQL(", ").join(sql.Identifier(name) for (name,) in written)
    serving.execute(
        sql.SQL("INSERT INTO {t} ({c}) SELECT {c} FROM jsonb_populate_record(NULL::{t}, %s::jsonb)").format(
            t=sql.Identifier(*table), c=columns
        ),
        [row],
    )
