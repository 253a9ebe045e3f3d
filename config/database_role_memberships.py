"""What the serving role must not be or become: attributes of roles, owners, and roles that PostgreSQL has made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# A session that began as another role can go back to it, so both are asked about.
JUDGED_ROLES = """
    SELECT rolname FROM pg_roles
     WHERE rolname = %(role)s OR (%(role)s = '' AND rolname IN (current_user, session_user))
"""

# What each role that the serving role is, or is a member of, could do. MEMBER, and not SET: a member with
# ADMIN gives itself SET, and one with INHERIT needs none.
#
# No role of PostgreSQL's own is needed for serving, and each new version may bring another: none is let be. Only the
# owner of the database, who is asked about already, is a member of pg_database_owner.
#
# `owned_kinds` are in no schema; pg_shdepend has the owners of everything.
DANGEROUS_ROLES = """
    WITH owners AS (
           SELECT c.relowner AS oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = ANY(%(schemas)s) AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
            UNION SELECT nspowner FROM pg_namespace WHERE nspname = ANY(%(schemas)s)
            UNION SELECT p.proowner FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                   WHERE n.nspname = ANY(%(own_schemas)s)
            UNION SELECT datdba FROM pg_database WHERE datname = current_database()),
         makers AS (
           SELECT refobjid AS oid
             FROM pg_shdepend
            WHERE refclassid = 'pg_authid'::regclass AND deptype = 'o'
              AND dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
              AND classid = ANY(%(owned_kinds)s::regclass[]))
    SELECT me, r.rolname, r.danger
      FROM unnest(%(roles)s::name[]) AS me,
           LATERAL (SELECT oid, rolname,
                           CASE WHEN rolsuper OR rolbypassrls THEN 'is a superuser or has BYPASSRLS'
                                WHEN rolreplication THEN 'has REPLICATION'
                                WHEN oid IN (SELECT oid FROM owners)
                                THEN 'owns tables, schemas or functions of this database'
                                WHEN rolcreaterole THEN 'has CREATEROLE'
                                WHEN rolcreatedb THEN 'has CREATEDB'
                                WHEN oid IN (SELECT oid FROM makers)
                                THEN 'owns an extension, a foreign server or something else of the whole database'
                                WHEN rolname ~ '^pg_' THEN 'is a role of PostgreSQL with rights beyond its grants'
                           END AS danger
                      FROM pg_roles) r
     WHERE r.danger IS NOT NULL AND r.rolname <> 'pg_database_owner' AND pg_has_role(me, r.oid, 'MEMBER')
     ORDER BY me, r.rolname <> me, r.rolname
     LIMIT 1
"""
OWNED_KINDS = (
    "pg_extension",
    "pg_foreign_server",
    "pg_foreign_data_wrapper",
    "pg_subscription",
    "pg_publication",
    "pg_event_trigger",
    "pg_language",
    "pg_tablespace",
)


def membership_problem(cursor: Any, asked: Mapping[str, Any]) -> str:
    """Say which role a judged one is or may become that could get around row security; '' for none."""
    cursor.execute(DANGEROUS_ROLES, {**asked, "owned_kinds": list(OWNED_KINDS)})
    found = cursor.fetchone()
    if not found:
        return ""
    me, role, danger = found
    if role == me:
        return f"The role '{me}' of DATABASE_URL {danger}. Serve with a plain role (deploy/roles.sql)."
    return (
        f"The role '{me}' of DATABASE_URL is a member of '{role}', which {danger}. Take it away: "
        f'REVOKE "{role}" FROM "{me}".'
    )
