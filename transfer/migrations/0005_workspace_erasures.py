"""Erasures of workspaces; what is recorded of a workspace can be deleted once the workspace is."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

import core.clock
import core.ids
from core.migrations import AddPolicies, Policy, in_workspace

# The record of a workspace that is there stays as it is.
OF_DELETED = Policy(
    "tenant_erase", f"{in_workspace()} AND workspace_id IN (SELECT id FROM workspaces WHERE is_deleted)", "DELETE"
)


class Migration(migrations.Migration):
    dependencies: ClassVar = [
        ("llm", "0002_keys_and_spaces"),
        ("transfer", "0004_shorter_read_policies"),
        ("workspaces", "0017_erasure_of_spaces"),
    ]

    operations: ClassVar = [
        AddPolicies("AuditEvent", [OF_DELETED], of_app="workspaces"),
        AddPolicies("PromptRun", [OF_DELETED], of_app="llm"),
        migrations.CreateModel(
            name="WorkspaceErasure",
            fields=[
                ("id", models.UUIDField(default=core.ids.new_id, editable=False, primary_key=True, serialize=False)),
                ("erased_id", models.UUIDField(unique=True)),
                ("actor_kind", models.CharField(max_length=10)),
                ("actor_id", models.CharField(max_length=64)),
                ("person_id", models.UUIDField(blank=True, null=True)),
                ("key_hash", models.CharField(blank=True, max_length=64)),
                ("planned", models.JSONField(default=dict)),
                ("rows", models.JSONField(default=dict)),
                ("waits_for", models.CharField(blank=True, max_length=12)),
                ("checks", models.JSONField(default=list)),
                ("requested_at", models.DateTimeField(default=core.clock.utc_now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("rechecked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "workspace erasure",
                "db_table": "workspace_erasures",
                "indexes": [
                    models.Index(fields=["person_id"], name="workspace_erasures_of_person"),
                    models.Index(fields=["key_hash"], name="workspace_erasures_of_key"),
                ],
            },
        ),
    ]
