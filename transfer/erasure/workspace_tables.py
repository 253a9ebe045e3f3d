"""Every table with rows of workspaces, in the order in which they are deleted, and the layer that each belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.db import connection
from psycopg import sql

from workspaces.access.table_order import order_children_first
from workspaces.access.tenancy import TenantModel
from workspaces.models import Lease, Workspace

# What an app keeps, in the words of receipts; an app that is not named here is called by its own name.
LAYERS: Mapping[str, str] = {"workspaces": "access", "llm": "models", "transfer": "imports"}
# Counts of other stores, by the name of its count.
GRAPH_NODES, REDIS_KEYS, QUEUED_TASKS = "graph_nodes", "redis_keys", "queued_tasks"
STORES: Mapping[str, str] = {GRAPH_NODES: "graph", REDIS_KEYS: "redis", QUEUED_TASKS: "queue"}
# The catalog knows every table with a workspace column, also one that no model of ours describes.
WITH_WORKSPACE = """
    SELECT n.nspname, c.relname
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname = ANY(%s)
     ORDER BY 1, 2
"""


@dataclass(frozen=True, slots=True)
class WorkspaceTable:
    """A table with rows of workspaces."""

    model: type[TenantModel]

    @property
    def name(self) -> str:
        return str(self.model._meta.db_table)

    def count(self, workspace_id: UUID) -> int:
        """Return the number of its rows, in the open scope."""
        return int(self.model._base_manager.filter(workspace_id=workspace_id).count())

    def delete_some(self, workspace_id: UUID, *, most: int) -> int:
        """Delete rows by their keys, whose index begins with the workspace; return their number.

        The ORM would first read everything that may hang on them, and that is gone.
        """
        statement = sql.SQL(
            "DELETE FROM {table} WHERE workspace_id = %(workspace)s AND {key} = ANY (ARRAY("
            "SELECT {key} FROM {table} WHERE workspace_id = %(workspace)s ORDER BY {key} LIMIT %(most)s))"
        ).format(table=sql.Identifier(self.name), key=sql.Identifier(str(self.model._meta.pk.column)))
        with connection.cursor() as cursor:
            cursor.execute(statement, {"workspace": workspace_id, "most": most})
            return int(cursor.rowcount)


@cache
def list_workspace_tables() -> tuple[WorkspaceTable, ...]:
    """Return the table of each model of a row of a workspace, each before those that its rows hang on.

    Leases come last: one of them keeps the relay from the graph until all else is gone.
    """
    models = {model for model in apps.get_models() if issubclass(model, TenantModel)}
    ordered = [WorkspaceTable(model) for model in order_children_first(models) if model is not Lease]
    return (*ordered, WorkspaceTable(Lease))


def list_filled_tables(workspace_id: UUID) -> list[WorkspaceTable]:
    """Return those tables that have rows of the workspace, in the same order: one statement instead of one for each.

    For an open scope of the workspace that shows every space.
    """
    has_rows = sql.SQL(" UNION ALL ").join(
        sql.SQL("SELECT {name} WHERE EXISTS (SELECT FROM {table} WHERE workspace_id = %(workspace)s)").format(
            name=sql.Literal(table.name), table=sql.Identifier(table.name)
        )
        for table in list_workspace_tables()
    )
    with connection.cursor() as cursor:
        cursor.execute(has_rows, {"workspace": workspace_id})
        filled = {row[0] for row in cursor.fetchall()}
    return [table for table in list_workspace_tables() if table.name in filled]


@cache
def find_layer(name: str) -> str:
    """Return the layer that a count is of, by the name of its table or store."""
    if name in STORES:
        return STORES[name]
    labels = {str(model._meta.db_table): model._meta.app_label for model in apps.get_models()}
    label = labels.get(name, "other")
    return LAYERS.get(label, label)


def sum_layers(rows: Mapping[str, int]) -> dict[str, int]:
    """Return counts by layer, of counts by table and store."""
    layers: dict[str, int] = {}
    for name, number in rows.items():
        layers[find_layer(name)] = layers.get(find_layer(name), 0) + number
    return dict(sorted(layers.items()))


def count_left_rows(workspace_id: UUID) -> dict[str, int]:
    """Return the rows that are left of a workspace, by table of the catalog, and that of the workspace itself.

    For an open scope of the workspace that shows every space.
    """
    schemas = sorted({"public", *settings.APP_SCHEMAS.values()})
    with connection.cursor() as cursor:
        cursor.execute(WITH_WORKSPACE, [schemas])
        left = {}
        for schema, name in cursor.fetchall():
            statement = sql.SQL("SELECT count(*) FROM {} WHERE workspace_id = %s")
            cursor.execute(statement.format(sql.Identifier(schema, name)), [workspace_id])
            left[name] = int((cursor.fetchone() or (0,))[0])
    return {**left, "workspaces": Workspace.objects.filter(id=workspace_id).count()}


def delete_workspace_row(workspace_id: UUID) -> int:
    """Delete the workspace itself, in the open scope; return the number of rows, 0 or 1.

    Raises IntegrityError where a row of it is left in any table: every one of them refers to it.
    """
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM workspaces WHERE id = %s", [workspace_id])
        deleted = cursor.rowcount
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else only the commit would tell
    return int(deleted)
