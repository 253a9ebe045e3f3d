"""Every right that no migration gives stops the start and readiness: of the role, of PUBLIC, or one SET ROLE away."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.database_roles import grant_serving_role, isolation_problem
from tests.serving import as_serving_role, superuser_connection
from tests.unsafe_roles import ROLE, SERVING, accepted, altered, refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("alterable_role")]

MEMBER = [f"CREATE ROLE {ROLE}", f"GRANT {ROLE} TO {SERVING} WITH INHERIT FALSE, SET TRUE"]
FOREIGN = ["CREATE FOREIGN DATA WRAPPER elsewhere", "CREATE SERVER elsewhere FOREIGN DATA WRAPPER elsewhere"]
READABLE = "SELECT ON pg_class, pg_stats"
NOT_FOREIGN = ["DROP FOREIGN DATA WRAPPER elsewhere CASCADE"]


@pytest.mark.parametrize("holder", [SERVING, "PUBLIC", ROLE], ids=["serving", "public", "member"])
@pytest.mark.parametrize(
    ("right", "named"),
    [
        ("SELECT ON pg_statistic", "pg_statistic"),
        ("SELECT (stavalues1) ON pg_statistic", "pg_statistic"),
        ("SELECT ON pg_statistic_ext_data", "pg_statistic_ext_data"),
        ("SELECT ON pg_authid", "pg_authid"),
        ("SELECT ON pg_largeobject", "pg_largeobject"),
        ("UPDATE ON pg_class", "pg_class"),
        ("SELECT ON pg_backend_memory_contexts", "pg_backend_memory_contexts"),
        ("EXECUTE ON FUNCTION pg_ls_dir(text)", "pg_ls_dir(text)"),
        ("EXECUTE ON FUNCTION pg_read_file(text)", "pg_read_file(text)"),
        ("EXECUTE ON FUNCTION pg_read_binary_file(text)", "pg_read_binary_file(text)"),
        ("EXECUTE ON FUNCTION pg_stat_file(text)", "pg_stat_file(text)"),
        ("EXECUTE ON FUNCTION lo_import(text)", "lo_import(text)"),
        ("EXECUTE ON FUNCTION lo_export(oid, text)", "lo_export(oid,text)"),
        ("EXECUTE ON FUNCTION pg_reload_conf()", "pg_reload_conf()"),
        ("EXECUTE ON FUNCTION pg_stat_reset()", "pg_stat_reset()"),
        ("TRUNCATE ON app.memories", "memories"),
        ("TRIGGER ON public.django_session", "django_session"),
        ("REFERENCES ON app.memories", "memories"),
        ("REFERENCES (id) ON org.users", "users"),
        ("UPDATE ON org.audit_events", "audit_events"),
        ("UPDATE (action) ON org.audit_events", "audit_events"),
        ("INSERT ON public.django_migrations", "django_migrations"),
        ("UPDATE (name) ON public.django_migrations", "django_migrations"),
        ("UPDATE ON SEQUENCE public.django_q_ormq_id_seq", "django_q_ormq_id_seq"),
        ("CREATE ON SCHEMA ontology", "schema ontology"),
    ],
)
def test_a_right_that_no_migration_gives_is_named(right: str, named: str, holder: str) -> None:
    with altered([*MEMBER, f"GRANT {right} TO {holder}"], [f"REVOKE {right} FROM {holder}", f"DROP ROLE {ROLE}"]):
        refused(named=named)


@pytest.mark.parametrize(
    "holder",
    [SERVING, pytest.param("PUBLIC", marks=pytest.mark.alone), ROLE],  # PUBLIC holds it in every database of the server
    ids=["serving", "public", "member"],
)
@pytest.mark.parametrize(
    ("right", "named"),
    [
        ("SET ON PARAMETER session_replication_role", "session_replication_role"),
        ("ALTER SYSTEM ON PARAMETER work_mem", "work_mem"),
    ],
)
def test_a_right_to_set_what_the_server_is_run_with_is_named(right: str, named: str, holder: str) -> None:
    with altered([*MEMBER, f"GRANT {right} TO {holder}"], [f"REVOKE {right} FROM {holder}", f"DROP ROLE {ROLE}"]):
        refused(named=named)


def test_a_right_to_maintain_is_named() -> None:
    with altered([f"GRANT MAINTAIN ON app.memories TO {SERVING}"], [f"REVOKE MAINTAIN ON app.memories FROM {SERVING}"]):
        refused(named="memories")


@pytest.mark.parametrize("holder", [SERVING, "PUBLIC", ROLE], ids=["serving", "public", "member"])
@pytest.mark.parametrize(("kind", "named"), [("SERVER", "server"), ("DATA WRAPPER", "foreign data wrapper")])
def test_a_way_to_other_servers_is_named(kind: str, named: str, holder: str) -> None:
    steps = [*MEMBER, *FOREIGN, f"GRANT USAGE ON FOREIGN {kind} elsewhere TO {holder}"]
    with altered(steps, [*NOT_FOREIGN, f"DROP ROLE {ROLE}"]):
        refused(named=f"{named} elsewhere")


@pytest.mark.parametrize(
    ("steps", "undo"),
    [
        ([*FOREIGN, f"ALTER SERVER elsewhere OWNER TO {ROLE}"], NOT_FOREIGN),
        (
            ["CREATE PUBLICATION leaving", f"ALTER PUBLICATION leaving OWNER TO {ROLE}"],
            ["DROP PUBLICATION IF EXISTS leaving"],
        ),
    ],
)
def test_a_member_of_who_owns_something_of_the_whole_database_may_not_serve(steps: list[str], undo: list[str]) -> None:
    # Only who may create in the database can own a foreign server or a publication.
    database = connection.settings_dict["NAME"]
    create = f"CREATE ON DATABASE {database}"
    before = [*MEMBER, f"GRANT {create} TO {ROLE}"]
    after = [f"REVOKE {create} FROM {ROLE}"]
    with altered([*before, *steps, *after], [*undo, f"DROP ROLE {ROLE}"]):
        refused(named=f"'{ROLE}', which owns an extension")


def test_the_right_to_give_rights_away_is_named() -> None:
    right = "SELECT ON app.memories"
    with altered(
        [f"GRANT {right} TO {SERVING} WITH GRANT OPTION"], [f"REVOKE GRANT OPTION FOR {right} FROM {SERVING}"]
    ):
        refused(named="memories")


def test_toasted_values_are_kept_from_the_role() -> None:
    with superuser_connection() as superuser:
        found = superuser.execute(
            "SELECT reltoastrelid::regclass::text FROM pg_class WHERE oid = 'ontology.nodes'::regclass"
        ).fetchone()
    assert found is not None
    right = f"SELECT ON {found[0]}"
    with altered([f"GRANT {right} TO {SERVING}"], [f"REVOKE {right} FROM {SERVING}"]):
        refused(named=found[0])


@pytest.mark.parametrize("schema", ["app", "public"])
@pytest.mark.parametrize("right", ["SELECT", "SELECT (body)", "INSERT"])
def test_a_table_that_no_migration_made_is_named(schema: str, right: str) -> None:
    steps = [f"CREATE TABLE {schema}.extra (body text)", f"GRANT {right} ON {schema}.extra TO {SERVING}"]
    with altered(steps, [f"DROP TABLE {schema}.extra"]):
        refused(named=f"{schema}.extra, which no migration made")


def test_a_table_that_no_migration_made_gets_no_grant() -> None:
    with altered(["CREATE TABLE app.extra (body text)"], ["DROP TABLE app.extra"]):
        grant_serving_role(using="default")
        accepted()


def test_tables_of_a_newer_version_are_no_fault() -> None:
    steps = ["CREATE TABLE app.newer (body text)", f"GRANT SELECT ON app.newer TO {SERVING}"]
    record = MigrationRecorder(connection)
    record.record_applied("workspaces", "9999_of_a_newer_version")
    try:
        with altered(steps, ["DROP TABLE app.newer"]):
            accepted()
    finally:
        record.record_unapplied("workspaces", "9999_of_a_newer_version")


def test_a_parent_that_shows_the_rows_of_a_table_is_named() -> None:
    steps = [
        "CREATE SCHEMA extra",
        "CREATE TABLE extra.parent (node_id uuid NOT NULL)",
        "ALTER TABLE app.memories INHERIT extra.parent",
        f"GRANT USAGE ON SCHEMA extra TO {SERVING}",
        f"GRANT SELECT ON extra.parent TO {SERVING}",
    ]
    with altered(steps, ["ALTER TABLE app.memories NO INHERIT extra.parent", "DROP SCHEMA extra CASCADE"]):
        refused(named="extra.parent")


def test_a_rule_that_acts_as_the_owner_is_named() -> None:
    steps = ["CREATE RULE peek AS ON DELETE TO app.runs DO ALSO DELETE FROM app.run_citations"]
    with altered(steps, ["DROP RULE peek ON app.runs"]):
        refused(named="rule peek of runs")


def test_a_function_that_an_event_calls_with_rights_of_its_own_is_named() -> None:
    steps = [
        "CREATE FUNCTION app.peek() RETURNS event_trigger SECURITY DEFINER LANGUAGE plpgsql AS 'BEGIN END'",
        "REVOKE EXECUTE ON FUNCTION app.peek() FROM PUBLIC",
        "CREATE EVENT TRIGGER peek ON ddl_command_end EXECUTE FUNCTION app.peek()",
    ]
    with altered(steps, ["DROP EVENT TRIGGER peek", "DROP FUNCTION app.peek()"]):
        refused(named="function peek()")


def test_a_view_one_set_role_away_is_named() -> None:
    steps = [
        *MEMBER,
        "CREATE VIEW app.peek AS SELECT count(*) FROM app.memories",
        f"GRANT SELECT ON app.peek TO {ROLE}",
    ]
    with altered(steps, ["DROP VIEW app.peek", f"DROP ROLE {ROLE}"]):
        refused(named="view peek")


def test_a_schema_of_its_own_in_the_search_path_is_named() -> None:
    path = connection.settings_dict["OPTIONS"]
    before = path["options"]
    path["options"] = before.replace("search_path=public", "search_path=scratch,public")
    steps = ["CREATE SCHEMA scratch", f"GRANT USAGE, CREATE ON SCHEMA scratch TO {SERVING}"]
    try:
        with altered(steps, ["DROP SCHEMA scratch"]):
            refused(named="schema scratch")
    finally:
        path["options"] = before


def test_sessions_that_begin_without_foreign_keys_are_named() -> None:
    begin = f"ALTER ROLE {SERVING}"
    with altered([f"{begin} SET session_replication_role = 'replica'"], [f"{begin} RESET session_replication_role"]):
        refused(named="session_replication_role")


@pytest.mark.parametrize(
    "steps",
    [
        [f"GRANT {ROLE} TO {SERVING}"],  # an ordinary role, as providers add for their ways to sign in
        [f"GRANT {ROLE} TO {SERVING} WITH ADMIN TRUE"],
        [f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO {ROLE}"],  # PUBLIC has it of every extension
        ["GRANT pg_monitor TO " + ROLE, f"GRANT {SERVING} TO {ROLE}"],  # the other way around
        [f"GRANT SELECT ON pg_statistic TO {ROLE}", f"GRANT SET ON PARAMETER session_replication_role TO {ROLE}"],
        [f"ALTER ROLE {ROLE} CREATEDB CREATEROLE REPLICATION"],
        [f"GRANT {READABLE} TO {SERVING}"],  # PUBLIC has it anyway
    ],
)
def test_what_lends_nothing_is_no_fault(steps: list[str]) -> None:
    undo = [f"REVOKE {READABLE} FROM {SERVING}", f"DROP OWNED BY {ROLE}", f"DROP ROLE {ROLE}"]
    with altered([f"CREATE ROLE {ROLE}", *steps], undo):
        accepted()


def test_a_plain_role_may_serve() -> None:
    with as_serving_role():
        assert isolation_problem() == ""
