"""Migration operations for what Django does not know: row security, its policies, references inside a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Model
from django_rls.policies import CustomPolicy

from core.db.schema_changes import change_table, with_short_waits


def context_value(name: str, cast: str = "uuid") -> str:
    """SQL for one value of the row-security context; NULL when it is not set, which no row equals.

    The scalar subquery makes PostgreSQL read it once for a statement instead of once for a row.
    """
    return f"(SELECT NULLIF(current_setting('rls.{name}', true), '')::{cast})"


@dataclass(frozen=True, slots=True)
class Policy:
    """One permissive row-security policy; `operation` is ALL, SELECT, INSERT, UPDATE or DELETE."""

    name: str
    expression: str
    operation: str = "ALL"


def in_workspace(column: str = "workspace_id") -> str:
    """SQL for "of the workspace in context", for the policies of tables whose key begins with the workspace.

    Statements name their workspace as well, so that PostgreSQL compares the two once for a statement.
    """
    return f"{column} = NULLIF(current_setting('rls.tenant_id', true), '')::uuid"


def workspace_policies() -> tuple[Policy, ...]:
    """Return the policy of a table of a workspace that is not divided into spaces."""
    return (Policy("tenant", in_workspace()),)


def workspace_append_only_policies() -> tuple[Policy, ...]:
    """Rows of the workspace in context may be read and added, never changed or removed."""
    return (Policy("tenant_read", in_workspace(), "SELECT"), Policy("tenant_append", in_workspace(), "INSERT"))


def tenant_policies(column: str = "workspace_id") -> tuple[Policy, ...]:
    """Return the policy of every tenant table: rows of the workspace in context, for reading and for writing."""
    return (Policy("tenant", f"{column} = {context_value('tenant_id')}"),)


def append_only_policies(column: str = "workspace_id") -> tuple[Policy, ...]:
    """Rows of the workspace in context may be read and added, never changed or removed."""
    rule = f"{column} = {context_value('tenant_id')}"
    return (Policy("tenant_read", rule, "SELECT"), Policy("tenant_append", rule, "INSERT"))


class _InsertPolicy(CustomPolicy):  # type: ignore[misc]  # django-rls ships no types
    """PostgreSQL refuses USING on an INSERT policy; django-rls always gives one."""

    def get_using_expression(self) -> str | None:
        return None


class AddPolicies(Operation):
    """Create policies on a table whose row security is forced already."""

    reversible = True
    replaced: tuple[str, ...] = ()  # names of the policies that the new ones stand for

    def __init__(self, model_name: str, policies: Sequence[Policy], *, of_app: str = "") -> None:
        self.model_name = model_name
        self.policies = tuple(policies)
        self.of_app = of_app  # where the table is that of another app than the migration's

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Policies are not part of Django's model state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(self.of_app or app_label, self.model_name)
        for policy in self.policies:
            kind = _InsertPolicy if policy.operation == "INSERT" else CustomPolicy
            schema_editor.create_policy(  # type: ignore[attr-defined]  # core.db's editor
                model, kind(policy.name, policy.expression, operation=policy.operation)
            )

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = from_state.apps.get_model(self.of_app or app_label, self.model_name)
        for policy in self.policies:
            schema_editor.drop_policy(model, policy.name)  # type: ignore[attr-defined]

    def describe(self) -> str:
        return f"Add policies to {self.model_name}"


class ForceRowSecurity(AddPolicies):
    """Enable and FORCE row security on a model's table and create its policies."""

    def __init__(self, model_name: str, policies: Sequence[Policy] | None = None) -> None:
        super().__init__(model_name, tenant_policies() if policies is None else policies)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        schema_editor.enable_rls(model)  # type: ignore[attr-defined]
        schema_editor.force_rls(model)  # type: ignore[attr-defined]
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        super().database_backwards(app_label, schema_editor, from_state, to_state)
        schema_editor.disable_rls(from_state.apps.get_model(app_label, self.model_name))  # type: ignore[attr-defined]

    def describe(self) -> str:
        return f"Force row security on {self.model_name}"


