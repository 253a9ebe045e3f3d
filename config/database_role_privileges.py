"""What no migration gives to the serving role: rights on tables, functions and the server, by itself or as a member."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.apps import apps
from django.db.migrations import CreateModel

from config.row_security_policies import has_newer_migrations
from core.db.pending_migrations import disk_migrations
from core.db.table_schema import table_schema

# What is recorded is never changed. It goes with its workspace alone: a policy shows the rows to a DELETE once the
# workspace is deleted.
UNCHANGEABLE_TABLES = (("org", "audit_events"), ("org", "operator_events"))
# What the owner writes when it migrates, and a web process or worker only reads.
READ_ONLY_TABLES = (("public", "django_migrations"),)

# `reach`: each judged role with those that it is a member of, whose rights it inherits or takes with SET ROLE.
# `grantee`: the same, as lists of rights name them; 0 is PUBLIC.
# `initial`: what PostgreSQL and extensions granted when they made an object; without an entry, the default.
# A list of rights is NULL until something is granted, so that few of the system's are looked at.
FOUNDATION = """
    WITH reach AS MATERIALIZED (
           SELECT me, oid AS role
             FROM unnest(%(roles)s::name[]) AS me JOIN pg_roles ON pg_has_role(me, oid, 'MEMBER')
            WHERE rolname <> 'pg_database_owner'),
         grantee AS MATERIALIZED (SELECT me, role FROM reach UNION SELECT me, 0 FROM reach),
         reached AS MATERIALIZED (
           SELECT DISTINCT n.oid, nspname, me
             FROM pg_namespace n, reach
            WHERE nspname = ANY(%(schemas)s)
               OR (nspname !~ '^pg_' AND nspname <> 'information_schema'
                   AND has_schema_privilege(role, n.oid, 'USAGE'))),
         members AS MATERIALIZED (SELECT classid, objid FROM pg_depend WHERE deptype = 'e'),
         initial AS MATERIALIZED (
           SELECT classoid, objoid, objsubid, a.grantee, a.privilege_type FROM pg_init_privs, aclexplode(initprivs) a),
         granted AS MATERIALIZED (
           SELECT me, c.oid, nspname, relname, relkind, 0 AS subid, privilege_type, is_grantable, role
             FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace,
                  aclexplode(relacl) a JOIN grantee ON role = a.grantee
            WHERE relkind IN ('r', 'p', 'S', 'v', 'm', 'f', 't')
              AND (nspname = ANY(%(schemas)s) OR nspname = ANY(%(system)s))
            UNION ALL
           SELECT me, c.oid, nspname, relname, relkind, attnum, privilege_type, is_grantable, role
             FROM pg_attribute t JOIN pg_class c ON c.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace,
                  aclexplode(attacl) a JOIN grantee ON role = a.grantee
            WHERE attacl IS NOT NULL AND (nspname = ANY(%(schemas)s) OR nspname = ANY(%(system)s)))
"""

# The name of a sentence in CURES, and the statement that yields the roles with it and things to name:
RIGHTS = (
    # Functions and relations with the rights of their owner, in any schema that the role may use (the function of a
    # trigger needs no EXECUTE; a foreign table is read as its user mapping says; a rule acts as the table's owner).
    # What came with an extension is its own affair: pg_stat_statements has such views.
    (
        "borrowed",
        """
    SELECT me, 'function ' || p.oid::regprocedure
      FROM pg_proc p JOIN reached ON reached.oid = p.pronamespace JOIN reach USING (me)
     WHERE p.prosecdef
       AND (has_function_privilege(role, p.oid, 'EXECUTE')
            OR EXISTS (SELECT FROM pg_trigger WHERE tgfoid = p.oid)
            OR EXISTS (SELECT FROM pg_event_trigger WHERE evtfoid = p.oid))
       AND ('pg_proc'::regclass, p.oid) NOT IN (SELECT classid, objid FROM members)
     UNION ALL
    SELECT me, CASE relkind WHEN 'f' THEN 'foreign table ' ELSE 'view ' END || c.oid::regclass
      FROM pg_class c JOIN reached ON reached.oid = c.relnamespace JOIN reach USING (me)
     WHERE relkind IN ('v', 'm', 'f')
       AND (has_any_column_privilege(role, c.oid, 'SELECT, INSERT, UPDATE')
            OR has_table_privilege(role, c.oid, 'DELETE'))
       AND NOT coalesce((SELECT option_value::boolean FROM pg_options_to_table(reloptions)
                          WHERE option_name = 'security_invoker'), false)
       AND ('pg_class'::regclass, c.oid) NOT IN (SELECT classid, objid FROM members)
     UNION ALL
    SELECT me, 'rule ' || rulename || ' of ' || ev_class::regclass
      FROM pg_rewrite JOIN pg_class c ON c.oid = ev_class JOIN reached ON reached.oid = c.relnamespace
     WHERE relkind IN ('r', 'p') AND nspname = ANY(%(schemas)s)
