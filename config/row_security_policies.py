"""Row-security policies: the set that the migrations create, compared with the set that the database holds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connections
from django.db.migrations import CreateModel

from core.db.pending_migrations import disk_migrations
from core.db.table_schema import table_schema
from core.migrations import AddPolicies, Policy

OWN_SCHEMAS = tuple(sorted(set(settings.APP_SCHEMAS.values())))
SCHEMAS = ("public", *OWN_SCHEMAS)

# Tables of our schemas with a workspace column (org.workspaces is its own workspace), one row for each policy.
# `p.polroles = '{0}'` is TO PUBLIC: a policy for some roles only would leave the others without it.
TENANT_TABLES = """
    SELECT n.nspname, c.relname, c.relrowsecurity, c.relforcerowsecurity,
           p.polname, p.polcmd::text, p.polpermissive AND p.polroles = '{0}',
           pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_policy p ON p.polrelid = c.oid
     WHERE n.nspname = ANY(%s) AND c.relkind IN ('r', 'p')
       AND (c.relname = 'workspaces'
            OR EXISTS (SELECT FROM pg_attribute a
                        WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped))
     ORDER BY 1, 2, 5
"""
COMMANDS = {"*": "ALL", "r": "SELECT", "a": "INSERT", "w": "UPDATE", "d": "DELETE"}
TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|[A-Za-z_][\w$.]*|::|\S")

# Command, canonical USING, canonical WITH CHECK; None for a policy that is restrictive or not for all roles.
Rule = tuple[str, str, str] | None
Table = tuple[str, str]


@dataclass(frozen=True, slots=True)
class TenantTable:
    """A table with a workspace column; `problems` says how its row security differs from what the migrations make."""

    schema: str
    name: str
    problems: tuple[str, ...]

    @property
    def is_protected(self) -> bool:
        return not self.problems


class UnprotectedTableError(RuntimeError):
    """The row security of a tenant table is not the one that its migrations make. The message names both."""


def refuse_unprotected_tables(*, using: str) -> None:
    """Raise UnprotectedTableError when the row security of a tenant table is not what its migrations make."""
    if problem := policy_problem(using=using):
        raise UnprotectedTableError(
            f"{problem} Add ForceRowSecurity or AddPolicies to a migration, or undo the change."
        )


def policy_problem(*, using: str = "default") -> str:
    """Return a sentence that names each tenant table whose row security is not what its migrations make; '' for
    none."""
    found = [
        f"{table.schema}.{table.name} ({', '.join(table.problems)})"
        for table in tenant_tables(using=using)
        if not table.is_protected
    ]
    return f"Row security is not as the migrations make it on {'; '.join(found)}." if found else ""


def tenant_tables(*, using: str = "default") -> list[TenantTable]:
    """Return every table with a workspace column, as the database describes it now."""
    with connections[using].cursor() as cursor:
        applied = _applied_migrations(cursor)
        cursor.execute(TENANT_TABLES, [list(SCHEMAS)])
        rows = cursor.fetchall()
    expected = _expected_rules(frozenset(applied & migration_policies().keys()))
    # While a newer version is being rolled out, this code meets tables and policies that it cannot know.
    is_newer = any(app in settings.APP_SCHEMAS for app, _ in applied - disk_migrations().keys())
    flags: dict[Table, list[str]] = {}
    rules: dict[Table, dict[str, Rule]] = defaultdict(dict)
    for schema, name, is_enabled, is_forced, policy, command, is_for_all, reads, writes in rows:
        flags[schema, name] = [] if is_enabled and is_forced else ["row security is not forced"]
        if policy is not None:
            rules[schema, name][policy] = _rule(COMMANDS[command], reads, writes) if is_for_all else None
    return [
        TenantTable(*table, (*problems, *_differences(expected.get(table, {}), rules[table], tolerates_added=is_newer)))
        for table, problems in flags.items()
    ]


def has_newer_migrations(cursor: Any) -> bool:
    """Return whether the database has migrations that this code lacks, and with them tables that it cannot know."""
    known = disk_migrations()
    labels = {app for app, _ in known}
    return any(app in labels for app, _ in _applied_migrations(cursor) - known.keys())


@cache
def migration_policies() -> dict[tuple[str, str], list[AddPolicies]]:
    """Return the operations that create policies, by app and name of their migration, in the order of names."""
    found = disk_migrations()
    policies = {
        key: [each for each in found[key].operations if isinstance(each, AddPolicies)]
        for key in sorted(found)
        if key[0] in settings.APP_SCHEMAS
    }
    return {key: operations for key, operations in policies.items() if operations}


def _applied_migrations(cursor: Any) -> set[tuple[str, str]]:
    """Return the migrations that the database has; Django's recorder would first list all tables."""
    cursor.execute("SELECT to_regclass('django_migrations') IS NOT NULL")
    if not cursor.fetchone()[0]:
        return set()
    cursor.execute("SELECT app, name FROM django_migrations")
    return set(cursor.fetchall())


