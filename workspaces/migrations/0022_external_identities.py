"""Who people are at the OpenID Connect provider of their organisation."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.clock
import core.ids


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0021_second_factors")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ExternalIdentity",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("issuer", models.CharField(max_length=500)),
                ("subject", models.CharField(max_length=255)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                ("last_used_at", models.DateTimeField(default=core.clock.utc_now)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={"db_table": "external_identities"},
        ),
        migrations.AddConstraint(
            "externalidentity",
            models.UniqueConstraint(fields=("issuer", "subject"), name="one_account_per_identity"),
        ),
    ]
