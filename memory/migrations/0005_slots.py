import django.contrib.postgres.search
import django.db.models.deletion
import pgvector.django.halfvec
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    dependencies = [
        ("memory", "0004_cited_nodes"),
        ("workspaces", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="MemorySlot",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                (
                    "tier",
                    models.CharField(
                        choices=[("session", "Session"), ("episodic", "Episodic"), ("semantic", "Semantic")],
                        max_length=8,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("scope", models.JSONField(default=dict)),
                ("scope_key", models.CharField(max_length=64)),
                ("is_list", models.BooleanField(default=False)),
                ("schema_version", models.PositiveIntegerField(default=1)),
                ("ttl_seconds", models.PositiveIntegerField(null=True)),
                ("max_items", models.PositiveIntegerField(null=True)),
                ("max_size_mb", models.FloatField(null=True)),
                ("size_bytes", models.PositiveIntegerField(default=0)),
                ("expires_at", models.DateTimeField(null=True)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                ("updated_at", models.DateTimeField(default=core.clock.utc_now)),
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
                "db_table": "memory_slots",
            },
        ),
        migrations.CreateModel(
            name="SlotItem",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("position", models.PositiveBigIntegerField()),
                ("value", models.JSONField(null=True)),
                ("size_bytes", models.PositiveIntegerField()),
                ("text", models.TextField(blank=True)),
                (
                    "words",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.contrib.postgres.search.SearchVector("text", config="english"),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                ("model", models.CharField(blank=True, max_length=120)),
                ("vector", pgvector.django.halfvec.HalfVectorField(null=True)),
                (
                    "slot",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="items",
                        to="memory.memoryslot",
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
                "db_table": "slot_items",
            },
        ),
        migrations.AddIndex(
            model_name="memoryslot",
            index=models.Index(
                condition=models.Q(("expires_at__isnull", False)),
                fields=["workspace", "expires_at"],
                name="memory_slots_expiring",
            ),
        ),
        migrations.AddConstraint(
            model_name="memoryslot",
            constraint=models.UniqueConstraint(
                fields=("workspace", "tier", "name", "scope_key"), name="one_slot_per_scope"
            ),
        ),
        migrations.AddConstraint(
            model_name="slotitem",
            constraint=models.UniqueConstraint(fields=("slot", "position"), name="slot_items_in_order"),
        ),
        ForceRowSecurity("MemorySlot"),
        ForceRowSecurity("SlotItem"),
    ]
