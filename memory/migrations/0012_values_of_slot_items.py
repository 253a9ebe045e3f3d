"""How many JSON values each item of a slot holds, counted in the text that PostgreSQL has of it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

# Each list and object that is not empty holds one value more than commas. Row security holds for the owner as well, so
# it steps aside meanwhile.
FILL = r"""
ALTER TABLE slot_items NO FORCE ROW LEVEL SECURITY;
UPDATE slot_items SET value_count = 1 + length(read.text) - length(translate(read.text, ',[{', ''))
       - (length(read.text) - length(replace(replace(read.text, '[]', ''), '{}', ''))) / 2
FROM (
    SELECT workspace_id, id, regexp_replace(value::text, '"(?:[^"\\]|\\.)*"', '0', 'g') AS text
      FROM slot_items WHERE jsonb_typeof(value) IN ('array', 'object')
) AS read WHERE read.workspace_id = slot_items.workspace_id AND read.id = slot_items.id;
SET CONSTRAINTS ALL IMMEDIATE;  -- a table with checks to come cannot be altered
ALTER TABLE slot_items FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0011_space_indexes")]

    operations: ClassVar = [
        migrations.AddField("slotitem", "value_count", models.PositiveIntegerField(db_default=1)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
