"""Second factors of people: a secret of a time-based code, and recovery codes."""

from __future__ import annotations

from typing import ClassVar

import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.clock


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0020_invitation_links")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="SecondFactor",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("secret", models.TextField()),
                ("last_step", models.BigIntegerField(default=0)),
                (
                    "recovery_hashes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), default=list, size=None
                    ),
                ),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
            ],
            options={"db_table": "second_factors"},
        ),
    ]
