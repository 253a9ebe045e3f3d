from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("transfer", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="started_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
