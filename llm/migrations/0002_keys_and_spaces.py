"""Keys, references and unique constraints begin with the workspace; rows belong to spaces."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from core.migrations import ReferenceInWorkspace, ReplacePolicies, workspace_append_only_policies, workspace_policies
from core.space_migrations import KeyInWorkspace


class Migration(migrations.Migration):
    atomic = False  # indexes are built without a lock, and constraints validated after they were added

    dependencies: ClassVar = [("llm", "0001_initial")]

    operations: ClassVar = [
        KeyInWorkspace("ModelProvider"),
        KeyInWorkspace("ModelChoice"),
        KeyInWorkspace("PromptRun"),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="modelchoice",
                    name="provider",
                    field=models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="choices",
                        to="llm.modelprovider",
                    ),
                )
            ]
        ),
        ReferenceInWorkspace("ModelChoice", "provider", deferred=True),
        ReplacePolicies("ModelProvider", workspace_policies()),
        ReplacePolicies("ModelChoice", workspace_policies()),
        ReplacePolicies("PromptRun", workspace_append_only_policies()),
    ]
