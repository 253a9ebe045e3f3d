"""Migration operations for keys that begin with their workspace, and for tables that are divided into spaces.

All of them keep a table of a million rows readable and writable: indexes are built next to the old ones, and
constraints validated afterwards. So their migrations are not atomic, and each operation may be run again after it was
stopped half way.
"""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Func, Index, UniqueConstraint, UUIDField

from core.db.schema_changes import change_table
from core.migrations import AddPolicies, Policy, ReplacePolicies, in_workspace
from core.space_ids import NO_SPACE, SHARED

CURRENT_SPACE = f"COALESCE(NULLIF(current_setting('rls.space', true), ''), '{SHARED}')::uuid"


def _table(state: ProjectState, app_label: str, model_name: str) -> str:
    """Return the name of a table without rendering the models of the state, which takes a second each time."""
    return str(state.models[app_label, model_name.lower()].options["db_table"])


def _column(state: ProjectState, app_label: str, model_name: str, field_name: str) -> str:
    field = state.models[app_label, model_name.lower()].fields[field_name]
    return f"{field_name}_id" if field.is_relation else field_name


def _render_anew(state: ProjectState) -> None:
    """Have the models of the state rendered when they are asked for, and not after each change of it."""
    state.__dict__.pop("apps", None)


def _rule(policy: Policy) -> str:
    return f"{'WITH CHECK' if policy.operation == 'INSERT' else 'USING'} ({policy.expression})"


class CurrentSpace(Func):
    """The space that the open scope writes into, as the database's own default; `shared` where it names none."""

    template = CURRENT_SPACE
    output_field = UUIDField()


def space_policies() -> tuple[Policy, ...]:
    """Return the policies of a table that is divided into spaces: rows of readable spaces are read, of one are written.

    Without a word said, both are the shared space. It is asked for first, by a comparison that costs little for each
    row; the list of the others is read out of its setting again for each row that is not shared. CASE instead of OR:
    PostgreSQL would look for a way through each index of the table by each part of an OR, at every planning.
    """
    workspace = in_workspace()
    every = "current_setting('rls.every_space', true) = 'on'"
    reads_shared = "current_setting('rls.reads_shared', true) IS DISTINCT FROM 'off'"
    read = (
        f"CASE WHEN space_id = '{SHARED}'::uuid AND {reads_shared} THEN true "
        f"ELSE space_id = ANY (NULLIF(current_setting('rls.spaces', true), '')::uuid[]) OR {every} END"
    )
    written = f"(space_id = {CURRENT_SPACE} OR {every})"
    return (
        Policy("space_read", f"{workspace} AND {read}", "SELECT"),
        Policy("space_insert", f"{workspace} AND {written}", "INSERT"),
        Policy("space_update", f"{workspace} AND {written}", "UPDATE"),
        Policy("space_delete", f"{workspace} AND {written}", "DELETE"),
    )


class ReplaceReadPolicy(ReplacePolicies):
    """Give a table that is divided into spaces the reading policy of today."""

    def __init__(self, model_name: str) -> None:
        super().__init__(model_name, [policy for policy in space_policies() if policy.operation == "SELECT"])


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
        table, quote = _table(to_state, app_label, self.model_name), schema_editor.connection.ops.quote_name
        fields = to_state.models[app_label, self.model_name.lower()].fields
        primary = next(name for name, field in fields.items() if getattr(field, "primary_key", False))
        column = _column(to_state, app_label, self.model_name, primary)
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


class DivideIntoSpaces(AddPolicies):
    """Give a table its space: what is there becomes shared, and policies compare the space as well as the workspace."""

    reversible = False
    replaced = ("tenant",)

    def __init__(self, model_name: str) -> None:
        super().__init__(model_name, space_policies())

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        field = UUIDField(db_default=CurrentSpace(), editable=False)
        state.models[app_label, self.model_name.lower()].fields["space_id"] = field
        _render_anew(state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        name, quote = _table(to_state, app_label, self.model_name), schema_editor.connection.ops.quote_name
        table, named = quote(name), quote(f"{name}_space_named")
        former = (*self.replaced, *(policy.name for policy in self.policies))
        change_table(
            schema_editor,
            # A constant default for a new column is stored once, not in each row.
            f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS space_id uuid NOT NULL DEFAULT '{SHARED}', "
            f"DROP CONSTRAINT IF EXISTS {named}, "
            f"ADD CONSTRAINT {named} CHECK (space_id <> '{NO_SPACE}'::uuid) NOT VALID",
            f"ALTER TABLE {table} ALTER COLUMN space_id SET DEFAULT {CURRENT_SPACE}",
            # Between the former policies and the new ones, the serving role would see no rows.
            *(f"DROP POLICY IF EXISTS {quote(policy)} ON {table}" for policy in former),
            *(
                f"CREATE POLICY {quote(each.name)} ON {table} FOR {each.operation} {_rule(each)}"
                for each in self.policies
            ),
        )
        schema_editor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {named}")

    def describe(self) -> str:
        return f"Divide {self.model_name} into spaces"


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
        table = quote(_table(to_state, app_label, self.model_name))
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
