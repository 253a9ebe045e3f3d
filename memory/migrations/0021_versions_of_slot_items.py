"""The version that each item of a slot was written as; until now there was one for the whole slot."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

# Row security holds for the owner as well, so it steps aside meanwhile.
FILL = """
ALTER TABLE slot_items NO FORCE ROW LEVEL SECURITY;
ALTER TABLE memory_slots NO FORCE ROW LEVEL SECURITY;
UPDATE slot_items SET schema_version = slot.schema_version FROM memory_slots AS slot
 WHERE slot.workspace_id = slot_items.workspace_id AND slot.id = slot_items.slot_id AND slot.schema_version <> 1;
SET CONSTRAINTS ALL IMMEDIATE;  -- a table with checks to come cannot be altered
ALTER TABLE memory_slots FORCE ROW LEVEL SECURITY;
ALTER TABLE slot_items FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0020_confidence_calibrations")]

    operations: ClassVar = [
        migrations.AddField("slotitem", "schema_version", models.PositiveIntegerField(db_default=1)),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
