import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, ReferenceInWorkspace


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Import",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                (
                    "status",
                    models.CharField(
                        choices=[("open", "Open"), ("queued", "Queued"), ("done", "Done"), ("refused", "Refused")],
                        default="open",
                        max_length=8,
                    ),
                ),
                ("author", models.CharField(max_length=200)),
                ("report", models.JSONField(blank=True, default=dict)),
                ("error", models.JSONField(blank=True, default=dict)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
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
                "db_table": "imports",
            },
        ),
        migrations.CreateModel(
            name="ImportPart",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("is_map", models.BooleanField(default=False)),
                ("number", models.PositiveIntegerField()),
                ("lines", models.PositiveIntegerField()),
                ("data", models.BinaryField()),
                (
                    "of",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="transfer.import",
                    ),
                ),
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
                "db_table": "import_parts",
            },
        ),
        migrations.AddIndex(
            model_name="import",
            index=models.Index(fields=["workspace", "-id"], name="imports_newest"),
        ),
        migrations.AddConstraint(
            model_name="import",
            constraint=models.UniqueConstraint(fields=("workspace", "id"), name="imports_in_workspace"),
        ),
        migrations.AddConstraint(
            model_name="importpart",
            constraint=models.UniqueConstraint(
                fields=("workspace", "of", "is_map", "number"), name="one_import_part_per_number"
            ),
        ),
        ReferenceInWorkspace("ImportPart", "of", cascades=True),
        ForceRowSecurity("Import"),
        ForceRowSecurity("ImportPart"),
    ]
