"""Migration operations for what Django does not know: row security, its policies, references inside a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Model
from django_rls.policies import CustomPolicy


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

    def __init__(self, model_name: str, policies: Sequence[Policy]) -> None:
        self.model_name = model_name
        self.policies = tuple(policies)

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Policies are not part of Django's model state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        for policy in self.policies:
            kind = _InsertPolicy if policy.operation == "INSERT" else CustomPolicy
            schema_editor.create_policy(  # type: ignore[attr-defined]  # core.db's editor
                model, kind(policy.name, policy.expression, operation=policy.operation)
            )

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = from_state.apps.get_model(app_label, self.model_name)
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


class ReferenceInWorkspace(Operation):
    """Make a column point at rows of its own workspace only: a foreign key of (workspace, column) to (workspace, id).

    A plain foreign key is checked past row security, so that a client's id could name another workspace's row. The
    target needs a unique constraint on (workspace, id), the model's field `db_constraint=False`. With `cascades`, rows
    go with the row that they point at; otherwise that row must stay.
    """

    reversible = True

    def __init__(self, model_name: str, field: str, *, cascades: bool = False) -> None:
        self.model_name = model_name
        self.field = field
        self.cascades = cascades

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing: the constraint is not a part of Django's model state."""

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        model = to_state.apps.get_model(app_label, self.model_name)
        column = model._meta.get_field(self.field)
        quote = schema_editor.connection.ops.quote_name
        schema_editor.execute(
            f"ALTER TABLE {quote(model._meta.db_table)} ADD CONSTRAINT {quote(self._name(model))} "
            f"FOREIGN KEY (workspace_id, {quote(column.column)}) "
            f"REFERENCES {quote(column.related_model._meta.db_table)} (workspace_id, id) "
            f"ON DELETE {'CASCADE' if self.cascades else 'NO ACTION'}"
        )

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