""",
    ),
    # What PostgreSQL keeps to superusers: samples of all rows in pg_statistic, toasted values, files of the server.
    (
        "system",
        """
    SELECT me, 'function ' || p.oid::regprocedure
      FROM (SELECT DISTINCT objoid FROM initial WHERE classoid = 'pg_proc'::regclass) i
           JOIN pg_proc p ON p.oid = i.objoid, aclexplode(proacl) a JOIN grantee ON role = a.grantee
     WHERE NOT EXISTS (SELECT FROM initial
                        WHERE classoid = 'pg_proc'::regclass AND objoid = p.oid AND initial.grantee IN (0, role))
     UNION ALL
    SELECT me, g.oid::regclass::text
      FROM granted g
     WHERE nspname = ANY(%(system)s)
       AND NOT EXISTS (SELECT FROM initial i
                        WHERE classoid = 'pg_class'::regclass AND objoid = g.oid AND objsubid IN (0, g.subid)
                          AND i.grantee IN (0, role) AND i.privilege_type = g.privilege_type)
""",
    ),
    (
        "foreign",
        """
    SELECT me, 'server ' || srvname
      FROM pg_foreign_server s JOIN reach ON has_server_privilege(role, s.oid, 'USAGE')
     UNION ALL
    SELECT me, 'foreign data wrapper ' || fdwname
      FROM pg_foreign_data_wrapper f JOIN reach ON has_foreign_data_wrapper_privilege(role, f.oid, 'USAGE')
