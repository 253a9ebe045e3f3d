"""The proof that a tenant table is protected: what it accepts, and every way in which a table can fall short."""

from __future__ import annotations

import pytest
from django.db import connection

from config.roles import UnprotectedTableError, refuse_unprotected_tables

MINE = "workspace_id = (SELECT NULLIF(current_setting('rls.tenant_id', true), '')::uuid)"
BOUND = ("ALTER TABLE app.bare ENABLE ROW LEVEL SECURITY", "ALTER TABLE app.bare FORCE ROW LEVEL SECURITY")
TENANT = f"CREATE POLICY tenant ON app.bare USING ({MINE}) WITH CHECK ({MINE})"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _bare_table(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE app.bare (workspace_id uuid)")


@pytest.mark.parametrize(
    "steps",
    [
        [*BOUND, TENANT],
        [*BOUND, f"CREATE POLICY tenant ON app.bare USING ({MINE})"],  # PostgreSQL then checks writes with it as well
        [
            *BOUND,
            f"CREATE POLICY reading ON app.bare FOR SELECT USING ({MINE})",
            f"CREATE POLICY adding ON app.bare FOR INSERT WITH CHECK ({MINE})",
        ],
    ],
)
def test_accepts_a_table_whose_policies_are_forced(steps: list[str]) -> None:
    _run(steps)

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
