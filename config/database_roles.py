"""The two database roles: what the serving role is granted, and proof that row security binds it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connections
from psycopg import sql

from config.database_role_memberships import JUDGED_ROLES, membership_problem
from config.database_role_privileges import READ_ONLY_TABLES, UNCHANGEABLE_TABLES, known_tables, privilege_problem
from config.row_security_policies import OWN_SCHEMAS, SCHEMAS, policy_problem

# The last one for our own schemas only: functions in `public` came with extensions and are not the owner's to give.
GRANTS = (
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role}",
)
# The tables that migrations make, and not what else was put next to them.
TABLE_GRANT = "GRANT SELECT, INSERT, UPDATE, DELETE ON {tables} TO {role}"
# PUBLIC has it in every new database. Only the owner of the database can take it away.
OWNED_DATABASE = """
    SELECT datname FROM pg_database
     WHERE datname = current_database() AND pg_has_role(current_user, datdba, 'USAGE')
"""


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
        if tables := _existing_tables(cursor):
            cursor.execute(sql.SQL(TABLE_GRANT).format(tables=sql.SQL(", ").join(tables), role=role))
        for schema, table in UNCHANGEABLE_TABLES:
            revoke = sql.SQL("REVOKE UPDATE ON {table} FROM {role}")
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
        }
        return membership_problem(cursor, asked) or privilege_problem(cursor, asked)


def accepts_writes(*, using: str = "default") -> bool:
    """Return whether a transaction of this connection may write: neither on a standby nor read-only by default."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'")
        return bool(cursor.fetchone()[0])


def _existing_schemas(cursor: Any) -> list[str]:
    cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname = ANY(%s)", [list(SCHEMAS)])
    return [row[0] for row in cursor.fetchall()]


def _existing_tables(cursor: Any) -> list[sql.Identifier]:
    cursor.execute(
        "SELECT schemaname, tablename FROM pg_tables WHERE schemaname || '.' || tablename = ANY(%s) ORDER BY 1, 2",
        [sorted(known_tables())],
    )
    return [sql.Identifier(schema, table) for schema, table in cursor.fetchall()]
