from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("ontology", "0007_counting_indexes"),
    ]

    operations = [
        # Django would build the index anew, which takes minutes where there are millions of nodes.
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(
                    "ALTER INDEX nodes_words SET (fastupdate = off)", "ALTER INDEX nodes_words RESET (fastupdate)"
                ),
                migrations.RunSQL("SELECT gin_clean_pending_list('nodes_words')", migrations.RunSQL.noop),
            ],
            state_operations=[
                migrations.RemoveIndex(model_name="node", name="nodes_words"),
                migrations.AddIndex(
                    model_name="node",
                    index=GinIndex(
                        OpClass(models.F("workspace"), name="uuid_ops"),
                        models.F("words"),
                        name="nodes_words",
                        fastupdate=False,
                    ),
                ),
            ],
        ),
    ]
