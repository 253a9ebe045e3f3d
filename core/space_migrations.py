"""Migration operations for tables that are divided into spaces, and their policies.

All of them keep a table of a million rows readable and writable: indexes are built next to the old ones, and
constraints validated afterwards. So their migrations are not atomic, and each operation may be run again after it was
stopped half way.
"""

from __future__ import annotations

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState
from django.db.models import Func, UUIDField

from core.db.online_index_operations import state_table
from core.db.schema_changes import change_table
from core.migrations import AddPolicies, Policy, ReplacePolicies, in_workspace
from core.space_ids import NO_SPACE, SHARED

CURRENT_SPACE = f"COALESCE(NULLIF(current_setting('rls.space', true), ''), '{SHARED}')::uuid"


def _render_again(state: ProjectState) -> None:
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


class DivideIntoSpaces(AddPolicies):
    """Give a table its space: what is there becomes shared, and policies compare the space as well as the workspace."""

    reversible = False
    replaced = ("tenant",)

    def __init__(self, model_name: str) -> None:
        super().__init__(model_name, space_policies())

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        field = UUIDField(db_default=CurrentSpace(), editable=False)
        state.models[app_label, self.model_name.lower()].fields["space_id"] = field
        _render_again(state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        name, quote = state_table(to_state, app_label, self.model_name), schema_editor.connection.ops.quote_name
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
