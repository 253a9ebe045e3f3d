"""Custom spaces that members may open."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import ForceRowSecurity, Policy, context_value, workspace_policies

# Before a workspace is chosen, a person sees what they were granted.
OWN_GRANTS = Policy("own", f"user_id = {context_value('user_id')}", "SELECT")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("workspaces", "0014_waiting_tasks")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="SpaceGrant",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("space", models.CharField(max_length=233)),
                ("created_at", models.DateTimeField(default=core.clock.utc_now, editable=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
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
                "db_table": "space_grants",
                "constraints": [
                    models.UniqueConstraint(fields=("workspace", "user", "space"), name="one_grant_per_space")
                ],
            },
        ),
        ForceRowSecurity("SpaceGrant", (*workspace_policies(), OWN_GRANTS)),
    ]
