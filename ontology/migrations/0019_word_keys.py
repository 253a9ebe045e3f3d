"""Keys by which nodes are found whose names are one but for order, accents or initials; matching fills them."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

from core.db.online_index_operations import ReplaceIndex
from core.db.schema_changes import change_table

ROWS_AT_ONCE = 5_000
# Each node is looked at once more, by the worker: nothing else computes the keys. Memories and facts have no name.
MARK = """
UPDATE nodes SET needs_matching = true
 WHERE (workspace_id, id) IN (
       SELECT workspace_id, id FROM nodes
        WHERE NOT is_deleted AND NOT needs_matching AND name <> '' AND words_key = ''
        LIMIT %s)
"""


def mark_named_nodes(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    # Row security holds for the owner as well, so it steps aside meanwhile. The serving roles are not the owner.
    change_table(schema_editor, "ALTER TABLE nodes NO FORCE ROW LEVEL SECURITY")
    try:
        with schema_editor.connection.cursor() as cursor:
            while True:
                cursor.execute(MARK, [ROWS_AT_ONCE])
                if not cursor.rowcount:
                    break
    finally:
        change_table(schema_editor, "ALTER TABLE nodes FORCE ROW LEVEL SECURITY")


class Migration(migrations.Migration):
    atomic = False  # rows are marked some at a time, while the table is used

    dependencies: ClassVar = [("ontology", "0018_words_of_every_script")]

    operations: ClassVar = [
        migrations.AddField(
            "node", "words_key", models.CharField(blank=True, db_default="", default="", max_length=300)
        ),
        migrations.AddField(
            "node", "initials_key", models.CharField(blank=True, db_default="", default="", max_length=300)
        ),
        ReplaceIndex(
            "node",
            models.Index(
                fields=["workspace", "space_id", "words_key"],
                condition=~models.Q(words_key=""),
                name="nodes_by_words_key",
            ),
        ),
        ReplaceIndex(
            "node",
            models.Index(
                fields=["workspace", "space_id", "initials_key"],
                condition=~models.Q(initials_key=""),
                name="nodes_by_initials_key",
            ),
        ),
        migrations.RunPython(mark_named_nodes, migrations.RunPython.noop),
    ]
