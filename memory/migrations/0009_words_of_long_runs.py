import django.contrib.postgres.search
from django.db import migrations, models

import core.db.words


class Migration(migrations.Migration):
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
                expression=core.db.words.english_words("text"),
                output_field=django.contrib.postgres.search.SearchVectorField(),
            ),
        ),
    ]
