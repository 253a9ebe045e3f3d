from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0003_episodes"),
    ]

    operations = [
        migrations.AddField(model_name="run", name="cited_nodes", field=models.JSONField(default=list)),
    ]
