import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("ontology", "0001_initial"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Memory",
            fields=[
                (
                    "node",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="memory",
                        serialize=False,
                        to="ontology.node",
                    ),
                ),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), blank=True, default=list, size=None
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("user", "User"),
                            ("agent", "Agent"),
                            ("extraction", "Extraction"),
                            ("import", "Import"),
                        ],
                        max_length=12,
                    ),
                ),
                ("author", models.CharField(max_length=200)),
                ("author_id", models.CharField(blank=True, max_length=64)),
                ("confidence", models.FloatField(default=1.0)),
                ("manual_weight", models.FloatField(default=1.0)),
                ("pinned_at", models.DateTimeField(blank=True, null=True)),
                ("pinned_by", models.CharField(blank=True, max_length=200)),
                ("suppressed_by", models.CharField(blank=True, max_length=200)),
                ("suppressed_reason", models.CharField(blank=True, max_length=500)),
                ("live_fingerprint", models.CharField(max_length=64, null=True)),
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
                "db_table": "memories",
                "verbose_name_plural": "memories",
            },
        ),
        migrations.CreateModel(
            name="MemoryRevision",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("action", models.CharField(max_length=16)),
                ("actor_kind", models.CharField(max_length=10)),
                ("actor_id", models.CharField(blank=True, max_length=64)),
                ("actor_label", models.CharField(blank=True, max_length=200)),
                ("before", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "memory",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revisions",
                        to="memory.memory",
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
                "db_table": "memory_revisions",
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("agent", models.CharField(max_length=120)),
                ("conversation", models.CharField(blank=True, max_length=200)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("succeeded", "Succeeded"),
                            ("failed", "Failed"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="running",
                        max_length=10,
                    ),
                ),
                ("started_at", models.DateTimeField(default=core.clock.utc_now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("unresolved", models.JSONField(default=list)),
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
                "db_table": "runs",
            },
        ),
        migrations.CreateModel(
            name="RunCitation",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("is_counted", models.BooleanField()),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "memory",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="citations",
                        to="memory.memory",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="citations",
                        to="memory.run",
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
                "db_table": "run_citations",
            },
        ),
        migrations.CreateModel(
            name="ForgottenFingerprint",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("fingerprint", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
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
                "db_table": "forgotten_fingerprints",
                "constraints": [models.UniqueConstraint(fields=("workspace", "fingerprint"), name="forgotten_once")],
            },
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(fields=["workspace", "-node"], name="memories_newest"),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=models.Index(
                condition=models.Q(("pinned_at", None), _negated=True),
                fields=["workspace", "-pinned_at"],
                name="memories_pinned",
            ),
        ),
        migrations.AddIndex(
            model_name="memory",
            index=django.contrib.postgres.indexes.GinIndex(fields=["tags"], name="memories_by_tag"),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.UniqueConstraint(fields=("workspace", "live_fingerprint"), name="no_live_duplicates"),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("confidence__gte", 0), ("confidence__lte", 1)), name="confidence_between_0_and_1"
            ),
        ),
        migrations.AddConstraint(
            model_name="memory",
            constraint=models.CheckConstraint(
                condition=models.Q(("manual_weight__gte", -20), ("manual_weight__lte", 20)), name="weight_is_finite"
            ),
        ),
        migrations.AddIndex(
            model_name="memoryrevision",
            index=models.Index(fields=["workspace", "memory", "-id"], name="revisions_of_memory"),
        ),
        migrations.AddIndex(
            model_name="run",
            index=models.Index(fields=["workspace", "-id"], name="runs_newest"),
        ),
        migrations.AddIndex(
            model_name="runcitation",
            index=models.Index(fields=["workspace", "memory", "-id"], name="citations_of_memory"),
        ),
        migrations.AddConstraint(
            model_name="runcitation",
            constraint=models.UniqueConstraint(fields=("workspace", "run", "memory"), name="one_citation_per_run"),
        ),
        ForceRowSecurity("Memory"),
        ForceRowSecurity("MemoryRevision"),
        ForceRowSecurity("ForgottenFingerprint"),
        ForceRowSecurity("Run"),
        ForceRowSecurity("RunCitation"),
    ]
