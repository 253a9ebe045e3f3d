"""The two database roles: what the serving role is granted, and proof that row security binds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import connections
from psycopg import sql

OWN_SCHEMAS = tuple(sorted(set(settings.APP_SCHEMAS.values())))
SCHEMAS = ("public", *OWN_SCHEMAS)
# The last one for our own schemas only: functions in `public` came with extensions and are not the owner's to give.
GRANTS = (
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
    "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role}",
)
APPEND_ONLY_TABLES = (("org", "audit_events"),)

# Tables of our schemas with a workspace column (org.workspaces is its own workspace), and what protects each of them.
# Permissive policies add up: one that does not read the row-security context would open what the others close.
# Where a policy has no WITH CHECK, PostgreSQL checks writes with its USING.
TENANT_TABLES = """
    SELECT n.nspname, c.relname, c.relrowsecurity, c.relforcerowsecurity,
           coalesce(policies.filter_reads, false), coalesce(policies.check_writes, false)
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN LATERAL (
           SELECT bool_or(p.polcmd IN ('*', 'r') AND strpos(e.qual, 'rls.tenant_id') > 0)
                      AND bool_and(strpos(e.qual, 'rls.') > 0) AS filter_reads,
                  bool_or(p.polcmd IN ('*', 'a') AND strpos(coalesce(e.checked, e.qual), 'rls.tenant_id') > 0)
                      AND bool_and(strpos(coalesce(e.checked, e.qual), 'rls.') > 0) AS check_writes
             FROM pg_policy p,
                  LATERAL (SELECT pg_get_expr(p.polqual, p.polrelid) AS qual,
                                  pg_get_expr(p.polwithcheck, p.polrelid) AS checked) e
            WHERE p.polrelid = c.oid) policies ON true
     WHERE n.nspname = ANY(%s) AND c.relkind IN ('r', 'p')
       AND (c.relname = 'workspaces'
            OR EXISTS (SELECT FROM pg_attribute a
                        WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped))
     ORDER BY 1, 2
"""

OWNED_TABLES = """
    SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY(%s) AND c.relkind IN ('r', 'p') AND pg_has_role(current_user, c.relowner, 'MEMBER')
"""


@dataclass(frozen=True, slots=True)
class TenantTable:
    """A table with a workspace column and the state of its row security."""

    schema: str
    name: str
    is_enabled: bool
    is_forced: bool
    filters_reads: bool
    checks_writes: bool

    @property
    def is_protected(self) -> bool:
        return self.is_enabled and self.is_forced and self.filters_reads and self.checks_writes


class UnprotectedTableError(RuntimeError):
    """A tenant table has no forced policy. The message names it."""


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


def tenant_tables(*, using: str = "default") -> list[TenantTable]:
    """Every table with a workspace column, as the database describes it now."""
    with connections[using].cursor() as cursor:
        cursor.execute(TENANT_TABLES, [list(SCHEMAS)])
        return [TenantTable(*row) for row in cursor.fetchall()]


def refuse_unprotected_tables(*, using: str) -> None:
    """Raise UnprotectedTableError when a tenant table lacks a forced policy for reading and writing."""
    bare = [f"{table.schema}.{table.name}" for table in tenant_tables(using=using) if not table.is_protected]
    if bare:
        raise UnprotectedTableError(
            f"No forced row-security policy on {', '.join(bare)}. Add ForceRowSecurity to its migration."
        )


def serving_role_problem(*, using: str = "default") -> str:
    """Why the connected role could get around row security; '' when it cannot."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT rolname, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user")
        name, is_superuser, bypasses = cursor.fetchone()
        cursor.execute(OWNED_TABLES, [list(SCHEMAS)])
        owned = cursor.fetchone()[0]
    if is_superuser or bypasses:
        return (
            f"The role '{name}' of DATABASE_URL is a superuser or has BYPASSRLS. Use a plain role (deploy/roles.sql)."
        )
    if owned:
        return f"The role '{name}' of DATABASE_URL owns tables. Serve with another role, and migrate as the owner."
    return ""


def _existing_schemas(cursor: Any) -> list[str]:
    cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname = ANY(%s)", [list(SCHEMAS)])
    return [row[0] for row in cursor.fetchall()]
