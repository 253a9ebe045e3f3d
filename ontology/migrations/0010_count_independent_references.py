from django.db import migrations, models

# Who cited what before was not recorded per caller, so that all of it counts. Row security holds for the owner as well.
FILL = """
ALTER TABLE nodes NO FORCE ROW LEVEL SECURITY;
UPDATE nodes SET independent_references = reference_count WHERE reference_count > 0;
SET CONSTRAINTS ALL IMMEDIATE;  -- a table with checks to come cannot be altered
ALTER TABLE nodes FORCE ROW LEVEL SECURITY;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("ontology", "0009_words_of_long_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="node",
            name="author_id",
            field=models.CharField(blank=True, db_default="", default="", max_length=64),
        ),
        migrations.AddField(
            model_name="node",
            name="independent_references",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunSQL(FILL, migrations.RunSQL.noop),
    ]
