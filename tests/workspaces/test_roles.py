"""The proof that a tenant table is protected: what it accepts, and every way in which a table can fall short."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config.row_security_policies import UnprotectedTableError, refuse_unprotected_tables

MINE = "workspace_id = (SELECT NULLIF(current_setting('rls.tenant_id', true), '')::uuid)"
BOUND = ("ALTER TABLE app.bare ENABLE ROW LEVEL SECURITY", "ALTER TABLE app.bare FORCE ROW LEVEL SECURITY")
TENANT = f"CREATE POLICY tenant ON app.bare USING ({MINE}) WITH CHECK ({MINE})"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _bare_table(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE app.bare (workspace_id uuid)")


def test_accepts_the_tables_as_the_migrations_make_them() -> None:
    _run(["DROP TABLE app.bare"])

    refuse_unprotected_tables(using="default")


def test_a_newer_version_may_add_tables_and_policies_and_alters_none() -> None:
    MigrationRecorder(connection).record_applied("workspaces", "9999_of_a_newer_version")
    _run([*BOUND, TENANT, "CREATE POLICY newer ON app.memories FOR SELECT USING (false)"])

    refuse_unprotected_tables(using="default")

    _run(["ALTER POLICY space_read ON app.memories USING (true)"])
    with pytest.raises(UnprotectedTableError, match=r"app\.memories \(policy 'space_read' was altered\)"):
        refuse_unprotected_tables(using="default")


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [BOUND[0]],
        BOUND,
        [TENANT],
        [BOUND[0], TENANT],
        [BOUND[1], TENANT],
        [*BOUND, TENANT],  # no migration made it
        [*BOUND, f"CREATE POLICY reading ON app.bare FOR SELECT USING ({MINE})"],
        [*BOUND, f"CREATE POLICY adding ON app.bare FOR INSERT WITH CHECK ({MINE})"],
        [*BOUND, "CREATE POLICY tenant ON app.bare USING (true) WITH CHECK (true)"],
        [*BOUND, f"CREATE POLICY tenant ON app.bare USING ({MINE}) WITH CHECK (true)"],
        [*BOUND, TENANT, "CREATE POLICY everybody ON app.bare FOR SELECT USING (true)"],
        [*BOUND, TENANT, "CREATE POLICY anybody ON app.bare FOR INSERT WITH CHECK (true)"],
    ],
)
def test_refuses_a_table_that_falls_short_and_names_it(steps: list[str]) -> None:
    _run(steps)

    with pytest.raises(UnprotectedTableError, match=r"app\.bare"):
        refuse_unprotected_tables(using="default")


def _run(steps: list[str]) -> None:
    with connection.cursor() as cursor:
        for step in steps:
            cursor.execute(step)
