import django.db.models.deletion
from django.db import migrations, models

import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    dependencies = [
        ("workspaces", "0008_role_of_key_maker"),
    ]

    operations = [
        migrations.CreateModel(
            name="Lease",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=120)),
                ("holder", models.UUIDField()),
                ("until", models.DateTimeField()),
                (
                    "workspace",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="workspaces.workspace",
                    ),
                ),
            ],
            options={
                "db_table": "leases",
                "constraints": [models.UniqueConstraint(fields=("workspace", "name"), name="one_lease_per_name")],
            },
        ),
        ForceRowSecurity("Lease"),
    ]
