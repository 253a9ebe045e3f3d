"""Every way around row security that a role, a policy, a function or a view can open stops the start and readiness."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client

from config.database_roles import UnsafeRoleError, isolation_problem, refuse_unsafe_role
from config.row_security_policies import UnprotectedTableError, canonical, refuse_unprotected_tables
from tests.serving import as_serving_role, superuser_connection
from tests.unsafe_roles import ROLE, SERVING, altered, refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("alterable_role")]

MINE = "workspace_id = NULLIF(current_setting('rls.tenant_id', true), '')::uuid"
PEEKING = f"GRANT SELECT ON app.peek TO {SERVING}"
LOOPHOLE = "coalesce(current_setting('rls.x', true), '') = ''"


@pytest.mark.parametrize(
    "membership", ["", " WITH INHERIT FALSE, SET TRUE", " WITH INHERIT FALSE, SET FALSE, ADMIN TRUE"]
)
@pytest.mark.parametrize("attributes", ["SUPERUSER", "BYPASSRLS", "REPLICATION", "CREATEROLE", "CREATEDB"])
def test_a_member_of_a_role_with_dangerous_attributes_may_not_serve(attributes: str, membership: str) -> None:
    steps = [f"CREATE ROLE {ROLE} {attributes}", f"GRANT {ROLE} TO {SERVING}{membership}"]
    with altered(steps, [f"DROP ROLE IF EXISTS {ROLE}"]):
        refused(named=ROLE)
        with pytest.raises(UnsafeRoleError, match=ROLE):
            refuse_unsafe_role(using="default")


def test_a_member_of_a_member_of_a_superuser_may_not_serve() -> None:
    steps = [
        f"CREATE ROLE {ROLE} SUPERUSER",
        f"CREATE ROLE {ROLE}_between",
        f"GRANT {ROLE} TO {ROLE}_between",
        f"GRANT {ROLE}_between TO {SERVING}",
    ]
    with altered(steps, [f"DROP ROLE IF EXISTS {ROLE}_between", f"DROP ROLE IF EXISTS {ROLE}"]):
        refused(named=ROLE)


def test_a_member_of_any_role_of_postgresqls_own_may_not_serve() -> None:
    with superuser_connection() as superuser:
        found = superuser.execute("SELECT rolname FROM pg_roles WHERE rolname ~ '^pg_' ORDER BY 1").fetchall()
    predefined = [name for (name,) in found if name != "pg_database_owner"]  # nobody can be made a member of it

    assert {"pg_signal_backend", "pg_monitor", "pg_read_all_data", "pg_checkpoint"} <= set(predefined)
    for role in predefined:
        with altered([f"GRANT {role} TO {SERVING}"], [f"REVOKE {role} FROM {SERVING}"]):
            refused(named=f"'{role}'")


@pytest.mark.parametrize("role", ["pg_monitor", "pg_signal_backend"])
def test_a_member_of_a_member_of_a_role_of_postgresqls_own_may_not_serve(role: str) -> None:
    steps = [
        f"CREATE ROLE {ROLE}",
        f"GRANT {role} TO {ROLE}",
        f"GRANT {ROLE} TO {SERVING} WITH INHERIT FALSE, SET TRUE",
    ]
    with altered(steps, [f"DROP ROLE IF EXISTS {ROLE}"]):
        refused(named=f"'{role}'")


@pytest.mark.parametrize("attribute", ["SUPERUSER", "BYPASSRLS", "REPLICATION", "CREATEROLE", "CREATEDB"])
def test_a_role_with_dangerous_attributes_itself_may_not_serve(attribute: str) -> None:
    with altered([f"ALTER ROLE {SERVING} {attribute}"], [f"ALTER ROLE {SERVING} NO{attribute}"]):
        refused(named=SERVING)


def test_a_member_of_the_owner_of_the_tables_may_not_serve() -> None:
    with superuser_connection() as superuser:
        found = superuser.execute("SELECT relowner::regrole::text FROM pg_class WHERE relname = 'memories'").fetchone()
    assert found is not None
    owner = found[0]
    with altered([f"GRANT {owner} TO {SERVING}"], [f"REVOKE {owner} FROM {SERVING}"]):
        refused(named=owner)


@pytest.mark.parametrize(
    ("step", "undo", "kind"),
    [
        ("ALTER SCHEMA agent_memory OWNER TO {role}", "ALTER SCHEMA agent_memory OWNER TO {owner}", "schemas"),
        (
            "ALTER FUNCTION org.presented_key(text) OWNER TO {role}",
            "ALTER FUNCTION org.presented_key(text) OWNER TO {owner}",
            "functions",
        ),
    ],
)
def test_a_member_of_the_owner_of_a_schema_or_function_may_not_serve(step: str, undo: str, kind: str) -> None:
    with superuser_connection() as superuser:
        found = superuser.execute("SELECT relowner::regrole::text FROM pg_class WHERE relname = 'memories'").fetchone()
    assert found is not None
    steps = [f"CREATE ROLE {ROLE}", f"GRANT {ROLE} TO {SERVING}", step.format(role=ROLE)]
    with altered(steps, [undo.format(owner=found[0]), f"DROP ROLE IF EXISTS {ROLE}"]):
        refused(named=kind)


@pytest.mark.parametrize(
    ("steps", "undo", "named"),
    [
        (
            [f"CREATE POLICY oops ON app.memories USING ({LOOPHOLE})"],
            ["DROP POLICY oops ON app.memories"],
            "app.memories (policy 'oops' was added)",
        ),
        (
            [f"CREATE POLICY oops ON app.memories AS RESTRICTIVE USING ({MINE})"],
            ["DROP POLICY oops ON app.memories"],
            "app.memories (policy 'oops' was added)",
        ),
        (
            [f"ALTER POLICY tenant ON app.model_providers USING ({MINE} OR {LOOPHOLE})"],
            [f"ALTER POLICY tenant ON app.model_providers USING ({MINE})"],
            "app.model_providers (policy 'tenant' was altered)",
        ),
        (
            [f"ALTER POLICY tenant ON app.model_providers WITH CHECK ({MINE} OR {LOOPHOLE})"],
            [f"ALTER POLICY tenant ON app.model_providers WITH CHECK ({MINE})"],
            "app.model_providers (policy 'tenant' was altered)",
        ),
        (
            ["ALTER POLICY space_insert ON app.memories TO pg_monitor"],
            ["ALTER POLICY space_insert ON app.memories TO PUBLIC"],
            "app.memories (policy 'space_insert' was altered)",
        ),
        (
            ["ALTER POLICY tenant ON app.model_providers TO pg_monitor"],
            ["ALTER POLICY tenant ON app.model_providers TO PUBLIC"],
            "app.model_providers (policy 'tenant' was altered)",
        ),
        (
            [
                "CREATE TABLE public.impostors (workspace_id uuid, user_id uuid)",
                "ALTER POLICY member ON org.workspaces USING (id IN (SELECT workspace_id FROM public.impostors "
                "WHERE user_id = (SELECT NULLIF(current_setting('rls.user_id', true), '')::uuid)))",
            ],
            [
                "ALTER POLICY member ON org.workspaces USING (id IN (SELECT workspace_id FROM org.memberships "
                "WHERE user_id = (SELECT NULLIF(current_setting('rls.user_id', true), '')::uuid)))",
                "DROP TABLE public.impostors",
            ],
            "org.workspaces (policy 'member' was altered)",
        ),
        (
            ["ALTER POLICY tenant_read ON org.audit_events RENAME TO other"],
            ["ALTER POLICY other ON org.audit_events RENAME TO tenant_read"],
            "org.audit_events (policy 'other' was added, policy 'tenant_read' is missing)",
        ),
        (
            ["ALTER TABLE app.memories NO FORCE ROW LEVEL SECURITY"],
            ["ALTER TABLE app.memories FORCE ROW LEVEL SECURITY"],
            "app.memories (row security is not forced)",
        ),
    ],
)
def test_a_policy_that_no_migration_made_is_named(steps: list[str], undo: list[str], named: str) -> None:
    with altered(steps, undo):
        refused(named=named)
        with pytest.raises(UnprotectedTableError) as raised:
            refuse_unprotected_tables(using="default")
        assert named in str(raised.value)


@pytest.mark.parametrize(
    ("steps", "undo", "named"),
    [
        (
            ["CREATE FUNCTION app.peek() RETURNS bigint SECURITY DEFINER LANGUAGE sql RETURN 1"],
            ["DROP FUNCTION app.peek()"],
            "function peek()",
        ),
        (
            ["CREATE VIEW app.peek AS SELECT count(*) FROM app.memories", PEEKING],
            ["DROP VIEW app.peek"],
            "view peek",
        ),
        (
            [
                "CREATE VIEW app.peek AS SELECT count(*) AS number FROM app.memories",
                f"GRANT SELECT (number) ON app.peek TO {SERVING}",
            ],
            ["DROP VIEW app.peek"],
            "view peek",
        ),
        (
            ["CREATE MATERIALIZED VIEW app.peek AS SELECT count(*) FROM app.memories", PEEKING],
            ["DROP MATERIALIZED VIEW app.peek"],
            "view peek",
        ),
        (
            [
                "CREATE SCHEMA extra",
                f"GRANT USAGE ON SCHEMA extra TO {SERVING}",
                "CREATE FUNCTION extra.peek() RETURNS bigint SECURITY DEFINER LANGUAGE sql RETURN 1",
            ],
            ["DROP SCHEMA extra CASCADE"],
            "function extra.peek()",
        ),
        (
            [
                "CREATE SCHEMA extra",
                f"GRANT USAGE ON SCHEMA extra TO {SERVING}",
                "CREATE VIEW extra.peek AS SELECT count(*) FROM app.memories",
                f"GRANT SELECT ON extra.peek TO {SERVING}",
            ],
            ["DROP SCHEMA extra CASCADE"],
            "view extra.peek",
        ),
        (
            [
                "CREATE FOREIGN DATA WRAPPER elsewhere",
                "CREATE SERVER elsewhere FOREIGN DATA WRAPPER elsewhere",
                "CREATE FOREIGN TABLE app.peek (body text) SERVER elsewhere",
                PEEKING,
            ],
            ["DROP FOREIGN DATA WRAPPER elsewhere CASCADE"],
            "foreign table peek",
        ),
        (
            [
                "CREATE FUNCTION app.peek() RETURNS trigger SECURITY DEFINER LANGUAGE plpgsql AS 'BEGIN END'",
                "REVOKE EXECUTE ON FUNCTION app.peek() FROM PUBLIC",
                "CREATE TRIGGER peek BEFORE INSERT ON app.runs FOR EACH ROW EXECUTE FUNCTION app.peek()",
            ],
            ["DROP TRIGGER peek ON app.runs", "DROP FUNCTION app.peek()"],
            "function peek()",
        ),
    ],
)
def test_rights_that_a_function_or_view_lends_are_named(steps: list[str], undo: list[str], named: str) -> None:
    with altered(steps, undo):
        refused(named=named)


@pytest.mark.parametrize(
    ("right", "table"),
    [
        ("UPDATE", "org.audit_events"),
        ("TRUNCATE", "app.memories"),
        ("TRIGGER", "app.runs"),
    ],
)
def test_rights_that_no_migration_gives_are_named(right: str, table: str) -> None:
    with altered([f"GRANT {right} ON {table} TO {SERVING}"], [f"REVOKE {right} ON {table} FROM {SERVING}"]):
        refused(named=table.partition(".")[2])


@pytest.mark.parametrize(
    ("steps", "undo", "named"),
    [
        (
            [f"GRANT CREATE ON SCHEMA public TO {SERVING}"],
            [f"REVOKE CREATE ON SCHEMA public FROM {SERVING}"],
            "functions of its own in schema public",
        ),
        (  # as every database had it before PostgreSQL 15
            ["GRANT CREATE ON SCHEMA public TO PUBLIC"],
            ["REVOKE CREATE ON SCHEMA public FROM PUBLIC"],
            "functions of its own in schema public",
        ),
        (
            [f"GRANT CREATE ON SCHEMA ontology TO {SERVING}"],
            [f"REVOKE CREATE ON SCHEMA ontology FROM {SERVING}"],
            "functions of its own in schema ontology",
        ),
        (
            [f"GRANT CREATE ON DATABASE {{database}} TO {SERVING}"],
            [f"REVOKE CREATE ON DATABASE {{database}} FROM {SERVING}"],
            "functions of its own in database",
        ),
        (
            [f"GRANT EXECUTE ON FUNCTION pg_read_file(text) TO {SERVING}"],
            [f"REVOKE EXECUTE ON FUNCTION pg_read_file(text) FROM {SERVING}"],
            "pg_read_file(text)",
        ),
        (
            [
                "CREATE SCHEMA extra",
                "CREATE TABLE extra.memories AS SELECT * FROM app.memories",
                f"GRANT USAGE ON SCHEMA extra TO {SERVING}",
                f"GRANT SELECT ON extra.memories TO {SERVING}",
            ],
            ["DROP SCHEMA extra CASCADE"],
            "extra.memories",
        ),
        (
            [f"ALTER ROLE {SERVING} IN DATABASE {{database}} SET rls.tenant_id = '{UUID(int=7)}'"],
            [f"ALTER ROLE {SERVING} IN DATABASE {{database}} RESET rls.tenant_id"],
            "rls.tenant_id",
        ),
        (
            ["ALTER DATABASE {database} SET rls.directory = 'on'"],
            ["ALTER DATABASE {database} RESET rls.directory"],
            "rls.directory",
        ),
    ],
)
def test_what_else_opens_a_way_around_is_named(steps: list[str], undo: list[str], named: str) -> None:
    database = connection.settings_dict["NAME"]
    with altered([step.format(database=database) for step in steps], [step.format(database=database) for step in undo]):
        refused(named=named)


def test_tables_of_others_in_the_same_database_are_no_concern_of_ours() -> None:
    steps = [
        "CREATE SCHEMA extra",
        "CREATE TABLE extra.memories AS SELECT * FROM app.memories",
        "CREATE FUNCTION extra.peek() RETURNS bigint SECURITY DEFINER LANGUAGE sql RETURN 1",
    ]
    with altered(steps, ["DROP SCHEMA extra CASCADE"]), as_serving_role():
        assert Client().get("/readyz").json()["checks"]["database"]["state"] == "ok"


def test_a_function_or_view_that_runs_as_its_caller_is_harmless() -> None:
    steps = [
        "CREATE FUNCTION app.peek() RETURNS bigint SECURITY INVOKER LANGUAGE sql RETURN 1",
        "CREATE VIEW app.peek WITH (security_invoker = true) AS SELECT count(*) FROM app.memories",
        PEEKING,
    ]
    with altered(steps, ["DROP FUNCTION app.peek()", "DROP VIEW app.peek"]), as_serving_role():
        assert Client().get("/readyz").json()["checks"]["database"]["state"] == "ok"


def test_the_check_costs_six_small_statements() -> None:
    asked: list[str] = []

    def note(execute: Any, statement: str, *rest: Any) -> Any:
        asked.append(statement)
        return execute(statement, *rest)

    with as_serving_role(), connection.execute_wrapper(note):
        assert isolation_problem() == ""

    assert len(asked) == 6


@pytest.mark.parametrize(
    ("printed", "is_same"),
    [
        (
            "(workspace_id = ( SELECT (NULLIF(current_setting('rls.tenant_id'::text, true), ''::text))::uuid AS "
            '"nullif"))',
            True,
        ),
        (
            "(workspace_id = ( SELECT (NULLIF(current_setting('rls.tenant_id'::text, false), ''::text))::uuid AS "
            '"nullif"))',
            False,
        ),
        (
            "(workspace_id = ( SELECT (NULLIF(evil.current_setting('rls.tenant_id'::text, true), ''::text))::uuid AS "
            '"nullif"))',
            False,
        ),
        ("(workspace_id = ( SELECT (NULLIF(current_setting('rls.user_id'::text, true), ''::text))::uuid))", False),
        ("(workspace_id IS NOT NULL)", False),
        ("true", False),
    ],
)
def test_an_expression_equals_only_what_postgresql_prints_for_it(printed: str, is_same: bool) -> None:
    rule = "workspace_id = (SELECT NULLIF(current_setting('rls.tenant_id', true), '')::uuid)"
    assert (canonical(printed) == canonical(rule)) is is_same
