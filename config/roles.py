"""The two database roles: what the serving role is granted, and proof that row security binds it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connections
from psycopg import sql

from config.policies import OWN_SCHEMAS, SCHEMAS, policy_problem

# The last one for our own schemas only: functions in `public` came with extensions and are not the owner's to give.
GRANTS = (
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role}",
)
APPEND_ONLY_TABLES = (("org", "audit_events"),)
# What the owner writes when it migrates, and a web process or worker only reads.
READ_ONLY_TABLES = (("public", "django_migrations"),)
# PUBLIC has it in every new database. Only the owner of the database can take it away.
OWNED_DATABASE = """
    SELECT datname FROM pg_database
     WHERE datname = current_database() AND pg_has_role(current_user, datdba, 'USAGE')
"""

# Roles of PostgreSQL that read or write rows and files past policies, or past the database.
PREDEFINED = (
    "pg_read_all_data",
    "pg_write_all_data",
    "pg_read_server_files",
    "pg_write_server_files",
    "pg_execute_server_program",
    "pg_create_subscription",
)

# A session that began as another role can go back to it, so both are asked about.
JUDGED_ROLES = """
    SELECT rolname FROM pg_roles
     WHERE rolname = %(role)s OR (%(role)s = '' AND rolname IN (current_user, session_user))
"""

# What each role that the serving role is, or is a member of, could do. MEMBER, and not SET: whoever is a member with
# ADMIN gives itself SET, and one with INHERIT
# needs none. Only the owner of the database, who is asked about already, is a member of pg_database_owner.
DANGEROUS_ROLES = """
    WITH owners AS (
           SELECT c.relowner AS oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ANY(%(schemas)s) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
            UNION SELECT nspowner FROM pg_namespace WHERE nspname = ANY(%(schemas)s)
            UNION SELECT p.proowner FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                   WHERE n.nspname = ANY(%(own_schemas)s)
            UNION SELECT datdba FROM pg_database WHERE datname = current_database())
    SELECT me, r.rolname, r.danger
      FROM unnest(%(roles)s::name[]) AS me,
           LATERAL (SELECT oid, rolname,
                           CASE WHEN rolsuper OR rolbypassrls THEN 'is a superuser or has BYPASSRLS'
                                WHEN rolreplication THEN 'has REPLICATION'
                                WHEN oid IN (SELECT oid FROM owners)
                                THEN 'owns tables, schemas or functions of this database'
                                WHEN rolcreaterole THEN 'has CREATEROLE'
                                WHEN rolname = ANY(%(predefined)s) THEN 'reads or writes what it was not granted'
                           END AS danger
                      FROM pg_roles) r
     WHERE r.danger IS NOT NULL AND r.rolname <> 'pg_database_owner' AND pg_has_role(me, r.oid, 'MEMBER')
     ORDER BY me, r.rolname <> me, r.rolname
     LIMIT 1