""",
    ),
    # Such as session_replication_role, which turns triggers and foreign keys off.
    (
        "parameters",
        "SELECT me, parname FROM pg_parameter_acl, aclexplode(paracl) a JOIN grantee ON role = a.grantee",
    ),
    # Changing the audit record, what row security does not look at, and giving rights away.
    (
        "tables",
        """
    SELECT me, g.oid::regclass::text
      FROM granted g
     WHERE nspname = ANY(%(schemas)s)
       AND (is_grantable
            OR privilege_type <> ALL(CASE WHEN relkind = 'S' THEN ARRAY['USAGE', 'SELECT']
                                          WHEN nspname || '.' || relname = ANY(%(read_only)s) THEN ARRAY['SELECT']
                                          WHEN nspname || '.' || relname = ANY(%(unchangeable)s)
                                          THEN ARRAY['SELECT', 'INSERT', 'DELETE']
                                          ELSE ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'] END))
       AND ('pg_class'::regclass, g.oid) NOT IN (SELECT classid, objid FROM members)
""",
    ),
    (
        "unknown",
        """
    SELECT me, nspname || '.' || relname
      FROM granted g
     WHERE nspname = ANY(%(schemas)s) AND relkind IN ('r', 'p') AND nspname || '.' || relname <> ALL(%(tables)s)
       AND ('pg_class'::regclass, g.oid) NOT IN (SELECT classid, objid FROM members)
""",
    ),
    # Reading a parent reads the rows of its children, under the parent's policies only.
    (
        "copies",
        """
    SELECT me, c.oid::regclass::text
      FROM pg_class c JOIN reached ON reached.oid = c.relnamespace JOIN reach USING (me)
     WHERE relkind IN ('r', 'p') AND nspname <> ALL(%(schemas)s) AND has_any_column_privilege(role, c.oid, 'SELECT')
       AND (EXISTS (SELECT FROM pg_attribute a
                     WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
            OR EXISTS (SELECT FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
                               JOIN pg_namespace n ON n.oid = child.relnamespace
                        WHERE inhparent = c.oid AND n.nspname = ANY(%(schemas)s)))
""",
    ),
    # Making things in a schema of the search path: `public` comes first, so that a table or function there would take
    # the place of ours, for the owner as well.
    (
        "create",
        """
    SELECT me, 'schema ' || nspname
      FROM pg_namespace n JOIN reach ON has_schema_privilege(role, n.oid, 'CREATE')
     WHERE nspname = ANY(%(schemas)s) OR nspname = ANY(current_schemas(false))
     UNION ALL
    SELECT me, 'database ' || datname
      FROM pg_database d JOIN reach ON has_database_privilege(role, d.oid, 'CREATE')
     WHERE datname = current_database()
     UNION ALL
    SELECT me, 'tablespace ' || spcname
      FROM pg_tablespace s JOIN reach ON has_tablespace_privilege(role, s.oid, 'CREATE')
""",
    ),
    # A context that sessions begin with would show the rows of a workspace where none is in context.
    (
        "context",
        """
    SELECT me, split_part(setting, '=', 1)
      FROM pg_db_role_setting
           JOIN (SELECT DISTINCT me FROM reach) judged
             ON setrole = 0 OR setrole = (SELECT oid FROM pg_roles WHERE rolname = me),
           unnest(setconfig) AS setting
     WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
       AND (setting ILIKE 'rls.%%' OR setting ILIKE 'session_replication_role=%%')
""",
    ),
)
NAMED = "SELECT me, '{fault}', thing FROM ({query}) AS found (me, thing)"
EXCESSIVE_RIGHTS = "{foundation} {rights} ORDER BY 1, 2, 3".format(
    foundation=FOUNDATION, rights=" UNION ALL ".join(NAMED.format(fault=fault, query=query) for fault, query in RIGHTS)
)

HOLDERS = "it, the roles that it is a member of, and PUBLIC"
CURES = {
    "borrowed": "has the rights of another role through {things}. Make each SECURITY INVOKER (a view: WITH "
    "(security_invoker = true)), drop it, or revoke it from {holders}.",
    "system": "has rights on {things} that PostgreSQL keeps to others. Revoke them from {holders}.",
    "foreign": "may use {things}. Revoke USAGE from {holders}.",
    "parameters": "may change {things}. Revoke SET and ALTER SYSTEM ON PARAMETER from {holders}.",
    "tables": "may do with {things} what no migration lets it: truncate, reference, maintain, add triggers, rewrite or "
    "grant. Revoke all rights on it from {holders}, then run manage.py migrate, which grants what is needed.",
    "unknown": "may use {things}, which no migration made. Revoke all rights on it from {holders}, or drop it.",
    "copies": "may read {things}, copies or parents of our tables in a schema of others. Revoke SELECT from {holders}.",
    "create": "may make tables and functions of its own in {things}. Revoke CREATE from {holders}.",
    "context": "begins its sessions with {things} set. Take it away: ALTER ROLE (or DATABASE) … RESET.",
}


def privilege_problem(cursor: Any, asked: Mapping[str, Any]) -> str:
    """Say which rights of a judged role no migration gives; '' for none."""
    cursor.execute(
        EXCESSIVE_RIGHTS,
        {
            **asked,
            "system": ["pg_catalog", "pg_toast"],
            "tables": sorted(known_tables()),
            "unchangeable": [f"{schema}.{table}" for schema, table in UNCHANGEABLE_TABLES],
            "read_only": [f"{schema}.{table}" for schema, table in READ_ONLY_TABLES],
        },
    )
    excessive = list(dict.fromkeys(cursor.fetchall()))
    if any(fault == "unknown" for _, fault, _ in excessive) and has_newer_migrations(cursor):
        excessive = [each for each in excessive if each[1] != "unknown"]
    if not excessive:
        return ""
    judged, fault, _ = excessive[0]
    things = ", ".join(thing for role, kind, thing in excessive if (role, kind) == (judged, fault))
    return f"The role '{judged}' of DATABASE_URL {CURES[fault].format(things=things, holders=HOLDERS)}"


@cache
def known_tables() -> frozenset[str]:
    """Return the tables that this code's migrations make, also those that a later one deletes, with their schemas."""
    models = apps.get_models(include_auto_created=True)
    made = {(model._meta.app_label, model._meta.db_table) for model in models if model._meta.managed}
    for (app, _), migration in disk_migrations().items():
        creations = (each for each in migration.operations if isinstance(each, CreateModel))
        made |= {(app, str(each.options["db_table"])) for each in creations if "db_table" in each.options}
    return frozenset({"public.django_migrations", *(f"{table_schema(app, table)}.{table}" for app, table in made)})