class ReplacePolicies(AddPolicies):
    """Give policies that exist other expressions, under their old names."""

    reversible = False

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)

        def replace() -> None:
            """Drop and create in one transaction: in between, the serving role would see no rows."""
            for policy in self.policies:
                schema_editor.drop_policy(model, policy.name)  # type: ignore[attr-defined]  # core.db's editor
            super(ReplacePolicies, self).database_forwards(app_label, schema_editor, from_state, to_state)

        with_short_waits(schema_editor, replace)

    def describe(self) -> str:
        return f"Replace policies of {self.model_name}"


class InOneMoment(Operation):
    """Do operations that take no time once they have their locks, giving way to those who use the tables: all in one
    transaction, so that none is there without the others. For a migration that is not atomic."""

    def __init__(self, *operations: Operation) -> None:
        self.operations = operations

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        for operation in self.operations:
            operation.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        def work() -> None:
            before = from_state
            for operation in self.operations:
                after = before.clone()
                operation.state_forwards(app_label, after)
                operation.database_forwards(app_label, schema_editor, before, after)
                before = after

        with_short_waits(schema_editor, work)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        states = [to_state]
        for operation in self.operations:
            states.append(states[-1].clone())
            operation.state_forwards(app_label, states[-1])

        def work() -> None:
            for operation, before, after in reversed(list(zip(self.operations, states[1:], states, strict=False))):
                operation.database_backwards(app_label, schema_editor, before, after)

        with_short_waits(schema_editor, work)

    def describe(self) -> str:
        return "; ".join(operation.describe() for operation in self.operations)


class ReferenceInWorkspace(Operation):
    """Make a column point at rows of its own workspace only: a foreign key of (workspace, column) to (workspace, key).

    A plain foreign key is checked past row security, so that a client's id could name another workspace's row. The
    target needs a unique constraint on (workspace, key), the model's field `db_constraint=False`. With `cascades`, rows
    go with the row that they point at; otherwise that row must stay. With `deferred`, it is checked at the end of the
    transaction. The constraint is added without a look at the rows and validated afterwards, which in a migration that
    is not atomic keeps both tables writable meanwhile.
    """

    reversible = True

    def __init__(self, model_name: str, field: str, *, cascades: bool = False, deferred: bool = False) -> None:
        self.model_name = model_name
        self.field = field
        self.cascades = cascades
        self.deferred = deferred

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Note that Django has no constraint of its own on the column."""
        fields = state.models[app_label, self.model_name.lower()].fields
        if getattr(fields[self.field], "db_constraint", False):
            fields[self.field] = fields[self.field].clone()
            fields[self.field].db_constraint = False

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        column = model._meta.get_field(self.field)
        target = column.related_model._meta
        quote = schema_editor.connection.ops.quote_name
        table, name = quote(model._meta.db_table), quote(self._name(model))
        change_table(
            schema_editor,
            f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}, ADD CONSTRAINT {name} "
            f"FOREIGN KEY (workspace_id, {quote(column.column)}) "
            f"REFERENCES {quote(target.db_table)} (workspace_id, {quote(target.pk.column)}) "
            f"ON DELETE {'CASCADE' if self.cascades else 'NO ACTION'} "
            f"{'DEFERRABLE INITIALLY DEFERRED ' if self.deferred else ''}NOT VALID",
        )
        schema_editor.execute(f"ALTER TABLE {table} VALIDATE CONSTRAINT {name}")

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = from_state.apps.get_model(app_label, self.model_name)
        quote = schema_editor.connection.ops.quote_name
        schema_editor.execute(f"ALTER TABLE {quote(model._meta.db_table)} DROP CONSTRAINT {quote(self._name(model))}")

    def describe(self) -> str:
        return f"Keep {self.model_name}.{self.field} inside its workspace"

    def _name(self, model: type[Model]) -> str:
        return f"{model._meta.db_table}_{self.field}_in_workspace"