"""

# With EXECUTE on these a role reads or writes files of the server, those of the tables among them.
FILE_FUNCTIONS = ("pg_read_file", "pg_read_binary_file", "lo_import", "lo_export")

# What no migration gives, each with the name of a sentence in CURES:
# - functions and relations with the rights of their owner, in any schema that the role may use (a trigger's function
#   needs no EXECUTE; a foreign table is read as its user mapping says). What came with an extension is its own affair:
#   pg_stat_statements has such views.
# - changing the audit record, what row security does not look at, and copies of tables where no migration makes any;
# - making things in a schema of the search path: `public` comes first, so that a table or function there would take the
#   place of ours, for the owner as well;
# - a context that sessions begin with, which would show the rows of a workspace where none is in context.
EXCESSIVE_RIGHTS = """
    WITH me AS (SELECT unnest(%(roles)s::name[]) AS me),
         reached AS (
           SELECT oid, nspname, me
             FROM pg_namespace, me
            WHERE nspname = ANY(%(schemas)s)
               OR (nspname !~ '^pg_' AND nspname <> 'information_schema' AND has_schema_privilege(me, oid, 'USAGE'))),
         members AS (SELECT classid, objid FROM pg_depend WHERE deptype = 'e')
    SELECT me, 'borrowed', 'function ' || p.oid::regprocedure
      FROM pg_proc p JOIN reached ON reached.oid = p.pronamespace
     WHERE p.prosecdef
       AND (has_function_privilege(me, p.oid, 'EXECUTE') OR EXISTS (SELECT FROM pg_trigger WHERE tgfoid = p.oid))
       AND ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM members)
     UNION ALL
    SELECT me, 'borrowed', CASE relkind WHEN 'f' THEN 'foreign table ' ELSE 'view ' END || c.oid::regclass
      FROM pg_class c JOIN reached ON reached.oid = c.relnamespace
     WHERE relkind IN ('v', 'm', 'f')
       AND (has_any_column_privilege(me, c.oid, 'SELECT, INSERT, UPDATE') OR has_table_privilege(me, c.oid, 'DELETE'))
       AND NOT coalesce((SELECT option_value::boolean FROM pg_options_to_table(reloptions)
                          WHERE option_name = 'security_invoker'), false)
       AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM members)
     UNION ALL
    SELECT me, 'files', oid::regprocedure::text
      FROM pg_proc, me
     WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY(%(file_functions)s)
       AND has_function_privilege(me, oid, 'EXECUTE')
     UNION ALL
    SELECT me, 'tables', c.oid::regclass::text
      FROM pg_class c JOIN reached ON reached.oid = c.relnamespace
     WHERE relkind IN ('r', 'p') AND nspname = ANY(%(own_schemas)s)
       AND (has_table_privilege(me, c.oid, 'TRUNCATE, TRIGGER')
            OR (relname = ANY(%(append_only)s)
                AND (has_any_column_privilege(me, c.oid, 'UPDATE') OR has_table_privilege(me, c.oid, 'DELETE'))))
     UNION ALL
    SELECT me, 'copies', c.oid::regclass::text
      FROM pg_class c JOIN reached ON reached.oid = c.relnamespace
     WHERE relkind IN ('r', 'p') AND nspname <> ALL(%(schemas)s) AND has_any_column_privilege(me, c.oid, 'SELECT')
       AND EXISTS (SELECT FROM pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
     UNION ALL
    SELECT me, 'create', 'schema ' || nspname
      FROM pg_namespace, me
     WHERE nspname = ANY(%(schemas)s) AND has_schema_privilege(me, oid, 'CREATE')
     UNION ALL
    SELECT me, 'create', 'database ' || datname
      FROM pg_database, me
     WHERE datname = current_database() AND has_database_privilege(me, oid, 'CREATE')
     UNION ALL
    SELECT me, 'context', split_part(setting, '=', 1)
      FROM pg_db_role_setting
           JOIN me ON setrole = 0 OR setrole = (SELECT oid FROM pg_roles WHERE rolname = me),
           unnest(setconfig) AS setting
     WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
       AND setting ILIKE 'rls.%%'
     ORDER BY 1, 2, 3
"""
CURES = {
    "borrowed": "has the rights of another role through {things}. Make each SECURITY INVOKER (a view: WITH "
    "(security_invoker = true)), or revoke it from it and PUBLIC.",
    "files": "may read or write files of the server with {things}. Revoke EXECUTE from it and PUBLIC.",
    "tables": "may truncate, add triggers to or rewrite {things}. Revoke TRUNCATE and TRIGGER, and of the audit record "
    "UPDATE and DELETE.",
    "copies": "may read {things}, copies of our tables in a schema of others. Revoke SELECT from it and PUBLIC.",
    "create": "may make tables and functions of its own in {things}. Revoke CREATE from it and PUBLIC.",
    "context": "begins its sessions with {things} set. Take it away: ALTER ROLE (or DATABASE) … RESET.",
}


class UnsafeRoleError(RuntimeError):
    """The serving role could get around row security. The message says how, and what to do."""


def grant_serving_role(*, using: str) -> None:
    """Give the serving role what it needs: rows to read and write, our functions to call, nothing else."""
    if not settings.SERVING_ROLE:
        return
    role = sql.Identifier(settings.SERVING_ROLE)
    with connections[using].cursor() as cursor:
        for schema in _existing_schemas(cursor):
            for grant in GRANTS if schema in OWN_SCHEMAS else GRANTS[:-1]:
                cursor.execute(sql.SQL(grant).format(schema=sql.Identifier(schema), role=role))
        for schema, table in APPEND_ONLY_TABLES:
            revoke = sql.SQL("REVOKE UPDATE, DELETE ON {table} FROM {role}")
            cursor.execute(revoke.format(table=sql.Identifier(schema, table), role=role))
        for schema, table in READ_ONLY_TABLES:
            revoke = sql.SQL("REVOKE INSERT, UPDATE, DELETE ON {table} FROM {role}")
            cursor.execute(revoke.format(table=sql.Identifier(schema, table), role=role))
        cursor.execute(OWNED_DATABASE)
        for (database,) in cursor.fetchall():
            revoke = sql.SQL("REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {role}")
            cursor.execute(revoke.format(database=sql.Identifier(database), role=role))


def isolation_problem() -> str:
    """Say why row security would not keep the workspaces apart for the connected role; '' when it does."""
    return serving_role_problem() or policy_problem()


def refuse_unsafe_role(*, using: str) -> None:
    """Raise UnsafeRoleError when the role of DATABASE_URL could get around row security; asked by the owner."""
    if problem := serving_role_problem(using=using, role=settings.SERVING_ROLE):
        raise UnsafeRoleError(problem)


def serving_role_problem(*, using: str = "default", role: str = "") -> str:
    """Say why a role, by default the connected one, could get around row security; '' when it cannot.

    A role that does not exist cannot.
    """
    with connections[using].cursor() as cursor:
        cursor.execute(JUDGED_ROLES, {"role": role})
        asked = {
            "roles": [row[0] for row in cursor.fetchall()],
            "schemas": list(SCHEMAS),
            "own_schemas": list(OWN_SCHEMAS),
            "predefined": list(PREDEFINED),
            "append_only": [table for _, table in APPEND_ONLY_TABLES],
            "file_functions": list(FILE_FUNCTIONS),
        }
        cursor.execute(DANGEROUS_ROLES, asked)
        if dangerous := cursor.fetchone():
            return _danger(*dangerous)
        cursor.execute(EXCESSIVE_RIGHTS, asked)
        excessive = cursor.fetchall()
    if not excessive:
        return ""
    judged, fault, _ = excessive[0]
    things = ", ".join(thing for role, kind, thing in excessive if (role, kind) == (judged, fault))
    return f"The role '{judged}' of DATABASE_URL {CURES[fault].format(things=things)}"


def accepts_writes(*, using: str = "default") -> bool:
    """Whether a transaction of this connection may write: neither on a standby nor read-only by default."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'")
        return bool(cursor.fetchone()[0])


def _danger(me: str, role: str, danger: str) -> str:
    if role == me:
        return f"The role '{me}' of DATABASE_URL {danger}. Serve with a plain role (deploy/roles.sql)."
    return (
        f"The role '{me}' of DATABASE_URL is a member of '{role}', which {danger}. Take it away: "
        f'REVOKE "{role}" FROM "{me}".'
    )


def _existing_schemas(cursor: Any) -> list[str]:
    cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname = ANY(%s)", [list(SCHEMAS)])
    return [row[0] for row in cursor.fetchall()]
