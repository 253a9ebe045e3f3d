from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("workspaces", "0009_leases"),
    ]

    operations = [
        migrations.CreateModel(
            name="AttemptCounter",
            fields=[
                ("key", models.CharField(max_length=80, primary_key=True, serialize=False)),
                ("number", models.IntegerField()),
                ("ends_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "db_table": "attempt_counters",
            },
        ),
    ]