@cache
def _expected_rules(applied: frozenset[tuple[str, str]]) -> dict[Table, dict[str, Rule]]:
    """Return the policies that these migrations have made, by table and name."""
    expected: dict[Table, dict[str, Rule]] = defaultdict(dict)
    for key, operations in migration_policies().items():
        for operation in operations if key in applied else ():
            app = operation.of_app or key[0]
            name = _table_name(app, operation.model_name.lower())
            table = (table_schema(app, name), name)
            for replaced in operation.replaced:
                expected[table].pop(replaced, None)
            expected[table] |= {policy.name: _policy_rule(policy) for policy in operation.policies}
    return expected


def _table_name(app: str, model_name: str) -> str:
    """Return the table of a model, also of one that a later migration deletes: who goes back has it again."""
    if model := apps.all_models[app].get(model_name):
        return model._meta.db_table
    made = (each for (owner, _), each in disk_migrations().items() if owner == app)
    creations = (each for migration in made for each in migration.operations if isinstance(each, CreateModel))
    return next(str(each.options["db_table"]) for each in creations if each.name_lower == model_name)


def _policy_rule(policy: Policy) -> Rule:
    reads = None if policy.operation == "INSERT" else policy.expression
    writes = policy.expression if policy.operation in {"ALL", "INSERT", "UPDATE"} else None
    return _rule(policy.operation, reads, writes)


def _rule(command: str, reads: str | None, writes: str | None) -> Rule:
    # Without a WITH CHECK, PostgreSQL checks what ALL and UPDATE write with their USING.
    if writes is None and command in {"ALL", "UPDATE"}:
        writes = reads
    return command, canonical(reads or ""), canonical(writes or "")


@lru_cache(maxsize=1_000)
def canonical(expression: str) -> str:
    """Return the words of a policy's expression without what PostgreSQL adds when it prints one.

    That is: parentheses, casts to text, names of columns without a name, and the table before a column of a subquery.
    The words of our expressions make sense in one grouping only, so nothing is lost with the parentheses. A table or
    function outside of the search path is printed with its schema, and so is another word.
    """
    words = [word for word in TOKEN.findall(expression) if word not in {"(", ")"}]
    tables = {after for word, after in pairwise(words) if word == "FROM"}
    return " ".join(_without_additions(words, tables))


def _without_additions(words: list[str], tables: set[str]) -> Iterator[str]:
    pairs = pairwise([*words, ""])
    for word, after in pairs:
        if (word, after) in {("::", "text"), ("AS", '"nullif"')}:
            next(pairs)
            continue
        table, dot, column = word.partition(".")
        yield column if dot and table in tables else word


def _differences(expected: Mapping[str, Rule], found: Mapping[str, Any], *, tolerates_added: bool) -> Iterator[str]:
    """Yield how the policies of one table differ from those that its migrations make."""
    if not found:
        yield "no policy"
        return
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            yield f"policy '{name}' is missing"
        elif name not in expected and not tolerates_added:
            yield f"policy '{name}' was added"
        elif name in expected and expected[name] != found[name]:
            yield f"policy '{name}' was altered"
