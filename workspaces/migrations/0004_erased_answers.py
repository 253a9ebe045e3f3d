from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("workspaces", "0003_idempotent_answers")]

    operations = [
        migrations.AddField(
            model_name="idempotentanswer",
            name="is_erased",
            field=models.BooleanField(default=False),
        ),
    ]
