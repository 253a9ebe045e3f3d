import django.contrib.postgres.search
from django.db import migrations, models

import core.db.search_vectors


class Migration(migrations.Migration):
    # References of memories are to keys that those migrations replace; on a new database they have to be there before.
    run_before = [("conversations", "0005_keys_and_spaces"), ("ontology", "0012_keys_and_spaces")]
    dependencies = [
        ("memory", "0008_sign_with_the_kind"),
    ]

    operations = [
        migrations.RemoveField(model_name="slotitem", name="words"),
        migrations.AddField(
            model_name="slotitem",
            name="words",
            field=models.GeneratedField(
                db_persist=True,
                expression=core.db.search_vectors.english_words("text"),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
    ]
