"""Migration operations for keys that begin with their workspace, for indexes and for unique constraints.

All of them keep a table of a million rows readable and writable: indexes are built next to the old ones, and
constraints validated afterwards. So their migrations are not atomic, and each operation may be run again after it was
stopped half way.
"""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Index, UniqueConstraint

from core.db.schema_changes import change_table


def state_table(state: ProjectState, app_label: str, model_name: str) -> str:
    """Return the name of a table without rendering the models of the state, which takes a second each time."""
    return str(state.models[app_label, model_name.lower()].options["db_table"])


def state_column(state: ProjectState, app_label: str, model_name: str, field_name: str) -> str:
    """Return the name of a field's column."""
    field = state.models[app_label, model_name.lower()].fields[field_name]
    return f"{field_name}_id" if field.is_relation else field_name


class KeyInWorkspace(Operation):
    """Begin the primary key of a table with its workspace: (workspace_id, id). Django goes on to know `id` as the key.

    References of any app to the old key are dropped, as are those to a unique constraint on the same columns, which the
    new key replaces: `ReferenceInWorkspace` makes them again.
    """

    reversible = False

    def __init__(self, model_name: str, *, replaces: str = "") -> None:
        self.model_name = model_name
        self.replaces = replaces

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Forget the unique constraint that the key replaces."""
        options = state.models[app_label, self.model_name.lower()].options
        options["constraints"] = [each for each in options.get("constraints", ()) if each.name != self.replaces]

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        table, quote = state_table(to_state, app_label, self.model_name), schema_editor.connection.ops.quote_name
        fields = to_state.models[app_label, self.model_name.lower()].fields
        primary = next(name for name, field in fields.items() if getattr(field, "primary_key", False))
        column = state_column(to_state, app_label, self.model_name, primary)
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_get_constraintdef(oid), conname FROM pg_constraint "
                "WHERE conrelid = %s::regclass AND contype = 'p'",
                [table],
            )
            definition, key = cursor.fetchone()
        if definition == f"PRIMARY KEY (workspace_id, {column})":
            return
        index = quote(f"{table}_new_key")
        change_table(schema_editor, f"DROP INDEX IF EXISTS {index}")  # an unfinished one of a run that was stopped
        columns = f"(workspace_id, {quote(column)})"
        schema_editor.execute(f"CREATE UNIQUE INDEX CONCURRENTLY {index} ON {quote(table)} {columns}")
        replaced = f"DROP CONSTRAINT IF EXISTS {quote(self.replaces)} CASCADE, " if self.replaces else ""
        change_table(
            schema_editor,
            f"ALTER TABLE {quote(table)} {replaced}DROP CONSTRAINT {quote(key)} CASCADE, "
            f"ADD CONSTRAINT {quote(key)} PRIMARY KEY USING INDEX {index}",
        )

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Nothing goes back: older code works with the new key."""

    def describe(self) -> str:
        return f"Begin the key of {self.model_name} with its workspace"


class ReplaceUnique(Operation):
    """Give a unique constraint, or a unique index with a condition, other columns under its old name; or make one."""

    reversible = False

    def __init__(self, model_name: str, constraint: UniqueConstraint) -> None:
        self.model_name = model_name
        self.constraint = constraint

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        options = state.models[app_label, self.model_name.lower()].options
        others = [each for each in options.get("constraints", ()) if each.name != self.constraint.name]
        options["constraints"] = [*others, self.constraint]

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        quote = schema_editor.connection.ops.quote_name
        table, name = quote(model._meta.db_table), quote(self.constraint.name)
        index = quote(f"{self.constraint.name}_new")
        columns = ", ".join(quote(model._meta.get_field(field).column) for field in self.constraint.fields)
        condition = self.constraint._get_condition_sql(model, schema_editor)  # type: ignore[attr-defined]
        change_table(schema_editor, f"DROP INDEX IF EXISTS {index}")  # an unfinished one of a run that was stopped
        where = f" WHERE {condition}" if condition else ""
        schema_editor.execute(f"CREATE UNIQUE INDEX CONCURRENTLY {index} ON {table} ({columns}){where}")
        if condition:
            renamed = f"ALTER INDEX {index} RENAME TO {name}"
            change_table(schema_editor, f"DROP INDEX IF EXISTS {name}", renamed)
            return
        replaced = f"DROP CONSTRAINT IF EXISTS {name}, ADD CONSTRAINT {name} UNIQUE USING INDEX {index}"
        change_table(schema_editor, f"ALTER TABLE {table} {replaced}")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Nothing goes back: two spaces may hold the same by now."""

    def describe(self) -> str:
        return f"Replace the columns of {self.constraint.name}"


class RemoveUnique(Operation):
    """Remove a unique constraint, which locks the table for a moment."""

    reversible = False

    def __init__(self, model_name: str, name: str) -> None:
        self.model_name = model_name
        self.name = name

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        options = state.models[app_label, self.model_name.lower()].options
        options["constraints"] = [each for each in options["constraints"] if each.name != self.name]

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        quote = schema_editor.connection.ops.quote_name
        table = quote(state_table(to_state, app_label, self.model_name))
        change_table(schema_editor, f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {quote(self.name)}")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Nothing goes back: two rows may be the same by now."""

    def describe(self) -> str:
        return f"Remove {self.name}"


class ReplaceIndex(Operation):
    """Give an index other columns under its old name, or make a new one."""

    reversible = False

    def __init__(self, model_name: str, index: Index) -> None:
        self.model_name = model_name
        self.index = index

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        options = state.models[app_label, self.model_name.lower()].options
        options["indexes"] = [*(each for each in options["indexes"] if each.name != self.index.name), self.index]

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        quote = schema_editor.connection.ops.quote_name
        made = self.index.clone()
        made.name = f"{self.index.name}_new"
        # An unfinished one of a run that was stopped goes first.
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {quote(made.name)}")
        schema_editor.execute(made.create_sql(model, schema_editor, concurrently=True))
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {quote(self.index.name)}")
        schema_editor.execute(f"ALTER INDEX {quote(made.name)} RENAME TO {quote(self.index.name)}")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Nothing goes back: older code finds by the new columns as well, more slowly."""

    def describe(self) -> str:
        return f"Replace the columns of {self.index.name}"
