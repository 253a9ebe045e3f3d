"""Memories that are proposed to another space, and where accepted copies come from.

Nothing of the new table is visible until the next migration divides it into spaces.
"""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memory", "0012_values_of_slot_items"), ("workspaces", "0013_bound_keys")]

    operations: ClassVar = [
        migrations.AddField("memory", "origin_id", models.UUIDField(blank=True, null=True)),
        migrations.AddField("memory", "origin_space", models.CharField(blank=True, default="", max_length=233)),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("space", models.CharField(max_length=233)),
                ("origin_id", models.UUIDField()),
                ("origin_space", models.CharField(max_length=233)),
                ("content", models.TextField()),
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
                ("author_kind", models.CharField(blank=True, max_length=10)),
                ("importance", models.FloatField(default=0.5)),
                ("confidence", models.FloatField(default=1.0)),
                ("valid_from", models.DateTimeField(null=True)),
                ("valid_to", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("proposed_by", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "status",
                    models.CharField(
                        choices=[("pending", "Pending"), ("accepted", "Accepted"), ("rejected", "Rejected")],
                        default="pending",
                        max_length=8,
                    ),
                ),
                ("decided_by", models.CharField(blank=True, max_length=200)),
                ("decided_at", models.DateTimeField(null=True)),
                ("memory_id", models.UUIDField(null=True)),
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
                "db_table": "proposals",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(confidence__gte=0, confidence__lte=1, importance__gte=0, importance__lte=1),
                        name="proposal_shares_between_0_and_1",
                    )
                ],
            },
        ),
        ForceRowSecurity("Proposal", ()),
    ]
